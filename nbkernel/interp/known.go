package interp

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"eigenbook/nbkernel/symbols"
)

var packageClause = regexp.MustCompile(`(?m)^package[ \t]+\w+[ \t]*;?[ \t]*$`)

// blankPackageClause replaces a package clause before all code by blanks.
func blankPackageClause(source string) string {
	at := packageClause.FindStringIndex(source)
	if at == nil {
		return source
	}
	for line := range strings.Lines(source[:at[0]]) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "//") {
			return source
		}
	}
	return source[:at[0]] + strings.Repeat(" ", at[1]-at[0]) + source[at[1]:]
}

// mainRuns turns the body of a function main into the cell's last statement: it runs once,
// now.
func mainRuns(decls []ast.Decl, body []ast.Stmt, last ast.Expr) ([]ast.Decl, []ast.Stmt, ast.Expr) {
	for i, d := range decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Name.Name != "main" || f.Type.Params.NumFields() > 0 || f.Type.Results.NumFields() > 0 || f.Body == nil {
			continue
		}
		call := &ast.CallExpr{Fun: &ast.FuncLit{Type: f.Type, Body: f.Body}, Lparen: f.Body.Rbrace, Rparen: f.Body.Rbrace}
		return slices.Delete(slices.Clone(decls), i, i+1), append(slices.Clone(body), &ast.ExprStmt{X: call}), nil
	}
	return decls, body, last
}

// prints reports whether an expression is a call of a function of fmt that prints: the count
// it returns is not what the cell is about.
func (s *Session) prints(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "fmt" &&
		(strings.HasPrefix(f.Name(), "Print") || strings.HasPrefix(f.Name(), "Fprint"))
}

// importKnown adds imports of packages that the cell names and nobody declared: fmt, math,
// ppca and all others of which there are symbols.
func (s *Session) importKnown(decls *[]ast.Decl, body []ast.Stmt) {
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
			p, err := strconv.Unquote(n.Path.Value)
			if err != nil {
				return true
			}
			name, ok := symbols.Name(p)
			if !ok {
				name = path.Base(p)
			}
			if n.Name != nil {
				name = n.Name.Name
			}
			declared[name] = true
		}
		return true
	}
	for _, d := range *decls {
		ast.Inspect(d, visit)
	}
	for _, st := range body {
		ast.Inspect(st, visit)
	}
	for name, wanted := range uses {
		if declared[name] || s.objs[name] != nil || s.imports[name] != "" {
			continue
		}
		if genericSrc[name] != "" {
			s.imports[name] = name
		} else if p := bestPackage(name, wanted); p != "" {
			s.imports[name] = p
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

func recvKey(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	return recvBase(d)
}

// position returns where a position stands in its cell.
func (s *Session) position(pos token.Pos) position {
	p := s.Fset.Position(pos)
	if p.Line == 1 {
		p.Column -= len(declWrapper)
	}
	return position{p.Line, p.Column}
}
