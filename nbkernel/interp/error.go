package interp

import (
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Kinds of errors.
const (
	CompileError = "compile error"
	Panic        = "panic"
	CheckFailed  = "check failed"
	Exit         = "exit"
	Interrupted  = "interrupted"
)

// An Error says why a cell failed and where.
type Error struct {
	Kind      string
	Message   string
	Traceback []string // one line for each position, innermost first
	Line      int      // in the cell, 1-based; 0 means unknown
	Column    int      // in bytes, 1-based; 0 means unknown
	ExitCode  int      // of os.Exit, for Kind Exit
	cause     error
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the error that the cell panicked with, if it was one.
func (e *Error) Unwrap() error { return e.cause }

// errorAt returns an error at a position of the cell.
func (s *Session) errorAt(pos token.Pos, message string) error {
	at := s.position(pos)
	return &CellError{[]string{fmt.Sprintf("%d:%d: %s", at.line, at.column, message)}}
}

// A CellError is what the checker says, with the cell's own positions.
type CellError struct{ Msgs []string }

func (e *CellError) Error() string { return strings.Join(e.Msgs, "\n") }

var messagePosition = regexp.MustCompile(`(?s)^(?:(cell \d+):)?(\d+):(\d+): (.*)$`)

// compileError turns what the parser, the checker or the emitter says into an Error whose
// position is that of its first message.
func (s *Session) compileError(source string, err error) *Error {
	e := &Error{Kind: CompileError, cause: err}
	var messages []string
	lines := strings.Split(source, "\n")
	var list scanner.ErrorList
	var cell *CellError
	switch {
	case errors.As(err, &list):
		for i, m := range list {
			if m.Pos.Line > len(lines) { // what follows the cell is the wrapper's
				if i > 0 {
					break
				}
				m.Pos.Line, m.Pos.Column = len(lines), len(lines[len(lines)-1])+1
				if len(lines) == 1 {
					m.Pos.Column += len(declWrapper)
				}
				m.Msg, _, _ = strings.Cut(m.Msg, ", found ")
				m.Msg += ", found the end of the cell"
			}
			if m.Pos.Line == 1 { // the wrapper stands before the first line
				m.Pos.Column = max(1, m.Pos.Column-len(declWrapper))
			}
			messages = append(messages, fmt.Sprintf("%d:%d: %s", m.Pos.Line, m.Pos.Column, m.Msg))
		}
	case errors.As(err, &cell):
		messages = slices.Clone(cell.Msgs)
	default:
		messages = []string{err.Error()}
	}
	for i, m := range messages {
		at := messagePosition.FindStringSubmatch(m)
		if at == nil {
			continue
		}
		line, _ := strconv.Atoi(at[2])
		column, _ := strconv.Atoi(at[3])
		if i == 0 {
			e.Line, e.Column = line, column
		}
		messages[i] = fmt.Sprintf("%d:%d: %s", line, column, at[4])
		if line >= 1 && line <= len(lines) {
			code := lines[line-1]
			caret := strings.Map(func(r rune) rune {
				if r == '\t' {
					return r
				}
				return ' '
			}, code[:min(max(column-1, 0), len(code))])
			e.Traceback = append(e.Traceback, messages[i], code, caret+"^")
		}
	}
	e.Message = strings.Join(messages, "\n")
	return e
}
