package symbols

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"sync"
)

// A Documentation is what the source of a package says of a name.
type Documentation struct {
	Params string // names of parameters and results, with blanks between and - for one without a name
	Text   string // first paragraph
}

// docs.gz has a line for each name of our library and of gonum: path, name, parameters and
// first paragraph, with tabs between. It is written by ./generate.
//
//go:embed docs.gz
var compressed []byte

var docs = sync.OnceValue(func() map[string]Documentation {
	all := map[string]Documentation{}
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return all
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return all
	}
	for line := range strings.Lines(string(text)) {
		if part := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 4); len(part) == 4 {
			all[part[0]+"."+part[1]] = Documentation{part[2], part[3]}
		}
	}
	return all
})

// Doc returns what is known of a name of a package, of a method as Type.Method, or of the
// package itself for the name "". The table is read when it is first asked for.
func Doc(path, name string) Documentation { return docs()[path+"."+name] }

// Fill joins lines of text to one.
func Fill(lines []string) string { return strings.Join(lines, " ") }
