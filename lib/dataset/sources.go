package dataset

import (
	"crypto/sha256"
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Source is one line of the table of sets that [Load] knows.
type Source struct {
	Name     string
	Rows     int
	Features int // attributes, or pixels
	OneHot   int // columns after OneHot; equal to Features if all are numeric

	Embedded bool     // in the binary or computed: needs no file
	Bytes    int64    // size of the embedded data file or of all Files, compressed; 0 if computed
	SHA256   string   // of the embedded data file or of Files[0]
	Files    []string // paths in $EIGENBOOK_DATA that Load reads, in this order; see Fetch

	Source, Licence string
}

// Sources returns the table of all sets by name, those in the binary first.
func Sources() []Source {
	out := slices.Clone(sources())
	for k := range out {
		out[k].Files = slices.Clone(out[k].Files)
	}
	return out
}

// SourceTable returns Sources as aligned text: name, size, where the data are, licence and source.
func SourceTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-36s %6s %6s %6s  %-9s %9s  %-12s  %s\n",
		"name", "rows", "cols", "onehot", "where", "bytes", "sha256", "licence; source")
	for _, s := range sources() {
		where := "file"
		if s.Embedded {
			where = "binary"
		}
		sum := s.SHA256
		if len(sum) > 12 {
			sum = sum[:12]
		}
		fmt.Fprintf(&b, "%-36s %6d %6d %6d  %-9s %9d  %-12s  %s; %s\n",
			s.Name, s.Rows, s.Features, s.OneHot, where, s.Bytes, sum, s.Licence, s.Source)
	}
	return b.String()
}

// sourceOf finds a set by name.
func sourceOf(name string) (Source, bool) {
	k := slices.IndexFunc(sources(), func(s Source) bool { return s.Name == name })
	if k < 0 {
		return Source{}, false
	}
	return sources()[k], true
}

// sources joins the table of recipes with that of files.
var sources = sync.OnceValue(func() []Source {
	var out []Source
	for _, r := range recipes {
		s := Source{Name: r.name, Rows: r.rows, Features: r.features, OneHot: r.oneHot,
			Embedded: r.embedded(), Source: r.source, Licence: r.licence}
		if s.OneHot == 0 {
			s.OneHot = s.Features
		}
		if r.file != "" {
			s.Bytes, s.SHA256 = embeddedFile(r.file)
		}
		if !s.Embedded {
			s.Files = r.files()
			for k, path := range s.Files {
				f := files()[path]
				s.Bytes += f.MaxBytes
				if k == 0 {
					s.SHA256, s.Source, s.Licence = f.SHA256, f.Source, f.Licence
				}
			}
		}
		out = append(out, s)
	}
	return out
})

// embeddedFile returns the size and the SHA-256 of a file in the binary.
func embeddedFile(name string) (size int64, sum string) {
	content, err := embedded.ReadFile("data/" + name)
	if err != nil {
		return 0, ""
	}
	return int64(len(content)), fmt.Sprintf("%x", sha256.Sum256(content))
}

//go:embed files.csv
var filesCSV string

// files is the table of all files that Fetch knows, by path.
var files = sync.OnceValue(func() map[string]File {
	records, err := csv.NewReader(strings.NewReader(filesCSV)).ReadAll()
	if err != nil {
		panic(fmt.Errorf("dataset: files.csv: %w", err))
	}
	table := map[string]File{}
	for _, r := range records[1:] {
		size, err := strconv.ParseInt(r[1], 10, 64)
		if err != nil {
			panic(fmt.Errorf("dataset: files.csv: %w", err))
		}
		table[r[0]] = File{Path: r[0], MaxBytes: size, SHA256: r[2], URL: r[3], Source: r[4], Licence: r[5]}
	}
	return table
})
