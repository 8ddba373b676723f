package interp

import (
	"go/ast"
	"go/token"
	"strings"

	"eigenbook/nbkernel/interp/importer"
	"eigenbook/nbkernel/symbols"
)

// importKnown adds imports of packages that the cell names and nobody declared: fmt, math,
// ppca and all others of which there are symbols.
func (c *compilation) importKnown() {
	declared := map[string]bool{}
	uses := map[string]map[string]bool{} // package name → symbols
	visit := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				if uses[id.Name] == nil {
					uses[id.Name] = map[string]bool{}
				}
				uses[id.Name][n.Sel.Name] = true
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, e := range n.Lhs {
					declareName(declared, e)
				}
			}
		case *ast.RangeStmt:
			declareName(declared, n.Key)
			declareName(declared, n.Value)
		case *ast.ValueSpec:
			for _, name := range n.Names {
				declared[name.Name] = true
			}
		case *ast.Field:
			for _, name := range n.Names {
				declared[name.Name] = true
			}
		case *ast.TypeSpec:
			declared[n.Name.Name] = true
		case *ast.FuncDecl:
			if n.Recv == nil {
				declared[n.Name.Name] = true
			}
		case *ast.ImportSpec:
			name, _ := c.s.importName(n)
			declared[name] = true
		}
		return true
	}
	for _, d := range c.decls {
		ast.Inspect(d, visit)
	}
	for _, st := range c.body {
		ast.Inspect(st, visit)
	}
	for name, wanted := range uses {
		if declared[name] || c.s.objects[name] != nil || c.s.imports[name] != "" {
			continue
		}
		p := bestPackage(name, wanted)
		if p == "" {
			p = importer.GenericPath(name)
		}
		if p != "" {
			c.s.imports[name] = p
		}
	}
}

func declareName(declared map[string]bool, e ast.Expr) {
	if id, ok := e.(*ast.Ident); ok {
		declared[id.Name] = true
	}
}

// bestPackage returns the path of the package with this name that has most of the wanted
// symbols: of equal ones ours first, then newer versions, then shorter paths.
func bestPackage(name string, wanted map[string]bool) string {
	best, bestScore := "", 0
	for _, p := range symbols.Paths() {
		if have, _ := symbols.Name(p); have != name {
			continue
		}
		score := 1
		for _, sym := range symbols.Package(p) {
			if wanted[sym.Name] {
				score += 1000
			}
		}
		if strings.HasPrefix(p, "eigenbook/") {
			score += 500
		}
		if strings.HasSuffix(p, "/v2") {
			score += 100
		}
		score += 99 - min(len(p), 98)
		if score > bestScore {
			best, bestScore = p, score
		}
	}
	return best
}
