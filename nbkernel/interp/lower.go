package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

type Lower struct {
	s       *Session
	info    *types.Info
	env     map[*types.TypeParam]types.Type
	envKey  string
	b       *strings.Builder // current function body
	decls   *strings.Builder // types, helpers
	queue   []func()
	vars    map[types.Object]*varInfo
	fn      *fnCtx
	global  map[types.Object]bool
	calling *ast.Ident
}

type funcSrc struct {
	decl *ast.FuncDecl
	info *types.Info
}

type fnCtx struct {
	results  *types.Tuple
	named    bool
	resNames []string
	native   bool
	defers   string // name of the Defers variable, "" if none
	rf       *rangeFn
	brk      []*target
}

type Refused struct {
	Pos token.Pos
	Msg string
}

func (l *Lower) refuse(n ast.Node, f string, a ...any) { panic(Refused{n.Pos(), fmt.Sprintf(f, a...)}) }

func (l *Lower) line(f string, a ...any) { fmt.Fprintf(l.b, f+"\n", a...) }

func (l *Lower) tmp() string { l.s.n++; return fmt.Sprintf("t_%d", l.s.n) }

func (l *Lower) name(o types.Object) string {
	if n, ok := l.s.names[o]; ok {
		return n
	}
	l.s.n++
	n := fmt.Sprintf("%s_%d", o.Name(), l.s.n)
	if o.Name() == "_" {
		return "_"
	}
	l.s.names[o] = n
	return n
}
