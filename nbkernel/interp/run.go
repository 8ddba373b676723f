package interp

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/traefik/yaegi/interp"

	"eigenbook/nbkernel/interp/importer"
	"eigenbook/nbkernel/interp/lower"
)

// A Result is the value of a cell.
type Result struct {
	Value    any   // of the last expression; of the first one if it has several
	Values   []any // all values of the last expression
	HasValue bool
	Mute     bool // the cell ends with a semicolon: do not show the value
}

// Run checks and runs one cell. source has no magics; count is the number of the cell that
// messages name. The error is an *Error. A cell that does not compile changes nothing.
func (s *Session) Run(ctx context.Context, source string, count int) (result Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = refused(r, s.text)
		}
	}()
	s.text = ""
	c := s.begin(source, count)
	defer c.undo()
	lowered, err := c.compile()
	if err != nil {
		return Result{}, s.compileError(c.source, err)
	}
	program, err := s.load(lowered, c.function)
	if err != nil {
		return Result{}, err
	}
	c.commit(lowered)
	s.show(c)
	defer s.forgetFunctions(c.name, lowered.Traced)
	for _, note := range c.notes {
		s.note(note)
	}
	result.Mute = c.mute
	if program == nil {
		return result, nil
	}
	s.cell = c.function
	if err := s.call(ctx, program, count); err != nil {
		s.forgetUnreached(c.locals)
		return Result{}, err
	}
	s.releaseAll(c.before)
	if !slices.ContainsFunc(lowered.Traced, func(f lower.Function) bool { return !f.Once }) {
		s.yaegi.forgetPositions()
	}
	if len(c.decls) == 0 && len(lowered.Objects) == 0 {
		c.forgetPositions()
	}
	for _, v := range s.values {
		result.Values = append(result.Values, s.table.Norm(v))
	}
	if len(result.Values) > 0 {
		result.HasValue, result.Value = true, result.Values[0]
	}
	return result, nil
}

// load gives the declarations of a cell to yaegi. The program is what remains to be run, nil if
// the cell has no statements.
func (s *Session) load(lowered lower.Cell, function string) (*interp.Program, error) {
	for name, t := range lowered.Hidden {
		types := importer.Symbols{lower.HiddenPath + "/hidden": {name: reflect.Zero(reflect.PointerTo(t))}}
		if err := s.yaegi.Use(interp.Exports(types)); err != nil {
			return nil, refused(err, t.String())
		}
	}
	for name, v := range lowered.Vars {
		if err := s.yaegi.Use(interp.Exports{lower.HiddenPath + "/hidden": {name: v}}); err != nil {
			return nil, refused(err, v.String())
		}
	}
	for _, line := range lowered.Imports {
		if _, err := s.yaegi.Eval(line); err != nil {
			return nil, refused(err, line)
		}
	}
	s.yaegi.files = nil
	if s.text = lowered.Text; s.text != "" {
		program, err := s.yaegi.compile(s.text, "")
		if err == nil {
			_, err = s.yaegi.Execute(program)
		}
		if err != nil {
			return nil, refused(err, s.text)
		}
	}
	s.noteFunctions(lowered.Traced)
	if lowered.Body == "" {
		return nil, nil
	}
	s.text = lowered.Body + "\nfunc init() { cell.Run(" + function + ") }"
	program, err := s.yaegi.compile(s.text, function)
	if err != nil {
		return nil, refused(err, s.text)
	}
	return program, nil
}

var (
	loweredPosition = regexp.MustCompile(`^(?:\S*?:)?(\d+):\d+: (.*)`)
	failure         = regexp.MustCompile(`^(?:CFG post-order panic: )?(?:runtime error|interface conversion|reflect): `)
	storedPosition  = regexp.MustCompile(`^\*?(?:` + lower.LinePrefix + `|reach_)\d+ = (\d+)$`)
)

// refused says that the interpreter does not take what was lowered, with the position of the
// statement if its message tells where in the text it is.
func refused(problem any, lowered string) error {
	text := fmt.Sprint(problem)
	e := &Error{Kind: CompileError, cause: fmt.Errorf("%s in\n%s", text, lowered)}
	if m := loweredPosition.FindStringSubmatch(text); m != nil {
		text = m[2]
		n, _ := strconv.Atoi(m[1])
		lines := strings.Split(lowered, "\n")
		for i := min(n, len(lines)) - 1; i >= 0 && e.Line == 0; i-- {
			if stored := storedPosition.FindStringSubmatch(lines[i]); stored != nil {
				at, _ := strconv.Atoi(stored[1])
				e.Line, e.Column = lower.Position(at)
			}
		}
	}
	if failure.MatchString(text) { // in yaegi's own words, which say nothing about the cell
		text = "it fails here, though this is correct Go; write it in smaller steps, with a variable for each"
	}
	e.Message = "the interpreter cannot run this: " + text
	if e.Line > 0 {
		e.Message = fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
	}
	return e
}
