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
	paramCall    = regexp.MustCompile(`\bnb\.Param([A-Z]\w*)\(\s*`)
	paramLiteral = regexp.MustCompile("^(?:\"([^\"\\\\]*)\"|`([^`]*)`)")
)

// callTypes are the types of what the functions nb.ParamX return, by X.
var callTypes = map[string]string{"Int": "int", "Float": "float64", "String": "string", "Bool": "bool"}

// check returns an error if a parameter was given that no cell of the notebooks takes, which
// is most often a misspelt name, or a value that is not of the type it is taken as. Parameters
// are taken by calls of nb.ParamInt and its like, and as declarations in a cell tagged
// parameters. A notebook that computes a name takes any.
func (p params) check(notebooks []*notebook.Notebook) error {
	types := map[string][]string{}
	for _, n := range notebooks {
		for _, d := range declaredParams(n) {
			types[d.name] = append(types[d.name], d.typ)
		}
		for _, c := range n.Cells {
			if c.Type != notebook.Code {
				continue
			}
			for _, at := range paramCall.FindAllStringSubmatchIndex(c.Source, -1) {
				m := paramLiteral.FindStringSubmatch(c.Source[at[1]:])
				if m == nil {
					return nil
				}
				name := m[1] + m[2]
				types[name] = append(types[name], callTypes[c.Source[at[2]:at[3]]])
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p)) {
		wanted, ok := types[name]
		if !ok {
			return unknownParam(name, slices.Sorted(maps.Keys(types)))
		}
		for _, typ := range wanted {
			if _, err := paramValue(typ, p[name]); err != nil {
				return fmt.Errorf("the parameter %s is %q, %w", name, p[name], err)
			}
		}
	}
	return nil
}

func unknownParam(name string, names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("no cell takes the parameter %q: none calls nb.ParamInt or its like, and none is tagged parameters", name)
	}
	hint := ""
	nearest := slices.MinFunc(names, func(a, b string) int { return edits(name, a) - edits(name, b) })
	if edits(name, nearest) <= (len(name)+1)/3 {
		hint = fmt.Sprintf(", perhaps %s is meant", nearest)
	}
	return fmt.Errorf("no cell takes the parameter %q%s; the cells take %s", name, hint, strings.Join(names, ", "))
}

// edits returns how many characters must be inserted, removed or replaced to make b of a.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
