package cell

import (
	"go/ast"
	"go/parser"
	"strings"
)

// timed returns the Go that a line `%time STATEMENT` or `%timeit STATEMENT` stands for, and
// nothing for other magics.
func timed(line string) string {
	name, statement, _ := strings.Cut(strings.TrimSpace(line), " ")
	statement = strings.TrimSpace(statement)
	switch {
	case statement == "":
		return ""
	case name == "%time":
		return statement
	case name == "%timeit":
		if isValue(statement) {
			statement = "_ = " + statement
		}
		return "fmt.Println(nb.Timeit(func() { " + statement + " }))"
	}
	return ""
}

// isValue reports whether the text is an expression that cannot be a statement.
func isValue(text string) bool {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return false
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return true
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return builtins[f.Name]
	case *ast.ArrayType, *ast.MapType, *ast.InterfaceType, *ast.FuncType:
		return true
	}
	return false
}

// builtins are the predeclared functions and types whose call is no statement.
var builtins = func() map[string]bool {
	names := map[string]bool{}
	for _, name := range strings.Fields(`append cap complex imag len make max min new real
		bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string
		uint uint8 uint16 uint32 uint64 uintptr any`) {
		names[name] = true
	}
	return names
}()
