package interp

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"eigenbook/nbkernel/symbols"
)

var importLine = regexp.MustCompile(`^\s*(?:import\s+)?(?:[\pL_.][\pL\pN_]*\s+)?"$`)

// completeText completes what stands in quotes at cursor: an import path or the name of a file.
// ok is false if nothing does.
func completeText(code string, cursor int) (c Completion, ok bool) {
	line := code[strings.LastIndexByte(code[:cursor], '\n')+1 : cursor]
	quote := -1
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && quote >= 0:
			i++
		case line[i] == '"' && quote >= 0:
			quote = -1
		case line[i] == '"':
			quote = i
		case strings.HasPrefix(line[i:], "//") && quote < 0:
			return c, false
		}
	}
	if quote < 0 {
		return c, false
	}
	text := line[quote+1:]
	c = Completion{Start: cursor - len(text), End: cursor}
	add := func(name, kind string) {
		c.Matches, c.Kinds, c.Signatures = append(c.Matches, name), append(c.Kinds, kind), append(c.Signatures, "")
	}
	if importLine.MatchString(line[:quote+1]) && (strings.Contains(line, "import") || openImport(code[:cursor])) {
		for _, path := range symbols.Paths() {
			if strings.HasPrefix(path, text) {
				add(path, "package")
			}
		}
		return c, true
	}
	folder, name := filepath.Split(text)
	entries, err := os.ReadDir(filepath.Join(".", folder))
	if filepath.IsAbs(folder) {
		entries, err = os.ReadDir(folder)
	}
	if err != nil {
		return c, true
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), name) || name == "" && strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if e.IsDir() {
			add(folder+e.Name()+"/", "folder")
		} else {
			add(folder+e.Name(), "file")
		}
	}
	return c, true
}

// openImport reports whether code ends in the parentheses of an import declaration.
func openImport(code string) bool {
	at := strings.LastIndex(code, "import (")
	return at >= 0 && !strings.Contains(code[at:], ")")
}
