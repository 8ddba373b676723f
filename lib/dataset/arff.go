package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// ARFFOptions says what to make of the attributes of an ARFF file. The zero value takes the attribute called
// class, or else the last one, as target.
type ARFFOptions struct {
	Target   string   // name of the target; nominal gives Labels, numeric gives Target
	NoTarget bool     // all attributes are columns of X
	Ignore   []string // attributes to leave out; string and date attributes must be
	Missing  Missing  // what to do about values "?"
}

// LoadARFF reads a file as [ReadARFF] does.
func LoadARFF(path string, opts ARFFOptions) (*Set, error) {
	return loadSet(path, func(r io.Reader) (*Set, error) { return ReadARFF(r, opts) })
}

// ReadARFF reads Weka's attribute-relation format, dense or sparse, compressed by gzip or not. Nominal attributes
// are categorical with the levels in their declared order, also those that do not occur. A value that a sparse
// row leaves out is 0, or the first level. The set is named after the relation.
// Errors wrap ErrFormat and name the line, ErrTooLarge (a line of more than 16 MB, more than 2²⁸ values), or
// ErrArgument for options that name no attribute.
func ReadARFF(r io.Reader, opts ARFFOptions) (*Set, error) {
	plain, err := uncompressed(r)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(plain)
	lines.Buffer(nil, longestLine)
	p := arffParser{opts: opts, target: -1}
	for lines.Scan() {
		p.line++
		text := lines.Text()
		if p.line == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		if err := p.parse(text); err != nil {
			return nil, fmt.Errorf("line %d: %w", p.line, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%w: line %d has more than %d bytes", ErrTooLarge, p.line+1, longestLine)
	case err != nil:
		return nil, fmt.Errorf("%w: after line %d: %w", ErrFormat, p.line, err)
	}
	return p.finish()
}

// An arffParser collects the columns of an ARFF file line by line.
type arffParser struct {
	opts     ARFFOptions
	line     int
	relation string
	columns  []*column
	skip     []bool // attributes to leave out
	byName   map[string]int
	target   int // −1 if there is none
	inData   bool
	cells    int
}

func (p *arffParser) parse(text string) error {
	text = strings.TrimSpace(text)
	if text == "" || text[0] == '%' {
		return nil
	}
	if p.inData {
		return p.row(text)
	}
	keyword, rest := text, ""
	if k := strings.IndexAny(text, " \t"); k >= 0 {
		keyword, rest = text[:k], strings.TrimSpace(text[k:])
	}
	switch strings.ToLower(keyword) {
	case "@relation":
		name, _, err := arffName(rest)
		p.relation = name
		return err
	case "@attribute":
		return p.attribute(rest)
	case "@data":
		return p.beginData()
	}
	return fmt.Errorf("%w: %q, want @relation, @attribute, @data or a comment", ErrFormat, clip(text))
}

// attribute reads the name and type of a declaration.
func (p *arffParser) attribute(declaration string) error {
	name, kind, err := arffName(declaration)
	if err != nil {
		return err
	}
	if first, ok := p.byName[name]; ok {
		return fmt.Errorf("%w: attributes %d and %d are both called %q", ErrFormat, first+1, len(p.columns)+1, name)
	}
	if p.byName == nil {
		p.byName = map[string]int{}
	}
	c := &column{name: name}
	skip := slices.Contains(p.opts.Ignore, name)
	word := strings.ToLower(cutComment(kind))
	switch {
	case strings.HasPrefix(kind, "{"):
		c.kind = text
		if err := c.declareLevels(kind); err != nil {
			return fmt.Errorf("attribute %q: %w", name, err)
		}
	case word == "numeric" || word == "real" || word == "integer":
		c.kind = numeric
	case !skip:
		return fmt.Errorf("%w: attribute %q has type %q, want numeric, real, integer or {levels}; others only among Ignore",
			ErrFormat, name, clip(kind))
	}
	p.byName[name] = len(p.columns)
	p.columns = append(p.columns, c)
	p.skip = append(p.skip, skip)
	return nil
}

// declareLevels reads {a, b, 'c d'}.
func (c *column) declareLevels(list string) error {
	tokens, rest, err := arffTokens(list[1:], '}', false)
	if err != nil {
		return err
	}
	if cutComment(rest) != "" {
		return fmt.Errorf("%w: %q after the list of levels", ErrFormat, clip(rest))
	}
	c.index = map[string]int{}
	for _, t := range tokens {
		if _, ok := c.index[t.text]; ok {
			return fmt.Errorf("%w: level %q is declared twice", ErrFormat, t.text)
		}
		c.index[t.text] = len(c.levels)
		c.levels = append(c.levels, t.text)
	}
	if len(c.levels) == 0 {
		return fmt.Errorf("%w: there are no levels between { and }", ErrFormat)
	}
	return nil
}

// beginData resolves the options against the attributes.
func (p *arffParser) beginData() error {
	p.inData = true
	if len(p.columns) == 0 {
		return fmt.Errorf("%w: @data before any @attribute", ErrFormat)
	}
	for _, name := range p.opts.Ignore {
		if _, ok := p.byName[name]; !ok {
			return fmt.Errorf("%w: Ignore has %q, which is no attribute", ErrArgument, name)
		}
	}
	if p.opts.NoTarget {
		return nil
	}
	if p.opts.Target != "" {
		k, ok := p.byName[p.opts.Target]
		if !ok || p.skip[k] {
			return fmt.Errorf("%w: Target is %q, which is no attribute or is among Ignore", ErrArgument, p.opts.Target)
		}
		p.target = k
		return nil
	}
	for k, c := range p.columns {
		switch {
		case p.skip[k]:
		case strings.EqualFold(c.name, "class"):
			p.target = k
			return nil
		default:
			p.target = k // the last one so far
		}
	}
	return nil
}

// row reads one line of data.
func (p *arffParser) row(text string) error {
	if p.cells += len(p.columns); p.cells > maxValues {
		return fmt.Errorf("%w: more than %d values", ErrTooLarge, maxValues)
	}
	if text[0] == '{' {
		return p.sparse(text[1:])
	}
	tokens, _, err := arffTokens(text, 0, false)
	if err != nil {
		return err
	}
	if len(tokens) != len(p.columns) {
		return fmt.Errorf("%w: %d values for %d attributes", ErrFormat, len(tokens), len(p.columns))
	}
	for j, t := range tokens {
		if err := p.value(j, t); err != nil {
			return err
		}
	}
	return nil
}

// sparse reads {index value, index value}, indices from 0 and ascending.
func (p *arffParser) sparse(text string) error {
	pairs, rest, err := arffTokens(text, '}', true)
	if err != nil {
		return err
	}
	if cutComment(rest) != "" {
		return fmt.Errorf("%w: %q after a sparse row", ErrFormat, clip(rest))
	}
	next := 0
	fill := func(until int) {
		for ; next < until; next++ {
			if !p.skip[next] {
				p.columns[next].addNumber(0)
			}
		}
	}
	for _, t := range pairs {
		j, err := strconv.Atoi(t.index)
		if err != nil || j < next || j >= len(p.columns) {
			return fmt.Errorf("%w: sparse index %q, want %d to %d in ascending order", ErrFormat, clip(t.index), next, len(p.columns)-1)
		}
		fill(j)
		if err := p.value(j, t); err != nil {
			return err
		}
		next = j + 1
	}
	fill(len(p.columns))
	return nil
}

// value appends a value to attribute j.
func (p *arffParser) value(j int, t arffToken) error {
	c := p.columns[j]
	if p.skip[j] {
		return nil
	}
	place := func() string { return fmt.Sprintf("attribute %d (%s)", j+1, c.name) }
	if t.text == "?" && !t.quoted {
		c.addMissing(fmt.Sprintf("line %d, %s", p.line, place()))
		return nil
	}
	if c.kind == text {
		k, ok := c.index[t.text]
		if !ok {
			return fmt.Errorf("%w: %s: %q is none of its %d levels", ErrFormat, place(), clip(t.text), len(c.levels))
		}
		c.addNumber(float64(k))
		return nil
	}
	v, isNumber, err := parseNumber(t.text)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrFormat, place(), err)
	}
	if !isNumber {
		return fmt.Errorf("%w: %s: %q is not a number", ErrFormat, place(), clip(t.text))
	}
	c.addNumber(v)
	return nil
}

func (p *arffParser) finish() (*Set, error) {
	if !p.inData {
		return nil, fmt.Errorf("%w: the input ends at line %d without @data", ErrFormat, p.line)
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
		columns = append(columns, c)
	}
	s, err := assemble(columns, target, p.opts.Missing)
	if err != nil {
		return nil, err
	}
	s.Name = p.relation
	return s, nil
}
