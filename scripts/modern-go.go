//go:build ignore

// Streams the rows of iris through iterators and generic containers, class by class, and
// compares the classes' covariances: today's Go (type parameters, ranges over functions and
// integers, per-iteration variables, slices and maps, deferred calls), interpreted.
//
//	go run ./nbkernel run scripts/modern-go.go
//	go run scripts/modern-go.go
package main

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"log"
	"maps"
	"slices"
	"strings"

	"eigenbook/lib/dataset"
	"eigenbook/lib/eigen"

	"gonum.org/v1/gonum/mat"
)

// Moments accumulates mean and scatter of rows in one pass (Welford's update).
type Moments struct {
	n       int
	mean    []float64
	scatter *mat.SymDense
}

// Add takes one row.
func (m *Moments) Add(row []float64) {
	if m.n == 0 {
		m.mean, m.scatter = make([]float64, len(row)), mat.NewSymDense(len(row), nil)
	}
	m.n++
	before := make([]float64, len(row))
	for j, v := range row {
		before[j] = v - m.mean[j]
		m.mean[j] += before[j] / float64(m.n)
	}
	for i := range row {
		for j := i; j < len(row); j++ {
			m.scatter.SetSym(i, j, m.scatter.At(i, j)+before[i]*(row[j]-m.mean[j]))
		}
	}
}

// Covariance returns scatter/n.
func (m *Moments) Covariance() (*mat.SymDense, error) {
	if m.n == 0 {
		return nil, errors.New("no rows")
	}
	var s mat.SymDense
	s.ScaleSym(1/float64(m.n), m.scatter)
	return &s, nil
}

// String implements fmt.Stringer.
func (m *Moments) String() string { return fmt.Sprintf("%d rows, mean %.3f", m.n, m.mean) }

// Groups are values by key that keep the order in which keys first came.
type Groups[K comparable, V any] struct {
	keys   []K
	values map[K]*V
}

// At returns the value of key, a new one if there is none.
func (g *Groups[K, V]) At(key K) *V {
	if g.values == nil {
		g.values = map[K]*V{}
	}
	v, ok := g.values[key]
	if !ok {
		v = new(V)
		g.values[key] = v
		g.keys = append(g.keys, key)
	}
	return v
}

// All yields the groups in order.
func (g *Groups[K, V]) All() iter.Seq2[K, *V] {
	return func(yield func(K, *V) bool) {
		for _, k := range g.keys {
			if !yield(k, g.values[k]) {
				return
			}
		}
	}
}

// labelled yields the rows of s with the names of their classes.
func labelled(s *dataset.Set) iter.Seq2[string, []float64] {
	return func(yield func(string, []float64) bool) {
		rows, _ := s.X.Dims()
		for i := range rows {
			if !yield(s.ClassNames[s.Labels[i]], s.X.RawRowView(i)) {
				return
			}
		}
	}
}

// Where keeps the pairs that satisfy keep.
func Where[K, V any](seq iter.Seq2[K, V], keep func(K, V) bool) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for k, v := range seq {
			if keep(k, v) && !yield(k, v) {
				return
			}
		}
	}
}

// ArgMax returns the index of the largest element.
func ArgMax[T cmp.Ordered](xs ...T) (best int) {
	for i := range xs {
		if xs[i] > xs[best] {
			best = i
		}
	}
	return best
}

// Axis is the leading eigenvector of a class.
type Axis struct {
	Class   string
	Value   float64
	Vector  []float64
	Feature string // of the largest loading
}

func leading(class string, m *Moments, names []string) (a Axis, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("class %s: %w", class, err)
		}
	}()
	s, err := m.Covariance()
	if err != nil {
		return a, err
	}
	pairs, err := eigen.Symmetric(s)
	if err != nil {
		return a, err
	}
	v := mat.Col(nil, 0, pairs.Vectors)
	return Axis{class, pairs.Values[0], v, names[ArgMax(v...)]}, nil
}

func main() {
	log.SetFlags(0)
	iris := dataset.Iris()
	var groups Groups[string, Moments]
	for class, row := range labelled(iris) {
		groups.At(class).Add(row)
	}

	var axes []Axis
	for class, m := range groups.All() {
		fmt.Println(class+":", m)
		a, err := leading(class, m, iris.FeatureNames)
		if err != nil {
			log.Fatal(err)
		}
		axes = append(axes, a)
	}
	_, err := leading("none", new(Moments), nil)
	fmt.Println(err)

	slices.SortFunc(axes, func(a, b Axis) int { return cmp.Compare(b.Value, a.Value) })
	for i, a := range axes {
		fmt.Printf("%d. %-10s λ₁ = %.4f, most of it %s\n", i+1, a.Class, a.Value, a.Feature)
	}

	// One closure for each class, each with its own variables.
	distance := map[string]func([]float64) float64{}
	for class, m := range groups.All() {
		distance[class] = func(x []float64) (d float64) {
			for j, v := range x {
				d += (v - m.mean[j]) * (v - m.mean[j])
			}
			return d
		}
	}
	wrong := map[string]int{}
	for class, row := range Where(labelled(iris), func(c string, _ []float64) bool { return c != iris.ClassNames[0] }) {
		nearest := slices.MinFunc(slices.Collect(maps.Keys(distance)), func(a, b string) int {
			return cmp.Compare(distance[a](row), distance[b](row))
		})
		if nearest != class {
			wrong[class]++
		}
	}
	for _, class := range slices.Sorted(maps.Keys(wrong)) {
		fmt.Println(strings.ToUpper(class[:1])+class[1:], "nearer to another mean:", wrong[class])
	}
}

// Output:
// setosa: 50 rows, mean [5.006 3.428 1.462 0.246]
// versicolor: 50 rows, mean [5.936 2.770 4.260 1.326]
// virginica: 50 rows, mean [6.588 2.974 5.552 2.026]
// class none: no rows
// 1. virginica  λ₁ = 0.6813, most of it sepal length (cm)
// 2. versicolor λ₁ = 0.4781, most of it sepal length (cm)
// 3. setosa     λ₁ = 0.2317, most of it sepal width (cm)
// Versicolor nearer to another mean: 4
// Virginica nearer to another mean: 7
