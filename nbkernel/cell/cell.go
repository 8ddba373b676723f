// Package cell reads the source of a notebook cell: its magics, which are no Go, and the Go
// that remains. Positions in the Go are positions in the cell, because a magic is replaced by
// blanks.
//
// A line whose first character is % or ! is a magic, unless it stands inside a raw string or a
// comment, or what comes before it wants the operand !x; `//gonb:` may stand before it, so that a notebook kept as a Go file still compiles.
// `%time STATEMENT` and `%timeit STATEMENT` leave Go in their place, which runs when its turn
// comes. A backslash at its end joins the next line. `%%bash`, `%%sh`, `%%script` and `%%writefile` on
// the first line take the whole cell as their text. A line `%%` or `%main` says that what
// follows are statements, which here may stand anywhere.
package cell

import "strings"

// A Magic is a line that starts with % or !.
type Magic struct {
	Line int    // 1-based
	Name string // "%env", "%%bash", "!" or "!*"
	Args string // the rest of the line
}

// A Cell is a cell taken apart.
type Cell struct {
	Magics []Magic
	Body   string   // the text below a magic that takes the whole cell; Go is then empty
	Whole  bool     // the first magic takes the whole cell
	Go     string   // the cell with its magics blanked
	Main   bool     // there is a line %% or %main
	MainAt int      // where in Go that line begins
	Args   []string // arguments of %% or %main
}

var wholeCell = map[string]bool{"%%bash": true, "%%sh": true, "%%script": true, "%%writefile": true}

// WholeCell reports whether a magic takes the whole cell when it stands on the first line.
func WholeCell(name string) bool { return wholeCell[name] }

// Parse takes a cell apart. It does not look at the Go.
func Parse(source string) Cell {
	var c Cell
	lines := strings.SplitAfter(source, "\n")
	first := strings.TrimRight(lines[0], " \t\r\n")
	if name, args, _ := strings.Cut(first, " "); WholeCell(name) {
		return Cell{Magics: []Magic{{1, name, strings.TrimSpace(args)}}, Whole: true, Body: strings.Join(lines[1:], "")}
	}
	var text strings.Builder
	var state lexer
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if !state.inside() && isMagic(line) && !(line[0] == '!' && wantsOperand(text.String())) {
			number := i + 1
			joined := strings.TrimPrefix(strings.TrimRight(line, "\r\n"), prefix)
			blanks := blank(line)
			for strings.HasSuffix(joined, "\\") && i+1 < len(lines) {
				i++
				joined = strings.TrimSuffix(joined, "\\") + " " + strings.TrimRight(lines[i], "\r\n")
				blanks += blank(lines[i])
			}
			c.add(number, text.Len(), joined)
			text.WriteString(timed(joined) + blanks)
			continue
		}
		state.scan(line)
		text.WriteString(line)
	}
	c.Go = text.String()
	return c
}

const prefix = "//gonb:"

func isMagic(line string) bool {
	line = strings.TrimRight(strings.TrimPrefix(line, prefix), " \t\r\n")
	return len(line) > 1 && (line[0] == '%' || line[0] == '!')
}

func (c *Cell) add(line, at int, text string) {
	text = strings.TrimSpace(text)
	if text[0] == '!' {
		name, rest := "!", text[1:]
		if strings.HasPrefix(rest, "*") {
			name, rest = "!*", rest[1:]
		}
		c.Magics = append(c.Magics, Magic{line, name, strings.TrimSpace(rest)})
		return
	}
	name, args, _ := strings.Cut(text, " ")
	args = strings.TrimSpace(args)
	if name == "%%" || name == "%main" {
		c.Main, c.MainAt, c.Args = true, at, Fields(args)
		return
	}
	c.Magics = append(c.Magics, Magic{line, name, args})
}

// blank replaces everything but the line end by blanks.
func blank(line string) string {
	end := strings.TrimRight(line, "\r\n")
	return strings.Repeat(" ", len(end)) + line[len(end):]
}

// Fields splits arguments at blanks; double quotes group, with \n, \t, \" and \\ inside.
func Fields(args string) []string {
	var list []string
	var word strings.Builder
	quoted, started := false, false
	for i := 0; i < len(args); i++ {
		switch ch := args[i]; {
		case ch == '"':
			quoted, started = !quoted, true
		case quoted && ch == '\\' && i+1 < len(args):
			i++
			switch args[i] {
			case 'n':
				word.WriteByte('\n')
			case 't':
				word.WriteByte('\t')
			default:
				word.WriteByte(args[i])
			}
		case !quoted && (ch == ' ' || ch == '\t'):
			if started {
				list = append(list, word.String())
				word.Reset()
				started = false
			}
		default:
			word.WriteByte(ch)
			started = true
		}
	}
	if started {
		list = append(list, word.String())
	}
	return list
}

// A lexer knows, from line to line, whether a raw string or a comment is open.
type lexer struct {
	raw, comment bool
}

func (l *lexer) inside() bool { return l.raw || l.comment }

func (l *lexer) scan(line string) {
	for i := 0; i < len(line); i++ {
		rest := line[i:]
		switch {
		case l.raw:
			l.raw = line[i] != '`'
		case l.comment:
			if strings.HasPrefix(rest, "*/") {
				l.comment = false
				i++
			}
		case strings.HasPrefix(rest, "//"):
			return
		case strings.HasPrefix(rest, "/*"):
			l.comment = true
			i++
		case line[i] == '`':
			l.raw = true
		case line[i] == '"' || line[i] == '\'':
			i += quoted(rest) - 1
		}
	}
}

// quoted returns the length of the string or rune literal that s begins with, up to the end of
// the line if it is not closed.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(s)
}
