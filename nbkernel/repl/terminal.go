package repl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"
)

// A terminal gives lines that are edited by x/term. The device is in raw mode only while a
// line is read, so that Control-C is a signal while a cell runs.
type terminal struct {
	device   *os.File
	editor   *term.Terminal
	history  *history
	complete func(line string, pos int) (start, end int, names []string)

	mu     sync.Mutex
	before *term.State // of the device while a line is read, else nil
}

func newTerminal(device *os.File, file string, complete func(string, int) (int, int, []string)) (*terminal, error) {
	h, err := openHistory(file)
	if err != nil {
		return nil, err
	}
	t := &terminal{device: device, history: h, complete: complete}
	t.renew()
	return t, nil
}

// renew makes an editor with an empty line.
func (t *terminal) renew() {
	t.editor = term.NewTerminal(keyboard{t.device}, "")
	t.editor.History = t.history
	t.editor.AutoCompleteCallback = t.key
}

// A keyboard is the device, with Control-C as an error.
type keyboard struct {
	*os.File
}

func (k keyboard) Read(p []byte) (int, error) {
	n, err := k.File.Read(p)
	const controlC = 3
	if bytes.IndexByte(p[:n], controlC) >= 0 {
		return 0, errInterrupt
	}
	return n, err
}

// raw calls read with the device in raw mode.
func (t *terminal) raw(read func() (string, error)) (string, error) {
	fd := int(t.device.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return "", fmt.Errorf("the terminal cannot be used: %w", err)
	}
	t.mu.Lock()
	t.before = before
	t.mu.Unlock()
	if width, height, err := term.GetSize(fd); err == nil && width > 0 {
		// The size only says where lines are wrapped.
		_ = t.editor.SetSize(width, height)
	}
	t.editor.SetBracketedPasteMode(true)
	line, err := read()
	t.editor.SetBracketedPasteMode(false)
	t.close()
	switch {
	case errors.Is(err, term.ErrPasteIndicator):
		err = nil
	case errors.Is(err, errInterrupt):
		fmt.Fprint(t.device, "^C\n")
		t.renew()
	case errors.Is(err, io.EOF):
		fmt.Fprintln(t.device)
	}
	return line, err
}

// close gives the device back as it was.
func (t *terminal) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.before != nil {
		// If that fails there is nobody to tell.
		_ = term.Restore(int(t.device.Fd()), t.before)
		t.before = nil
	}
}

func (t *terminal) line(prompt string) (string, error) {
	return t.raw(func() (string, error) {
		t.editor.SetPrompt(prompt)
		return t.editor.ReadLine()
	})
}

func (t *terminal) password(prompt string) (string, error) {
	return t.raw(func() (string, error) { return t.editor.ReadPassword(prompt) })
}

// indent is what Tab writes where no name stands.
const indent = "    "

// key completes the name before the cursor when Tab is pressed.
func (t *terminal) key(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' {
		return "", 0, false
	}
	if strings.TrimSpace(line[:pos]) == "" {
		return line[:pos] + indent + line[pos:], pos + len(indent), true
	}
	start, end, names := t.complete(line, pos)
	if len(names) == 0 {
		return "", 0, false
	}
	common := commonPrefix(names)
	if len(names) > 1 && len(common) <= pos-start {
		t.list(names)
		return "", 0, false
	}
	return line[:start] + common + line[end:], start + len(common), true
}

// mostNames is how many names are listed.
const mostNames = 100

// list shows names above the line.
func (t *terminal) list(names []string) {
	more := ""
	if len(names) > mostNames {
		more = fmt.Sprintf("  … and %d more", len(names)-mostNames)
		names = names[:mostNames]
	}
	fmt.Fprintf(t.editor, "%s%s\n", strings.Join(names, "  "), more)
}

// commonPrefix returns what all names begin with.
func commonPrefix(names []string) string {
	common := names[0]
	for _, name := range names[1:] {
		for !strings.HasPrefix(name, common) {
			_, size := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-size]
		}
	}
	return common
}
