package display

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/mattn/go-isatty"
)

// FolderVariable is the environment variable that names the folder for a script's pictures.
const FolderVariable = "EIGENBOOK_SHOW"

// scriptSink writes pictures to files and text to standard output.
type scriptSink struct {
	out, note io.Writer // text; paths. Nil means standard output and error as they are then
	folder    string    // "" until the first picture
	count     int       // pictures written
	inline    protocolName
	inlineTo  io.Writer
}

// newScriptSink returns the sink of a process that is no notebook.
func newScriptSink() *scriptSink {
	s := &scriptSink{}
	for _, f := range []*os.File{os.Stderr, os.Stdout} {
		if isatty.IsTerminal(f.Fd()) {
			s.inline, s.inlineTo = terminalProtocol(os.Getenv), f
			break
		}
	}
	return s
}

// Display prints the text of b and writes its picture, if any. An update prints nothing:
// what is replaced cannot be taken back from a file.
func (s *scriptSink) Display(b Bundle, _ string, update bool) error {
	if update {
		return nil
	}
	out, note := s.out, s.note
	if out == nil {
		out = os.Stdout
	}
	if note == nil {
		note = os.Stderr
	}
	if text := b.Plain(); text != "" {
		if _, err := fmt.Fprintln(out, strings.TrimRight(text, "\n")); err != nil {
			return fmt.Errorf("display: standard output: %w", err)
		}
	}
	picture := b.PNG()
	if picture == nil {
		return nil
	}
	if err := s.openFolder(); err != nil {
		return err
	}
	s.count++
	path := filepath.Join(s.folder, fmt.Sprintf("%03d-%s.png", s.count, slug(b.Plain())))
	if err := os.WriteFile(path, picture, 0o644); err != nil {
		return fmt.Errorf("display: picture %d: %w", s.count, err)
	}
	if s.inline != "" {
		if _, err := s.inlineTo.Write(s.inline.encode(picture, cssWidth(b))); err != nil {
			return fmt.Errorf("display: picture %d in the terminal: %w", s.count, err)
		}
	}
	fmt.Fprintln(note, path)
	return nil
}

// openFolder makes the folder for the pictures when the first is written.
func (s *scriptSink) openFolder() (err error) {
	if s.folder != "" {
		return nil
	}
	folder := os.Getenv(FolderVariable)
	if folder == "" {
		folder, err = os.MkdirTemp("", "eigenbook-")
	} else {
		err = os.MkdirAll(folder, 0o755)
	}
	if err != nil {
		return fmt.Errorf("display: folder for pictures (%s=%q): %w", FolderVariable, os.Getenv(FolderVariable), err)
	}
	s.folder = folder
	return nil
}

// slug makes a file name out of the first words of a summary.
func slug(text string) string {
	if i := strings.IndexAny(text, ":\n"); i >= 0 {
		text = text[:i]
	}
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 40 {
			break
		}
	}
	name := strings.Trim(b.String(), "-")
	if name == "" {
		return "picture"
	}
	return name
}

// protocolName is a terminal's way to take pictures; "" means none.
type protocolName string

const (
	kittyProtocol  protocolName = "kitty"
	iTerm2Protocol protocolName = "iTerm2"
)

// terminalProtocol tells from the environment which pictures the terminal can show. A
// multiplexer between us and the terminal swallows them, so there it is none.
func terminalProtocol(getenv func(string) string) protocolName {
	switch {
	case getenv("TMUX") != "" || strings.HasPrefix(getenv("TERM"), "screen"):
		return ""
	case getenv("KITTY_WINDOW_ID") != "" || getenv("TERM") == "xterm-kitty" || getenv("TERM_PROGRAM") == "ghostty":
		return kittyProtocol
	case getenv("TERM_PROGRAM") == "iTerm.app" || getenv("TERM_PROGRAM") == "WezTerm":
		return iTerm2Protocol
	}
	return ""
}

// kittyChunk is the largest payload of one kitty escape sequence.
const kittyChunk = 4096

// cssWidth returns the width of a bundle's picture in CSS pixels, 0 if it is not known.
func cssWidth(b Bundle) int {
	meta, _ := b.Metadata[MIMEPNG].(map[string]any)
	width, _ := meta["width"].(int)
	return width
}

// cellPixels is the width of a character of a terminal in CSS pixels, more or less.
const cellPixels = 8

// encode returns the escape sequences that show a PNG picture in place, about width CSS
// pixels wide if that is not 0.
func (p protocolName) encode(picture []byte, width int) []byte {
	columns := width / cellPixels
	payload := base64.StdEncoding.EncodeToString(picture)
	var b bytes.Buffer
	if p == iTerm2Protocol {
		size := ""
		if columns > 0 {
			size = fmt.Sprintf("width=%d;", columns)
		}
		fmt.Fprintf(&b, "\x1b]1337;File=inline=1;%ssize=%d:%s\a\n", size, len(picture), payload)
		return b.Bytes()
	}
	control := "a=T,f=100,"
	if columns > 0 {
		control += fmt.Sprintf("c=%d,", columns)
	}
	for len(payload) > kittyChunk {
		fmt.Fprintf(&b, "\x1b_G%sm=1;%s\x1b\\", control, payload[:kittyChunk])
		payload, control = payload[kittyChunk:], ""
	}
	fmt.Fprintf(&b, "\x1b_G%sm=0;%s\x1b\\\n", control, payload)
	return b.Bytes()
}
