package command

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"eigenbook/nbkernel/nb"
	"eigenbook/nbkernel/notebook"
)

// params is the value of the flag -p, which may be given several times.
type params map[string]string

func (p params) String() string { return "" }

var paramName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

func (p params) Set(s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok || !paramName.MatchString(name) {
		return fmt.Errorf("want name=value, such as q=5")
	}
	if old, ok := p[name]; ok {
		return fmt.Errorf("the parameter %s was already given as %q", name, old)
	}
	p[name] = value
	return nil
}

// environment returns the setting that carries the parameters to cells, none if there are
// no parameters.
func (p params) environment() []string {
	if len(p) == 0 {
		return nil
	}
	data, err := json.Marshal(p)
	if err != nil {
		panic(err) // strings can always be written
	}
	return []string{nb.ParamsEnv + "=" + string(data)}
}

var (
	paramCall    = regexp.MustCompile(`\bnb\.Param[A-Z]\w*\(\s*`)
	paramLiteral = regexp.MustCompile("^(?:\"([^\"\\\\]*)\"|`([^`]*)`)")
)

// check returns an error if a parameter was given that no cell of the notebooks reads, which
// is most often a misspelt name. A notebook that computes a name reads any.
func (p params) check(notebooks []*notebook.Notebook) error {
	read := map[string]bool{}
	for _, n := range notebooks {
		for _, c := range n.Cells {
			if c.Type != notebook.Code {
				continue
			}
			for _, at := range paramCall.FindAllStringIndex(c.Source, -1) {
				m := paramLiteral.FindStringSubmatch(c.Source[at[1]:])
				if m == nil {
					return nil
				}
				read[m[1]+m[2]] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p)) {
		if read[name] {
			continue
		}
		names := slices.Sorted(maps.Keys(read))
		if len(names) == 0 {
			return fmt.Errorf("no cell reads the parameter %q: none calls nb.ParamInt or its like", name)
		}
		return fmt.Errorf("no cell reads the parameter %q; the cells read %s", name, strings.Join(names, ", "))
	}
	return nil
}
