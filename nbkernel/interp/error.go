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

// compileError turns what the parser, the checker or package lower says into an Error whose
// position is that of its first message.
func (s *Session) compileError(source string, err error) *Error {
	lines := strings.Split(source, "\n")
	var messages []string
	var list scanner.ErrorList
	var cell *CellError
	switch {
	case errors.As(err, &list):
		messages = limited(syntaxMessages(list, lines))
	case errors.As(err, &cell):
		messages = slices.Clone(cell.Msgs)
	default:
		messages = []string{err.Error()}
	}
	e := &Error{Kind: CompileError, cause: err}
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
			e.Traceback = append(e.Traceback, messages[i], lines[line-1], caret(lines[line-1], column))
		}
	}
	e.Message = strings.Join(messages, "\n")
	return e
}

// syntaxMessages gives the parser's errors positions in the cell, which stands behind a wrapper
// on its first line and before one on lines of its own.
func syntaxMessages(list scanner.ErrorList, lines []string) (messages []string) {
	for i, m := range list {
		at, text := m.Pos, m.Msg
		if at.Line > len(lines) {
			if i > 0 {
				continue // it follows from the first
			}
			at.Line, at.Column = len(lines), len(lines[len(lines)-1])+1
			if len(lines) == 1 {
				at.Column += len(declWrapper)
			}
			text, _, _ = strings.Cut(text, ", found ")
			text += ", found the end of the cell"
		}
		if at.Line == 1 {
			at.Column = max(1, at.Column-len(declWrapper))
		}
		messages = append(messages, fmt.Sprintf("%d:%d: %s", at.Line, at.Column, text))
	}
	return messages
}

// caret returns a line that points at a column of code, tabs being as wide in both.
func caret(code string, column int) string {
	blank := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, code[:min(max(column-1, 0), len(code))])
	return blank + "^"
}
