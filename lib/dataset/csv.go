package dataset

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Header says whether the first line of a CSV file has the names of the columns.
type Header int

const (
	HeaderAuto   Header = iota // it has when no cell of it is a number
	HeaderFirst                // it has
	HeaderAbsent               // it has not; columns are called V1, V2, …
)

// CSVOptions says how to read delimited text. The zero value reads a comma-separated table without target.
type CSVOptions struct {
	Comma   rune   // delimiter; 0 means ','
	Comment rune   // lines that begin with it are skipped; 0 means none
	Header  Header // names of columns

	// Target names the column that becomes Labels or Target. "last" is the last column, unless a
	// column has this name. Empty means that there is none.
	Target string
	// Regression makes the target numbers (Set.Target); otherwise its values are classes (Set.Labels).
	Regression bool
	// Classes are the class names in the order of their labels. Empty means ascending order.
	Classes []string

	// Categorical names columns that are categorical although their cells are numbers. A
	// column is categorical anyway if none of its cells is a number; a mixture is an error.
	Categorical []string
	Ignore      []string // columns to leave out, such as row numbers

	Missing      Missing  // what to do about missing values
	MissingCells []string // cells that mean missing; nil means "", "?", "NA" and "NaN"
}

// LoadCSV reads a file as [ReadCSV] does. The set is named after the file.
func LoadCSV(path string, opts CSVOptions) (*Set, error) {
	return loadSet(path, func(r io.Reader) (*Set, error) { return ReadCSV(r, opts) })
}

// ReadCSV reads delimited text as in RFC 4180, compressed by gzip or not, one observation per line. All
// lines must have the same number of cells; space around cells is dropped. Errors wrap ErrFormat and
// name line, column and value, wrap ErrTooLarge (a record of more than 16 MB, more than 2²⁸ values), or wrap
// ErrArgument for options that name no column.
func ReadCSV(r io.Reader, opts CSVOptions) (*Set, error) {
	plain, err := uncompressed(r)
	if err != nil {
		return nil, err
	}
	if bom, err := plain.Peek(3); err == nil && string(bom) == "\ufeff" {
		plain.Discard(3)
	}
	source := &recordReader{r: plain}
	cr := csv.NewReader(source)
	if opts.Comma != 0 {
		cr.Comma = opts.Comma
	}
	cr.Comment = opts.Comment
	cr.FieldsPerRecord = -1
	cr.ReuseRecord = true
	p := csvParser{opts: opts, target: -1}
	if p.opts.MissingCells == nil {
		p.opts.MissingCells = []string{"", "?", "NA", "NaN"}
	}
	line := 0
	for {
		source.left = longestLine
		record, err := cr.Read()
		switch {
		case errors.Is(err, io.EOF):
			return p.finish()
		case errors.Is(err, errLongRecord):
			return nil, fmt.Errorf("%w: the record after line %d has more than %d bytes", ErrTooLarge, line, longestLine)
		case err != nil:
			return nil, fmt.Errorf("%w: %w", ErrFormat, err)
		}
		line, _ = cr.FieldPos(0)
		if err := p.add(line, record); err != nil {
			return nil, err
		}
	}
}

// longestLine bounds a line of text, or a CSV record with line ends in its quotes.
const longestLine = 16 << 20

var errLongRecord = errors.New("long record")

// A recordReader fails when more than left bytes are read; left is set anew for each record.
type recordReader struct {
	r    io.Reader
	left int
}

func (r *recordReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errLongRecord
	}
	n, err := r.r.Read(p)
	r.left -= n
	return n, err
}

// A csvParser sorts the cells of records into columns.
type csvParser struct {
	opts    CSVOptions
	columns []*column
	skip    []bool // columns to leave out
	target  int
	cells   int
	text    int // bytes of levels
}

// maxText bounds the bytes of all levels of a table.
const maxText = 1 << 30

func (p *csvParser) add(line int, record []string) error {
	for k := range record {
		record[k] = strings.TrimSpace(record[k])
	}
	if p.columns == nil {
		isHeader := p.isHeader(record)
		if err := p.name(line, record, isHeader); err != nil || isHeader {
			return err
		}
	}
	if len(record) != len(p.columns) {
		return fmt.Errorf("%w: line %d has %d cells, want %d as in the first line", ErrFormat, line, len(record), len(p.columns))
	}
	if p.cells += len(record); p.cells > maxValues {
		return fmt.Errorf("%w: line %d: more than %d cells", ErrTooLarge, line, maxValues)
	}
	if p.text > maxText {
		return fmt.Errorf("%w: line %d: more than %d bytes in different words", ErrTooLarge, line, maxText)
	}
	for j, cell := range record {
		if p.skip[j] {
			continue
		}
		if err := p.addCell(p.columns[j], j, line, cell); err != nil {
			return err
		}
	}
	return nil
}

// isHeader applies opts.Header to the first record.
func (p *csvParser) isHeader(record []string) bool {
	if p.opts.Header != HeaderAuto {
		return p.opts.Header == HeaderFirst
	}
	return !slices.ContainsFunc(record, func(cell string) bool {
		_, isNumber, _ := parseNumber(cell)
		return isNumber || cell == "?"
	})
}

// name creates the columns and resolves the names in the options.
func (p *csvParser) name(line int, record []string, isHeader bool) error {
	p.skip = make([]bool, len(record))
	seen := map[string]int{}
	for k, cell := range record {
		name := fmt.Sprintf("V%d", k+1)
		if isHeader && cell != "" {
			name = cell
		}
		if first, ok := seen[name]; ok {
			return fmt.Errorf("%w: line %d: columns %d and %d are both called %q", ErrFormat, line, first+1, k+1, name)
		}
		seen[name] = k
		p.columns = append(p.columns, &column{name: strings.Clone(name)})
	}
	find := func(option, name string) (int, error) {
		k, ok := seen[name]
		if !ok {
			return 0, fmt.Errorf("%w: %s is %q, which is no column; columns are %s", ErrArgument, option, name, p.names())
		}
		return k, nil
	}
	for _, name := range p.opts.Ignore {
		k, err := find("Ignore", name)
		if err != nil {
			return err
		}
		p.skip[k] = true
	}
	for _, name := range p.opts.Categorical {
		k, err := find("Categorical", name)
		if err != nil {
			return err
		}
		p.columns[k].kind = text
	}
	if p.opts.Target == "" {
		return nil
	}
	k, err := find("Target", p.opts.Target)
	if err != nil && p.opts.Target == "last" {
		k, err = len(record)-1, nil
	}
	if err != nil {
		return err
	}
	if p.skip[k] {
		return fmt.Errorf("%w: Target %q is among Ignore", ErrArgument, p.opts.Target)
	}
	p.target = k
	p.columns[k].kind = text
	if p.opts.Regression {
		p.columns[k].kind = numeric
	}
	return nil
}

// names lists the columns for a message.
func (p *csvParser) names() string {
	var names []string
	for k, c := range p.columns {
		if k == 12 {
			names = append(names, "…")
			break
		}
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

func (p *csvParser) addCell(c *column, j, line int, cell string) error {
	place := func() string { return fmt.Sprintf("line %d, column %d (%s)", line, j+1, c.name) }
	if slices.Contains(p.opts.MissingCells, cell) {
		c.addMissing(place())
		return nil
	}
	declared := j == p.target || slices.Contains(p.opts.Categorical, c.name)
	if c.kind == text && declared {
		p.text += c.addLevel(cell)
		return nil
	}
	v, isNumber, err := parseNumber(cell)
	if err != nil && c.kind != text {
		return fmt.Errorf("%w: %s: %w", ErrFormat, place(), err)
	}
	kind := text
	if isNumber {
		kind = numeric
	}
	if c.kind == undecided {
		c.kind = kind
	}
	switch {
	case c.kind != kind && isNumber:
		return fmt.Errorf("%w: %s: %q is a number where earlier cells are not; name the column in Categorical if it is categorical", ErrFormat, place(), cell)
	case c.kind != kind:
		return fmt.Errorf("%w: %s: %q is not a number", ErrFormat, place(), cell)
	case isNumber:
		c.addNumber(v)
	default:
		p.text += c.addLevel(cell)
	}
	return nil
}

// finish orders the levels and builds the set.
func (p *csvParser) finish() (*Set, error) {
	if p.columns == nil {
		return nil, fmt.Errorf("%w: the input is empty", ErrFormat)
	}
	var columns []*column
	target := -1
	for j, c := range p.columns {
		if p.skip[j] {
			continue
		}
		if j == p.target {
			target = len(columns)
		}
		if c.kind == text {
			var first []string
			if j == p.target {
				first = p.opts.Classes
			}
			c.sortLevels(first)
		}
		columns = append(columns, c)
	}
	return assemble(columns, target, p.opts.Missing)
}

// uncompressed returns a reader of r's content, through gzip if it begins like gzip.
func uncompressed(r io.Reader) (*bufio.Reader, error) {
	br := bufio.NewReaderSize(r, 1<<16)
	if magic, err := br.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return br, nil // too short for gzip, or plain; a read error comes again when it is read
	}
	zr, err := gzip.NewReader(br)
	if err != nil {
		return nil, fmt.Errorf("%w: gzip: %w", ErrFormat, err)
	}
	return bufio.NewReaderSize(zr, 1<<16), nil
}

// loadSet opens a file, reads a set from it, names the set after it, and names it in errors.
func loadSet(path string, read func(io.Reader) (*Set, error)) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	defer f.Close()
	s, err := read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.Name, _, _ = strings.Cut(filepath.Base(path), ".")
	s.Source = path
	return s, nil
}
