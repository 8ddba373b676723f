package worker

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"

	"eigenbook/nbkernel/cell"
	"eigenbook/nbkernel/interp"
)

// golang is Go as cells know it.
var golang = language{start: newGoSession, parse: parseGo}

// IsComplete says whether code is "complete", "incomplete" or "invalid", and for incomplete
// code how the next line should be indented. It does not need the child.
func (p *Process) IsComplete(code string) (status, indent string) { return cell.IsComplete(code) }

// question is a cell that asks what a name is: ?name or name?, as elsewhere.
var question = regexp.MustCompile(`^\s*(?:\?{1,2}\s*([\pL_][\pL\pN_.]*)|([\pL_][\pL\pN_.]*)\?{1,2})\s*$`)

// parseGo takes a cell apart.
func parseGo(code string) (plan, *Failure) {
	if m := question.FindStringSubmatch(code); m != nil {
		return plan{magics: []magic{{name: "help", text: m[1] + m[2], line: 1}}}, nil
	}
	parsed := cell.Parse(code)
	p := plan{source: parsed.Go, args: parsed.Args, parse: -1}
	if parsed.Main {
		p.parse = parsed.MainAt
	}
	if strings.TrimSpace(p.source) == "" {
		p.source = ""
	}
	for _, m := range parsed.Magics {
		name := m.Name
		if cell.WholeCell(name) && !parsed.Whole {
			return p, &Failure{Name: "magic", Value: name + " must be the first line of its cell", Line: m.Line}
		}
		if !strings.HasPrefix(name, "%%") {
			name = strings.TrimPrefix(name, "%")
		}
		switch fields := cell.Fields(m.Args); {
		case name == "args":
			p.args = fields
		case name == "exec" && len(fields) > 0:
			p.args, p.parse = fields[1:], len(p.source)+1
			p.source += "\n\n" + fields[0] + "()\n"
		case name == "test":
			p.args, p.test = fields, true
		case name == "exec":
			return p, &Failure{Name: "magic", Value: "%exec wants the name of a function", Line: m.Line}
		}
		p.magics = append(p.magics, magic{name: name, text: m.Args, body: parsed.Body, line: m.Line})
	}
	return p, nil
}

// A goSession is a session of package interp. Its lock is held while a cell runs, when names
// come and go; questions about names then have no answer.
type goSession struct {
	mu sync.Mutex
	s  *interp.Session
}

func newGoSession() (evaluator, error) {
	s, err := interp.New(interp.Options{})
	if err != nil {
		return nil, err
	}
	return &goSession{s: s}, nil
}

func (g *goSession) Run(ctx context.Context, source string, count int) (evaluation, *Failure) {
	g.mu.Lock()
	defer g.mu.Unlock()
	r, err := g.s.Run(ctx, source, count)
	if err == nil {
		return evaluation{value: r.Shown(), hasValue: r.HasValue, mute: r.Mute}, nil
	}
	var e *interp.Error
	if !errors.As(err, &e) {
		return evaluation{}, &Failure{Name: interp.Panic, Value: err.Error()}
	}
	if e.Kind == interp.Exit && e.ExitCode == 0 {
		return evaluation{}, nil
	}
	f := &Failure{Name: e.Kind, Value: e.Message, Line: e.Line, Column: e.Column}
	f.Traceback = append([]string{e.Kind + ": " + e.Message}, e.Traceback...)
	if e.Kind == interp.CompileError && len(e.Traceback) > 0 { // which has the message, with the code between
		f.Traceback[0] = e.Kind
	}
	return evaluation{}, f
}

func (g *goSession) SetArgs(args []string)  { g.s.SetArgs(args) }
func (g *goSession) HasFlags() bool         { return g.s.HasFlags() }
func (g *goSession) Declarations() []string { return g.s.Declarations() }

func (g *goSession) Variables() []variable {
	var list []variable
	for _, v := range g.s.Variables() {
		list = append(list, variable{v.Name, v.Type})
	}
	return list
}

func (g *goSession) Forget(name string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.s.Forget(name)) == 0
}

func (g *goSession) Complete(code string, cursor int) Completion {
	none := Completion{Start: cursor, End: cursor}
	if !g.mu.TryLock() {
		return none
	}
	defer g.mu.Unlock()
	found := g.s.Complete(code, cursor)
	return Completion{found.Start, found.End, found.Matches, found.Kinds, found.Signatures}
}

func (g *goSession) Inspect(code string, cursor int) string {
	if !g.mu.TryLock() {
		return ""
	}
	defer g.mu.Unlock()
	text, _ := g.s.Inspect(code, cursor)
	return text
}
