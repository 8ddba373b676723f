package command

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"eigenbook/nbkernel/notebook"
	"eigenbook/nbkernel/notebook/percent"
	"eigenbook/nbkernel/notebook/report"
)

var convertCommand = &command{
	name:  "convert",
	args:  "IN OUT",
	short: "turn a notebook into a Go file, a Go file into a notebook, either into HTML",
	long: `
The endings of the names say what IN and OUT are: .ipynb is a notebook, .go a Go file whose
cells stand below lines "// %%", .html a page that needs no other file and is only written.
OUT is replaced.

The Go file holds all of the notebook but outputs and execution counts, so a notebook made of
it has none: "nbkernel exec -inplace" puts them back. There and back again gives the same
bytes, both ways. Statements stand in func _() { … } and magics behind //gonb:, so that gofmt
and editors take the file for Go; both may also be left out when writing by hand.
"nbkernel run" runs the file cell by cell.`,
	flags: func(*flag.FlagSet) func(Streams, []string) int {
		return func(s Streams, args []string) int {
			if err := convert(args); err != nil {
				s.errorf("convert: %v", err)
				return ExitUsage
			}
			return ExitDone
		}
	},
}

func convert(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("want IN and OUT, not %d names", len(args))
	}
	in, out := args[0], args[1]
	from, to := strings.ToLower(filepath.Ext(in)), strings.ToLower(filepath.Ext(out))
	for _, name := range args {
		switch strings.ToLower(filepath.Ext(name)) {
		case ".ipynb", ".go", ".html":
		default:
			return fmt.Errorf("%s: the name ends in none of .ipynb, .go and .html", name)
		}
	}
	switch {
	case from == ".html":
		return fmt.Errorf("%s: a report cannot be read", in)
	case from == to:
		return fmt.Errorf("%s and %s both end in %s", in, out, to)
	}
	nb, err := readNotebook(in)
	if err != nil {
		return err
	}
	var data []byte
	switch to {
	case ".go":
		data, err = percent.Write(nb)
	case ".html":
		var b bytes.Buffer
		err = report.Write(&b, []report.Run{{Notebook: nb, Path: in}})
		data = b.Bytes()
	default:
		data, err = nb.Bytes()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return notebook.ReplaceFile(out, data)
}

// readNotebook reads a notebook in either form.
func readNotebook(name string) (*notebook.Notebook, error) {
	if strings.EqualFold(filepath.Ext(name), ".ipynb") {
		return notebook.ReadFile(name)
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > notebook.MaxSize {
		return nil, errors.Join(notebook.ErrTooLarge, fmt.Errorf("%s has more than %d MB", name, notebook.MaxSize>>20))
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	nb, err := percent.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return nb, nil
}
