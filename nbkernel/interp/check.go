package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"eigenbook/nbkernel/interp/importer"
)

// check checks the assembled cell. All errors are reported at once.
func (c *compilation) check() error {
	report := &report{s: c.s}
	conf := types.Config{Importer: c.s.importer, Error: report.add}
	if err := c.addMethods(conf, report); err != nil {
		return err
	}
	if c.fn != nil {
		c.tree.Decls = append(c.tree.Decls, c.fn)
	}
	c.info = importer.NewInfo()
	c.s.checkFile(conf, c.tree, c.info)
	if len(report.messages) > 0 {
		return &CellError{limited(c.withHints(c.withCells(report)))}
	}
	if err := c.ghostUsed(); err != nil {
		return err
	}
	for _, m := range c.late {
		c.s.program.Implement(m.method, c.info.Defs[m.decl.Name].(*types.Func))
	}
	c.follow()
	return nil
}

// checkFile checks a file of the session's package. Errors go to conf.Error.
func (s *Session) checkFile(conf types.Config, file *ast.File, info *types.Info) {
	_ = types.NewChecker(&conf, s.files, s.pkg, info).Files([]*ast.File{file})
}

// A report collects the errors of the checker.
type report struct {
	s        *Session
	messages []string
	at       []token.Pos // of each
}

// add adds an error. What nobody uses is none in a cell: a later cell may.
func (r *report) add(err error) {
	e := err.(types.Error)
	if strings.Contains(e.Msg, "is not used") {
		return
	}
	if e.Soft && (strings.Contains(e.Msg, "declared and not used") || strings.Contains(e.Msg, "imported and not used") || strings.Contains(e.Msg, "imported as")) {
		return
	}
	at := r.s.position(e.Pos)
	r.messages = append(r.messages, fmt.Sprintf("%d:%d: %s", at.line, at.column, e.Msg))
	r.at = append(r.at, e.Pos)
}

// prints reports whether an expression is a call of a function of fmt that prints.
func prints(info *types.Info, e ast.Expr) bool {
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
