package nb

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ParamsEnv is the environment variable that holds the parameters.
const ParamsEnv = "EIGENBOOK_PARAMS"

// ErrParameter is wrapped by the errors that the Param functions panic with.
var ErrParameter = errors.New("nb: bad parameter")

// ParamInt returns the parameter as an integer, or missing if it was not given.
func ParamInt(name string, missing int) int {
	s, ok := lookup(name)
	if !ok {
		return missing
	}
	v, err := strconv.Atoi(s)
	if err != nil {
		panic(fmt.Errorf("%w: %s is %q, want an integer such as %d", ErrParameter, name, s, missing))
	}
	return v
}

// ParamFloat returns the parameter as a floating-point number, or missing if it was not given.
func ParamFloat(name string, missing float64) float64 {
	s, ok := lookup(name)
	if !ok {
		return missing
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(fmt.Errorf("%w: %s is %q, want a number such as %g", ErrParameter, name, s, missing))
	}
	return v
}

// ParamString returns the parameter, or missing if it was not given.
func ParamString(name string, missing string) string {
	if s, ok := lookup(name); ok {
		return s
	}
	return missing
}

// ParamBool returns the parameter as a truth value, or missing if it was not given. It
// accepts 1, t, true, 0, f and false in any case.
func ParamBool(name string, missing bool) bool {
	s, ok := lookup(name)
	if !ok {
		return missing
	}
	v, err := strconv.ParseBool(strings.ToLower(s))
	if err != nil {
		panic(fmt.Errorf("%w: %s is %q, want true or false", ErrParameter, name, s))
	}
	return v
}

// lookup finds a parameter in the environment, which is read each time because a cell may set
// it.
func lookup(name string) (string, bool) {
	text := os.Getenv(ParamsEnv)
	if text == "" {
		return "", false
	}
	var params map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &params); err != nil {
		panic(fmt.Errorf(`%w: %s is %q, want a JSON object such as {"q":"5"}: %v`, ErrParameter, ParamsEnv, text, err))
	}
	raw, ok := params[name]
	if !ok {
		return "", false
	}
	switch raw[0] {
	case '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			panic(fmt.Errorf("%w: %s in %s: %v", ErrParameter, name, ParamsEnv, err))
		}
		return s, true
	case '{', '[', 'n':
		panic(fmt.Errorf("%w: %s is %s in %s, want a string, a number or a truth value", ErrParameter, name, raw, ParamsEnv))
	}
	return string(raw), true
}
