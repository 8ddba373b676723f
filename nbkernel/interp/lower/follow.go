package lower

import (
	"go/types"
	"slices"

	"eigenbook/nbkernel/interp/rt"
)

// A node is code that stays when its cell has run, and is written anew when a later cell
// replaces a function or variable that it names: an instance of a function, or the function
// that binds the methods of a type.
type node struct {
	instance
	bind *rt.Desc
}

// A binding is what the function that binds the methods of a type was written with.
type binding struct {
	receiver string // the text of it
	env      map[*types.TypeParam]types.Type
	key      string
}

// uses notes that the code which is emitted names a function or variable of a cell.
func (l *lowering) uses(o types.Object) {
	if l.node == (node{}) { // statements, which run once
		return
	}
	if l.p.users[o] == nil {
		l.p.users[o] = map[node]bool{}
	}
	l.p.users[o][l.node] = true
}

// Implement puts a function in the place of another one of the same type, or one with the
// receiver first in the place of a method. What calls it is emitted again when it is next used.
func (p *Program) Implement(f, by *types.Func) {
	p.touch(p.Current(f))
	set(p, p.impl, f, by)
}

// Current returns the function that stands in the place of f.
func (p *Program) Current(f *types.Func) *types.Func {
	for {
		by, ok := p.impl[f]
		if !ok || by == f {
			return f
		}
		f = by
	}
}

// replace puts a variable in the place of another one of the same type.
func (p *Program) replace(v, by *types.Var) {
	v = p.CurrentVar(v)
	p.touch(v)
	set(p, p.replaced, v, by)
}

// Restore takes back that v replaced another variable: its cell did not come to declare it.
func (p *Program) Restore(v *types.Var) {
	p.touch(v)
	for old, by := range p.replaced {
		if by == v {
			delete(p.replaced, old)
		}
	}
}

// CurrentVar returns the variable that stands in the place of v.
func (p *Program) CurrentVar(v *types.Var) *types.Var {
	for p.replaced[v] != nil {
		v = p.replaced[v]
	}
	return v
}

// Name returns the lowered name of a variable, "" if it has none.
func (p *Program) Name(v *types.Var) string { return p.names[v] }

// Forget forgets a variable that no source names.
func (p *Program) Forget(v *types.Var) {
	delete(p.names, v)
	delete(p.global, v)
}

// touch forgets the code that names o, or calls such code.
func (p *Program) touch(o types.Object) {
	seen := map[node]bool{}
	next := []types.Object{o}
	for len(next) > 0 {
		users := p.users[next[0]]
		next = next[1:]
		for n := range users {
			switch {
			case seen[n]:
			case n.bind != nil:
				if !slices.Contains(p.rebind, n.bind) {
					before := p.rebind
					p.undo = append(p.undo, func() { p.rebind = before })
					p.rebind = append(before[:len(before):len(before)], n.bind)
				}
			default:
				if name, ok := p.functions[n.instance]; ok {
					p.undo = append(p.undo, func() { p.functions[n.instance] = name })
					delete(p.functions, n.instance)
				}
				next = append(next, n.function)
			}
			seen[n] = true
		}
	}
}

// bindAgain emits the functions that bind methods whose code was touched.
func (l *lowering) bindAgain() {
	list := l.p.rebind
	l.p.undo = append(l.p.undo, func() { l.p.rebind = list })
	l.p.rebind = nil
	slices.SortFunc(list, func(a, b *rt.Desc) int { return a.ID - b.ID })
	for _, d := range list {
		l.emitBind(d)
	}
}
