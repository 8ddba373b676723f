package interp

import (
	"context"
	"os/exec"
	"strings"
	"sync"
	"time"

	"eigenbook/nbkernel/symbols"
)

// goDocLimit is how long go doc may take: an inspection is no use when it comes late.
const goDocLimit = 2 * time.Second

var goDocs sync.Map // path and name → text

// goDoc returns the first paragraph that go doc says of a name of the standard library, "" if Go
// is not installed.
func goDoc(path, name string) string {
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") || first == "eigenbook" {
		return ""
	}
	query := path
	if name != "" {
		query += "." + name
	}
	if text, ok := goDocs.Load(query); ok {
		return text.(string)
	}
	command, err := exec.LookPath("go")
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), goDocLimit)
	defer cancel()
	out, err := exec.CommandContext(ctx, command, "doc", query).Output()
	text := ""
	if err == nil {
		text = indented(string(out), name == "")
	}
	goDocs.Store(query, text)
	return text
}

// indented returns the first paragraph of documentation in what go doc writes: it is indented
// behind declarations, and follows the package clause of a package.
func indented(out string, pkg bool) string {
	var text []string
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, "\n")
		doc := strings.HasPrefix(line, "    ") || pkg && line != "" && !strings.HasPrefix(line, "package ")
		switch {
		case doc:
			text = append(text, strings.TrimSpace(line))
		case len(text) > 0:
			return symbols.Fill(text)
		}
	}
	return symbols.Fill(text)
}
