package command

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"eigenbook/nbkernel/cell"
	"eigenbook/nbkernel/notebook"
)

// The tags of the cell that declares parameters with the values they have if they are not
// given, and of the one that is put after it.
const (
	parametersTag = "parameters"
	injectedTag   = "injected-parameters"
)

// unknownType stands for the type of a declaration that names none and computes its value.
const unknownType = "that is not written down"

// A declaredParam is a variable or constant of the cell tagged parameters.
type declaredParam struct {
	name, typ string // typ is unknownType if it cannot be told
	constant  bool
}

// declaredParams returns what the first cell tagged parameters declares.
func declaredParams(n *notebook.Notebook) []declaredParam {
	for _, c := range n.Cells {
		if c.Type == notebook.Code && c.HasTag(parametersTag) {
			return declarations(cell.Parse(c.Source).Go)
		}
	}
	return nil
}

// declarations returns the variables and constants that the statements of a cell declare.
func declarations(source string) []declaredParam {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {\n"+source+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return nil // running the cell says why
	}
	var list []declaredParam
	add := func(name string, typ, value ast.Expr, constant bool) {
		if name != "_" {
			known := paramType(typ, value)
			if known == "" {
				known = unknownType
			}
			list = append(list, declaredParam{name, known, constant})
		}
	}
	valueOf := func(values []ast.Expr, i int) ast.Expr {
		if i < len(values) {
			return values[i]
		}
		return nil
	}
	for _, s := range file.Decls[0].(*ast.FuncDecl).Body.List {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for i, left := range s.Lhs {
				if id, ok := left.(*ast.Ident); ok && s.Tok == token.DEFINE {
					add(id.Name, nil, valueOf(s.Rhs, i), false)
				}
			}
		case *ast.DeclStmt:
			for _, spec := range s.Decl.(*ast.GenDecl).Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for i, id := range v.Names {
						add(id.Name, v.Type, valueOf(v.Values, i), s.Decl.(*ast.GenDecl).Tok == token.CONST)
					}
				}
			}
		}
	}
	return list
}

// paramType tells the type of a declaration from its type or, without one, from its value.
func paramType(typ, value ast.Expr) string {
	if typ != nil {
		return types.ExprString(typ)
	}
	switch v := value.(type) {
	case *ast.BasicLit:
		return map[token.Token]string{token.INT: "int", token.FLOAT: "float64", token.STRING: "string"}[v.Kind]
	case *ast.Ident:
		if v.Name == "true" || v.Name == "false" {
			return "bool"
		}
	case *ast.UnaryExpr:
		return paramType(nil, v.X)
	case *ast.ParenExpr:
		return paramType(nil, v.X)
	case *ast.SelectorExpr:
		if text := types.ExprString(v); slices.Contains(durations, text) {
			return "time.Duration"
		}
	case *ast.BinaryExpr:
		x, y := paramType(nil, v.X), paramType(nil, v.Y)
		for _, t := range []string{"time.Duration", "float64"} {
			if x == t || y == t {
				return t
			}
		}
		if x == y {
			return x
		}
	case *ast.CompositeLit:
		return types.ExprString(v.Type)
	case *ast.CallExpr: // a conversion
		if name := types.ExprString(v.Fun); len(v.Args) == 1 && slices.Contains(paramTypes, name) {
			return name
		}
	}
	return ""
}

var (
	paramTypes = []string{"int", "float64", "string", "bool", "time.Duration"}
	durations  = []string{"time.Nanosecond", "time.Microsecond", "time.Millisecond", "time.Second", "time.Minute", "time.Hour"}
)

// paramValue returns the value as Go source of the type. An empty type is one that cannot be
// told, of a call of a function with another name. The elements of a slice stand between
// commas.
func paramValue(typ, value string) (string, error) {
	if element, ok := strings.CutPrefix(typ, "[]"); ok && slices.Contains(paramTypes, element) {
		var elements []string
		for i, text := range strings.Split(value, ",") {
			if value == "" {
				break
			}
			source, err := paramValue(element, strings.TrimSpace(text))
			if err != nil {
				return "", fmt.Errorf("of which element %d is %q, %w", i+1, text, err)
			}
			elements = append(elements, source)
		}
		return typ + "{" + strings.Join(elements, ", ") + "}", nil
	}
	switch typ {
	case "int":
		n, err := strconv.Atoi(value)
		if err != nil {
			return "", errors.New("want an integer such as 5")
		}
		return strconv.Itoa(n), nil
	case "float64":
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return "", errors.New("want a finite number such as 0.5")
		}
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	case "bool":
		v, err := strconv.ParseBool(strings.ToLower(value))
		if err != nil {
			return "", errors.New("want true or false")
		}
		return strconv.FormatBool(v), nil
	case "time.Duration":
		d, err := time.ParseDuration(value)
		if err != nil {
			return "", errors.New("want a time with its unit, such as 90s or 5m")
		}
		return fmt.Sprintf("time.Duration(%d)", d), nil
	case "string", "":
		return strconv.Quote(value), nil
	}
	return "", fmt.Errorf("and its type %s is none that can be given; want %s, or a slice of one", typ, strings.Join(paramTypes, ", "))
}

// inject puts a cell with the parameters that were given after the one that declares them, in
// place of one that an earlier run has put there. It expects that check was content.
func (p params) inject(n *notebook.Notebook) {
	var lines []string
	for _, d := range declaredParams(n) {
		value, ok := p[d.name]
		if !ok {
			continue
		}
		source, err := paramValue(d.typ, value)
		if err != nil {
			continue // check has refused it
		}
		keyword := "var"
		if d.constant {
			keyword = "const"
		}
		lines = append(lines, fmt.Sprintf("%s %s %s = %s", keyword, d.name, d.typ, source))
	}
	if lines == nil {
		return
	}
	n.Cells = slices.DeleteFunc(n.Cells, func(c *notebook.Cell) bool { return c.HasTag(injectedTag) })
	at := slices.IndexFunc(n.Cells, func(c *notebook.Cell) bool { return c.Type == notebook.Code && c.HasTag(parametersTag) })
	n.Cells = slices.Insert(n.Cells, at+1, &notebook.Cell{Type: notebook.Code, Source: strings.Join(lines, "\n"),
		Metadata: map[string]any{"tags": []any{injectedTag}}})
}
