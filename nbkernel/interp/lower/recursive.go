package lower

import (
	"cmp"
	"go/types"
	"slices"

	"eigenbook/nbkernel/interp/importer"
)

// A verdict says what of a declared type is erased because the type refers to itself, perhaps
// through others: yaegi makes such types with reflection, which has no recursive types, and
// patches them. That comes out right for a struct that refers to itself alone.
//
// A type that is erased is interface{} in lowered code wherever it is written, so that types made
// of it agree. What it holds is nil or a value of the core of the type, see erase.go.
type verdict struct {
	itself   bool // the type, which is no struct or array
	pointers bool // types that have it by value behind a pointer: *T, []T, map[K]T, chan T
	funcs    bool // function types that name it

	recursive bool // it refers to itself
}

// verdict returns the verdict on a type. It is the same for identical types.
func (l *lowering) verdict(t *types.Named) verdict {
	if v, ok := l.p.verdicts[t]; ok {
		return v
	}
	if !l.isVertex(t) {
		return verdict{}
	}
	key := l.p.table.Key(t)
	v, ok := l.p.families[key]
	if !ok {
		for member, verdict := range l.judge(l.family(t)) {
			l.p.families[member.key] = verdict
		}
		v = l.p.families[key]
	}
	l.p.verdicts[t] = v
	return v
}

// isVertex reports whether a type can refer to itself: one that a cell or generic package
// declares and that is no interface, which lowered code does not name.
func (l *lowering) isVertex(t *types.Named) bool {
	return !importer.IsInterface(t) && l.p.importer.Declared(t)
}

// A vertex is a declared type among those that it refers to.
type vertex struct {
	key   string
	t     *types.Named
	edges []edge
}

// An edge is a mention of another declared type.
type edge struct {
	to        string // key
	value     bool   // the value is a part of what mentions it
	function  bool   // in a function type
	unhandled bool   // in a form that yaegi does not patch
}

// compound reports whether the type is a struct or array, which cannot be erased itself.
func (v *vertex) compound() bool {
	switch v.t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// family returns t and the types that it refers to and that refer to it, in the order of their
// declarations. A type that is not recursive has itself alone and no edges.
func (l *lowering) family(t *types.Named) []*vertex {
	all := map[string]*vertex{}
	root := l.explore(t, all)
	var members []*vertex
	for _, v := range all {
		if reaches(all, v, root.key) {
			members = append(members, v)
		}
	}
	if len(members) == 0 {
		return []*vertex{{key: root.key, t: t}}
	}
	for _, v := range members {
		v.edges = slices.DeleteFunc(v.edges, func(e edge) bool {
			return !slices.ContainsFunc(members, func(m *vertex) bool { return m.key == e.to })
		})
	}
	slices.SortFunc(members, func(a, b *vertex) int {
		return cmp.Or(cmp.Compare(a.t.Origin().Obj().Pos(), b.t.Origin().Obj().Pos()), cmp.Compare(a.key, b.key))
	})
	return members
}

func (l *lowering) explore(t *types.Named, all map[string]*vertex) *vertex {
	key := l.p.table.Key(t)
	if v := all[key]; v != nil {
		return v
	}
	v := &vertex{key: key, t: t}
	all[key] = v
	m := mentions{l, v, all}
	m.part(t.Underlying(), edge{value: true})
	return v
}

// reaches reports whether edges lead from v to a vertex.
func reaches(all map[string]*vertex, v *vertex, to string) bool {
	seen := map[string]bool{}
	next := []*vertex{v}
	for len(next) > 0 {
		v, next = next[0], next[1:]
		for _, e := range v.edges {
			if e.to == to {
				return true
			}
			if !seen[e.to] {
				seen[e.to] = true
				next = append(next, all[e.to])
			}
		}
	}
	return false
}

// mentions collects the edges of a vertex.
type mentions struct {
	l   *lowering
	of  *vertex
	all map[string]*vertex
}

// part adds the edges of a type that is the underlying one of the vertex or a part of it. e is
// the edge to a declared type that stands there.
func (m mentions) part(t types.Type, e edge) {
	switch t := t.(type) {
	case *types.Alias:
		m.part(types.Unalias(t), e)
	case *types.Named:
		if m.l.isVertex(t) {
			e.to = m.l.explore(t, m.all).key
			m.of.edges = append(m.of.edges, e)
		}
	case *types.Pointer:
		m.part(t.Elem(), edge{function: e.function, unhandled: e.unhandled})
	case *types.Slice:
		m.part(t.Elem(), edge{function: e.function, unhandled: e.unhandled})
	case *types.Chan:
		m.part(t.Elem(), edge{function: e.function, unhandled: e.unhandled})
	case *types.Map:
		m.part(t.Key(), edge{function: e.function, unhandled: true})
		m.part(t.Elem(), edge{function: e.function, unhandled: e.unhandled})
	case *types.Array:
		m.part(t.Elem(), e)
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				m.part(v.Type(), edge{function: true})
			}
		}
	case *types.Struct:
		if t != m.of.t.Underlying() {
			e.unhandled = true
		}
		for f := range t.Fields() {
			m.part(f.Type(), e)
		}
	}
}

// judge returns the verdicts on the members of a family. Those that are no structs or arrays are
// erased, and so are function types that name one that is. Where yaegi still gets the types
// wrong, pointers to some members are erased too, to those that are mentioned least.
func (l *lowering) judge(family []*vertex) map[*vertex]verdict {
	verdicts := map[*vertex]verdict{}
	functions := false
	var compounds []*vertex
	for _, v := range family {
		verdicts[v] = verdict{itself: !v.compound() && len(v.edges) > 0}
		if v.compound() {
			compounds = append(compounds, v)
			functions = functions || slices.ContainsFunc(v.edges, func(e edge) bool { return e.function })
		}
	}
	count := map[string]int{}
	for _, v := range compounds {
		v.edges = slices.DeleteFunc(v.edges, func(e edge) bool {
			return e.function || !slices.ContainsFunc(compounds, func(c *vertex) bool { return c.key == e.to })
		})
		for _, e := range v.edges {
			count[e.to]++
		}
	}
	slices.SortStableFunc(compounds, func(a, b *vertex) int { return cmp.Compare(count[a.key], count[b.key]) })
	cut := map[string]bool{}
	for !isSafe(compounds, cut) {
		cut[nextCut(compounds, cut)] = true
	}
	for _, v := range compounds {
		verdicts[v] = verdict{pointers: cut[v.key], funcs: functions, recursive: len(v.edges) > 0}
	}
	return verdicts
}

// nextCut returns a member whose pointers to erase: one that suffices, if there is one.
func nextCut(compounds []*vertex, cut map[string]bool) string {
	last := ""
	for _, v := range compounds {
		if cut[v.key] {
			continue
		}
		cut[v.key] = true
		safe := isSafe(compounds, cut)
		delete(cut, v.key)
		if safe {
			return v.key
		}
		last = v.key
	}
	return last
}

// isSafe reports whether yaegi gets the types right when pointers to the members of cut are
// erased: each of them refers to nothing that refers to it, or only to itself.
func isSafe(compounds []*vertex, cut map[string]bool) bool {
	left := map[string]*vertex{}
	for _, v := range compounds {
		edges := slices.DeleteFunc(slices.Clone(v.edges), func(e edge) bool { return cut[e.to] && !e.value })
		left[v.key] = &vertex{key: v.key, t: v.t, edges: edges}
	}
	for _, v := range left {
		_, structure := v.t.Underlying().(*types.Struct)
		for _, e := range v.edges {
			if e.to == v.key && (e.unhandled || !structure) || e.to != v.key && reaches(left, left[e.to], v.key) {
				return false
			}
		}
	}
	return true
}
