package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// A Set is a data matrix and what is known about it. Fields that do not apply are nil or zero.
type Set struct {
	Name string
	X    *mat.Dense // n×d, one observation per row

	Labels     []int    // class of each row, an index into ClassNames
	ClassNames []string // names of the classes
	Target     []float64
	TargetName string // what Labels or Target stand for

	FeatureNames []string // length d
	// Categories[j] holds the levels of the categorical attribute j, whose column of X has level indices;
	// it is nil for a numeric attribute. Categories is nil when all are numeric.
	Categories [][]string

	ImageHeight, ImageWidth int // rows of X are images of this size in raster order

	Source, Licence string
}

// Dims returns the number of observations n and of columns d.
func (s *Set) Dims() (n, d int) {
	if s.X == nil {
		return 0, 0
	}
	return s.X.Dims()
}

// String returns one line: name, size, and classes with their counts or the target's name.
func (s *Set) String() string {
	n, d := s.Dims()
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d×%d", s.Name, n, d)
	if s.ImageHeight > 0 {
		fmt.Fprintf(&b, ", images %d×%d", s.ImageHeight, s.ImageWidth)
	}
	if c := s.categorical(); c > 0 {
		fmt.Fprintf(&b, ", %d attributes categorical (OneHot expands them)", c)
	}
	switch {
	case s.Labels != nil && len(s.ClassNames) > 10:
		fmt.Fprintf(&b, ", %d classes", len(s.ClassNames))
	case s.Labels != nil:
		b.WriteString(", classes")
		for c, k := range s.ClassCounts() {
			if c > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, " %s %d", s.ClassNames[c], k)
		}
	case s.Target != nil:
		fmt.Fprintf(&b, ", target %s", s.TargetName)
	}
	return b.String()
}

// ClassCounts returns the number of rows of each class, in the order of ClassNames.
func (s *Set) ClassCounts() []int {
	counts := make([]int, len(s.ClassNames))
	for _, c := range s.Labels {
		if c >= 0 && c < len(counts) {
			counts[c]++
		}
	}
	return counts
}

// RowsOf returns the indices of the rows of one class, ascending; nil if there are none.
func (s *Set) RowsOf(class int) []int {
	var rows []int
	for i, c := range s.Labels {
		if c == class {
			rows = append(rows, i)
		}
	}
	return rows
}

// Clone returns a copy that shares nothing with s.
func (s *Set) Clone() *Set {
	c := *s
	if s.X != nil {
		c.X = mat.DenseCopyOf(s.X)
	}
	c.Labels = slices.Clone(s.Labels)
	c.ClassNames = slices.Clone(s.ClassNames)
	c.Target = slices.Clone(s.Target)
	c.FeatureNames = slices.Clone(s.FeatureNames)
	c.Categories = slices.Clone(s.Categories)
	for j := range c.Categories {
		c.Categories[j] = slices.Clone(s.Categories[j])
	}
	return &c
}

// check reports what does not fit together in a set that was made by hand.
func (s *Set) check() error {
	n, d := s.Dims()
	switch {
	case s.Labels != nil && len(s.Labels) != n:
		return fmt.Errorf("%w: set %q has %d Labels for %d rows", ErrArgument, s.Name, len(s.Labels), n)
	case s.Target != nil && len(s.Target) != n:
		return fmt.Errorf("%w: set %q has %d values in Target for %d rows", ErrArgument, s.Name, len(s.Target), n)
	case s.FeatureNames != nil && len(s.FeatureNames) != d:
		return fmt.Errorf("%w: set %q has %d FeatureNames for %d columns", ErrArgument, s.Name, len(s.FeatureNames), d)
	case len(s.Categories) > d:
		return fmt.Errorf("%w: set %q has Categories of %d attributes for %d columns", ErrArgument, s.Name, len(s.Categories), d)
	}
	for i, c := range s.Labels {
		if c < 0 || c >= len(s.ClassNames) {
			return fmt.Errorf("%w: set %q: label [%d] is %d, want 0 to %d, an index into ClassNames", ErrArgument, s.Name, i, c, len(s.ClassNames)-1)
		}
	}
	return nil
}

// Subset returns the given rows in the given order; a row may occur repeatedly. The error wraps
// ErrArgument if rows is empty, an index is not 0 to n−1, or Labels, Target or names do not fit X.
func (s *Set) Subset(rows []int) (*Set, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	n, d := s.Dims()
	if len(rows) == 0 {
		return nil, fmt.Errorf("%w: a subset of no rows", ErrArgument)
	}
	for k, i := range rows {
		if i < 0 || i >= n {
			return nil, fmt.Errorf("%w: rows[%d] is %d, want 0 to %d", ErrArgument, k, i, n-1)
		}
	}
	head := *s
	head.X, head.Labels, head.Target = nil, nil, nil
	sub := head.Clone()
	sub.X = mat.NewDense(len(rows), d, nil)
	for k, i := range rows {
		copy(sub.X.RawRowView(k), s.X.RawRowView(i))
		if s.Labels != nil {
			sub.Labels = append(sub.Labels, s.Labels[i])
		}
		if s.Target != nil {
			sub.Target = append(sub.Target, s.Target[i])
		}
	}
	return sub, nil
}

// Head returns the first n rows, or all if there are fewer. The error wraps ErrArgument if n < 1.
func (s *Set) Head(n int) (*Set, error) {
	if n < 1 {
		return nil, fmt.Errorf("%w: the first %d rows, want at least 1", ErrArgument, n)
	}
	have, _ := s.Dims()
	return s.Subset(sequence(min(n, have)))
}

// Sample returns n rows drawn without replacement, in their old order. The error wraps ErrArgument unless n is 1 to
// the number of rows.
func (s *Set) Sample(n int, seed uint64) (*Set, error) {
	have, _ := s.Dims()
	if n < 1 || n > have {
		return nil, fmt.Errorf("%w: a sample of %d rows, want 1 to %d", ErrArgument, n, have)
	}
	rows := random(seed).Perm(have)[:n]
	slices.Sort(rows)
	return s.Subset(rows)
}

// Split divides the rows at random into train and test, where test has the given share of the rows,
// rounded. With labels, each class is divided in this proportion (stratified). Rows stay
// in their old order. The error wraps ErrArgument unless 0 < testShare < 1 and both parts get a row, and as for
// Subset.
func (s *Set) Split(testShare float64, seed uint64) (train, test *Set, err error) {
	if !(testShare > 0 && testShare < 1) {
		return nil, nil, fmt.Errorf("%w: testShare is %v, want more than 0 and less than 1", ErrArgument, testShare)
	}
	if err := s.check(); err != nil {
		return nil, nil, err
	}
	n, _ := s.Dims()
	groups := [][]int{sequence(n)}
	if s.Labels != nil {
		groups = groups[:0]
		for c := range s.ClassNames {
			groups = append(groups, s.RowsOf(c))
		}
	}
	rng := random(seed)
	var in, out []int
	for _, rows := range groups {
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		k := int(math.Round(testShare * float64(len(rows))))
		out, in = append(out, rows[:k]...), append(in, rows[k:]...)
	}
	if len(in) == 0 || len(out) == 0 {
		return nil, nil, fmt.Errorf("%w: testShare %v leaves %d rows for train and %d for test of %d",
			ErrArgument, testShare, len(in), len(out), n)
	}
	slices.Sort(in)
	slices.Sort(out)
	if train, err = s.Subset(in); err != nil {
		return nil, nil, err
	}
	test, err = s.Subset(out)
	return train, test, err
}

// Scaled returns a copy with X multiplied by factor: MNISTSample().Scaled(1.0/255) has pixels in [0, 1].
func (s *Set) Scaled(factor float64) *Set {
	c := s.Clone()
	if c.X != nil {
		c.X.Scale(factor, c.X)
	}
	return c
}

// random returns the generator of a seed.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

func sequence(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v
}
