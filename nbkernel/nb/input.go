package nb

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/janpfeifer/gonb/gonbui"
)

// ErrNoInput is wrapped by the error of Input when there is nobody to answer.
var ErrNoInput = errors.New("nb: nobody answers")

// A Question announces that a line is about to be read from standard input.
type Question func(prompt string, password bool) error

var question struct {
	sync.Mutex
	ask Question
}

// Input shows the prompt and returns the line that is typed, without its newline. In a
// notebook a field for it appears below the cell; elsewhere the prompt is printed and a line
// read from standard input. The error wraps ErrNoInput when a notebook runs by itself, and
// io.EOF at the end of the input.
func Input(prompt string) (string, error) { return input(prompt, false) }

// Password is Input for a secret, which notebooks do not show while it is typed. A terminal
// does show it.
func Password(prompt string) (string, error) { return input(prompt, true) }

func input(prompt string, password bool) (string, error) {
	if err := Announce(prompt, password); err != nil {
		return "", err
	}
	var line strings.Builder
	var b [1]byte // what follows the line is for others to read
	for {
		switch n, err := os.Stdin.Read(b[:]); {
		case n == 1 && b[0] == '\n':
			return strings.TrimSuffix(line.String(), "\r"), nil
		case n == 1:
			line.WriteByte(b[0])
		case err == io.EOF && line.Len() > 0:
			return line.String(), nil
		case err != nil:
			return "", fmt.Errorf("nb: input: %w", err)
		}
	}
}

// Announce asks for a line without reading it. It is what the program that runs cells gives
// to gonbui.RequestInput.
func Announce(prompt string, password bool) error {
	question.Lock()
	ask := question.ask
	question.Unlock()
	switch {
	case ask != nil:
		return ask(prompt, password)
	case gonbui.IsNotebook:
		gonbui.RequestInput(prompt, password)
	default:
		fmt.Print(prompt)
	}
	return nil
}

// SetQuestion sets how Input asks. It is for the program that runs cells; nil restores the
// default.
func SetQuestion(ask Question) {
	question.Lock()
	defer question.Unlock()
	question.ask = ask
}
