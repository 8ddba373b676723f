package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Missing says what happens to missing values.
type Missing int

const (
	MissingError   Missing = iota // an error that names the first one
	MissingDropRow                // rows with a missing value are left out
	MissingMedian                 // the column's median, or the most frequent level
	MissingNaN                    // NaN in X; a fit will refuse it, so the caller deals with it
)

// A column collects the cells of one attribute: numbers, or indices of levels, NaN where missing.
type column struct {
	name    string
	kind    columnKind
	values  []float64
	levels  []string
	index   map[string]int
	missing string // place of the first missing cell
}

type columnKind int

const (
	undecided columnKind = iota // only missing cells so far
	numeric
	text
)

// addMissing appends a missing cell.
func (c *column) addMissing(place string) {
	if c.missing == "" {
		c.missing = place
	}
	c.values = append(c.values, math.NaN())
}

// addNumber appends a cell that is a number.
func (c *column) addNumber(v float64) { c.values = append(c.values, v) }

// addLevel appends a cell that is a level. It returns the bytes that a level not seen before takes.
func (c *column) addLevel(level string) (added int) {
	k, ok := c.index[level]
	if !ok {
		if c.index == nil {
			c.index = map[string]int{}
		}
		level = strings.Clone(level)
		added = len(level)
		k = len(c.levels)
		c.levels = append(c.levels, level)
		c.index[level] = k
	}
	c.values = append(c.values, float64(k))
	return added
}

// sortLevels puts the levels into ascending order, as numbers if all are numbers. Levels listed
// in first come first.
func (c *column) sortLevels(first []string) {
	sorted := slices.Clone(c.levels)
	numbers := map[string]float64{}
	for _, l := range sorted {
		if v, err := strconv.ParseFloat(l, 64); err == nil && !math.IsNaN(v) {
			numbers[l] = v
		}
	}
	rank := func(l string) int {
		if k := slices.Index(first, l); k >= 0 {
			return k
		}
		return len(first)
	}
	slices.SortFunc(sorted, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		if len(numbers) == len(sorted) && numbers[a] != numbers[b] {
			if numbers[a] < numbers[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	recode := make([]float64, len(sorted))
	for k, l := range sorted {
		recode[c.index[l]] = float64(k)
		c.index[l] = k
	}
	c.levels = sorted
	for i, v := range c.values {
		if v == v {
			c.values[i] = recode[int(v)]
		}
	}
}

// parseNumber reads a finite number.
func parseNumber(cell string) (v float64, isNumber bool, err error) {
	v, err = strconv.ParseFloat(cell, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, true, fmt.Errorf("%q is outside the range of float64", cell)
	case err != nil:
		return 0, false, nil
	case math.IsInf(v, 0) || math.IsNaN(v):
		return 0, true, fmt.Errorf("%q is not finite", cell)
	}
	return v, true, nil
}

// assemble makes a Set of columns of equal length. target is the index of the target column or −1.
func assemble(columns []*column, target int, missing Missing) (*Set, error) {
	if err := settleMissing(columns, target, missing); err != nil {
		return nil, err
	}
	s := &Set{}
	if target >= 0 {
		c := columns[target]
		s.TargetName = c.name
		if c.kind == text {
			s.ClassNames = c.levels
			s.Labels = make([]int, len(c.values))
			for i, v := range c.values {
				s.Labels[i] = int(v)
			}
		} else {
			s.Target = c.values
		}
		columns = slices.Delete(slices.Clone(columns), target, target+1)
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("%w: there is no attribute besides the target", ErrFormat)
	}
	n, d := len(columns[0].values), len(columns)
	if n == 0 {
		return nil, fmt.Errorf("%w: there are no rows", ErrFormat)
	}
	s.X = mat.NewDense(n, d, nil)
	for j, c := range columns {
		s.FeatureNames = append(s.FeatureNames, c.name)
		if c.kind == text {
			if s.Categories == nil {
				s.Categories = make([][]string, d)
			}
			s.Categories[j] = c.levels
		}
		s.X.SetCol(j, c.values)
	}
	return s, nil
}

// settleMissing applies the policy to all columns.
func settleMissing(columns []*column, target int, missing Missing) error {
	for j, c := range columns {
		if c.missing == "" {
			continue
		}
		if missing == MissingError || (j == target && missing != MissingDropRow) {
			return fmt.Errorf("%w: %s: the value of %q is missing", ErrFormat, c.missing, c.name)
		}
	}
	switch missing {
	case MissingDropRow:
		dropMissing(columns)
	case MissingMedian:
		for _, c := range columns {
			if c.missing == "" {
				continue
			}
			fill, ok := c.middle()
			if !ok {
				return fmt.Errorf("%w: all values of %q are missing, so there is no median", ErrFormat, c.name)
			}
			for i, v := range c.values {
				if v != v {
					c.values[i] = fill
				}
			}
		}
	}
	return nil
}

// dropMissing removes the rows that have a missing value in any column.
func dropMissing(columns []*column) {
	if len(columns) == 0 {
		return
	}
	kept := 0
	for i := range columns[0].values {
		if slices.ContainsFunc(columns, func(c *column) bool { return c.values[i] != c.values[i] }) {
			continue
		}
		for _, c := range columns {
			c.values[kept] = c.values[i]
		}
		kept++
	}
	for _, c := range columns {
		c.values = c.values[:kept]
	}
}

// middle returns the median of the values that are present, or the most frequent level.
func (c *column) middle() (v float64, ok bool) {
	present := slices.DeleteFunc(slices.Clone(c.values), func(v float64) bool { return v != v })
	if len(present) == 0 {
		return 0, false
	}
	if c.kind == text {
		counts := make([]int, len(c.levels))
		for _, v := range present {
			counts[int(v)]++
		}
		return float64(slices.Index(counts, slices.Max(counts))), true
	}
	slices.Sort(present)
	k := len(present) / 2
	if len(present)%2 == 1 {
		return present[k], true
	}
	return present[k-1]/2 + present[k]/2, true
}
