package interp

import (
	"context"
	"fmt"
	"reflect"
	"runtime/debug"
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
			err = &Error{Kind: Panic, Message: fmt.Sprintf("internal error of the interpreter, please report: %v", r),
				Traceback: strings.Split(string(debug.Stack()), "\n")}
		}
	}()
	c := s.begin(source, count)
	defer c.undo()
	lowered, err := c.compile()
	if err != nil {
		return Result{}, s.compileError(c.source, err)
	}
	if err := s.evaluate(lowered); err != nil {
		return Result{}, err
	}
	c.commit(lowered)
	s.show(c)
	for _, note := range c.notes {
		s.note(note)
	}
	result.Mute = c.mute
	if !lowered.Call {
		return result, nil
	}
	if err := s.call(ctx, c.function, count); err != nil {
		s.forgetUnreached(c.locals)
		return Result{}, err
	}
	for _, v := range s.values {
		result.Values = append(result.Values, s.table.Norm(v))
	}
	if len(result.Values) > 0 {
		result.HasValue, result.Value = true, result.Values[0]
	}
	return result, nil
}

// evaluate gives the declarations of a cell to yaegi.
func (s *Session) evaluate(lowered lower.Cell) error {
	for name, t := range lowered.Hidden {
		types := importer.Symbols{lower.HiddenPath + "/hidden": {name: reflect.Zero(reflect.PointerTo(t))}}
		if err := s.yaegi.Use(interp.Exports(types)); err != nil {
			return internalError(err, t.String())
		}
	}
	for _, line := range lowered.Imports {
		if _, err := s.yaegi.Eval(line); err != nil {
			return internalError(err, line)
		}
	}
	if lowered.Text == "" {
		return nil
	}
	s.noteFunctions(lowered.Traced)
	if _, err := s.yaegi.Eval(lowered.Text); err != nil {
		return internalError(err, lowered.Text)
	}
	return nil
}

// internalError says that yaegi refuses what we lowered.
func internalError(err error, lowered string) error {
	return &Error{Kind: CompileError, Message: fmt.Sprintf("internal error, please report: %v in\n%s", err, lowered), cause: err}
}
