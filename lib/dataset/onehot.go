package dataset

import (
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// categorical returns the number of categorical attributes.
func (s *Set) categorical() int {
	c := 0
	for _, levels := range s.Categories {
		if levels != nil {
			c++
		}
	}
	return c
}

// levels returns the levels of attribute j, nil if it is numeric.
func (s *Set) levels(j int) []string {
	if j < len(s.Categories) {
		return s.Categories[j]
	}
	return nil
}

// feature returns the name of attribute j, also in a set made by hand without names.
func (s *Set) feature(j int) string {
	if j < len(s.FeatureNames) {
		return s.FeatureNames[j]
	}
	return fmt.Sprintf("V%d", j+1)
}

// OneHot returns the set with each categorical attribute replaced, in place, by one 0/1 column per level,
// named "attribute=level". Numeric attributes stay. A missing level (NaN in X) gives a row of
// zeros. Without categorical attributes the result is a copy. The error wraps ErrTooLarge beyond 2²⁸ values, as of
// an attribute that is a name for each row, and ErrArgument if the parts of s do not fit together.
func (s *Set) OneHot() (*Set, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if s.categorical() == 0 {
		return s.Clone(), nil
	}
	head := *s
	head.X, head.Categories, head.FeatureNames = nil, nil, nil
	out := head.Clone()
	n, d := s.Dims()
	first := make([]int, d) // first new column of each attribute
	width := 0
	for j := range d {
		first[j] = width
		levels := s.levels(j)
		if levels == nil {
			out.FeatureNames = append(out.FeatureNames, s.feature(j))
			width++
			continue
		}
		if n > 0 && width+len(levels) > maxValues/n {
			return nil, fmt.Errorf("%w: a column for each of the %d levels of attribute %q makes more than %d values in %d rows",
				ErrTooLarge, len(levels), s.feature(j), maxValues, n)
		}
		for _, level := range levels {
			out.FeatureNames = append(out.FeatureNames, s.feature(j)+"="+level)
		}
		width += len(levels)
	}
	if err := checkSize(n, width); err != nil {
		return nil, err
	}
	out.X = mat.NewDense(n, width, nil)
	for i := range n {
		row := out.X.RawRowView(i)
		for j, v := range s.X.RawRowView(i) {
			levels := s.levels(j)
			if levels == nil {
				row[first[j]] = v
			} else if v >= 0 && v < float64(len(levels)) {
				row[first[j]+int(v)] = 1
			}
		}
	}
	return out, nil
}

// AsCategorical returns the set with the named numeric attributes turned into categorical ones, whose
// levels are the distinct values, ascending. Attributes that are categorical already stay so. The
// error wraps ErrArgument for a name that does not occur or a set without rows, and ErrNotFinite for a NaN in the column.
func (s *Set) AsCategorical(names ...string) (*Set, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	out := s.Clone()
	n, d := s.Dims()
	if n == 0 {
		return nil, fmt.Errorf("%w: set %q has no rows", ErrArgument, s.Name)
	}
	out.Categories = append(out.Categories, make([][]string, d-len(out.Categories))...)
	for _, name := range names {
		j := slices.Index(s.FeatureNames, name)
		if j < 0 {
			return nil, fmt.Errorf("%w: %s has no attribute %q, want one of %q", ErrArgument, s.Name, name, s.FeatureNames)
		}
		if out.Categories[j] != nil {
			continue
		}
		values := mat.Col(nil, j, out.X)
		slices.Sort(values)
		values = slices.Compact(values)
		if values[0] != values[0] {
			return nil, fmt.Errorf("%w: attribute %q of %s has a NaN", ErrNotFinite, name, s.Name)
		}
		for i := range n {
			k, _ := slices.BinarySearch(values, out.X.At(i, j))
			out.X.Set(i, j, float64(k))
		}
		for _, v := range values {
			out.Categories[j] = append(out.Categories[j], strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	return out, nil
}
