package asymptotic

import (
	"fmt"
	"math"

	"eigenbook/lib/eigen"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// An Aggregate makes one number of the angles of several groups.
type Aggregate int

const (
	// Mean weighs each group once, whatever its size.
	Mean Aggregate = iota
	// Max is the largest angle.
	Max
)

func (a Aggregate) of(angles []float64) (float64, error) {
	switch a {
	case Mean:
		return floats.Sum(angles) / float64(len(angles)), nil
	case Max:
		return floats.Max(angles), nil
	}
	return 0, fmt.Errorf("%w: Aggregate is %d, want Mean or Max", ErrConfig, a)
}

// A Group is a range Start … End−1 of eigenvalues that count as repeated, counted from 0.
type Group struct{ Start, End int }

// groupsOf returns the groups of descending positive eigenvalues: each begins a new one when it
// differs from the first of its group by tau times that, or more.
func groupsOf(lambda []float64, tau float64) []Group {
	var groups []Group
	for i0 := 0; i0 < len(lambda); {
		i := i0
		for i < len(lambda) && math.Abs((lambda[i]-lambda[i0])/lambda[i0]) < tau {
			i++
		}
		groups = append(groups, Group{i0, i})
		i0 = i
	}
	return groups
}

// Groups returns the groups of repeated eigenvalues of a descending positive spectrum. An
// eigenvalue belongs to the group whose first member, not whose last, it differs from by less
// than tau, relative to it. The error wraps ErrShape for an empty spectrum and ErrConfig for tau or
// an eigenvalue out of range, or an order that is not descending (within tau).
func Groups(lambda []float64, tau float64) ([]Group, error) {
	if len(lambda) == 0 {
		return nil, fmt.Errorf("%w: no eigenvalues", ErrShape)
	}
	if !(tau > 0) || math.IsInf(tau, 1) {
		return nil, fmt.Errorf("%w: tau is %v, want above 0", ErrConfig, tau)
	}
	for i, v := range lambda {
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("%w: eigenvalue %d is %v, want above 0 (leave out those beyond the rank)", ErrConfig, i, v)
		}
		if i > 0 && v > lambda[i-1]*(1+tau) {
			return nil, fmt.Errorf("%w: eigenvalue %d = %v follows %v, want descending order", ErrConfig, i, v, lambda[i-1])
		}
	}
	return groupsOf(lambda, tau), nil
}

// EigenDistances is Algorithm 1: for each group of repeated values among the linear eigenvalues
// lambda, descending, the largest principal angle between the spans of the group's columns of v
// and of w, in radians. v and w have as many columns as lambda has entries, orthonormal to 1e-8.
// Angles of 1e-12 are as good as those near π/2.
//
// A group that is cut off at the end of lambda is compared as far as it goes; complete it if the
// spectrum goes on. The error wraps ErrShape, ErrNotFinite or ErrConfig.
func EigenDistances(v, w mat.Matrix, lambda []float64, tau float64) ([]float64, error) {
	groups, err := Groups(lambda, tau)
	if err != nil {
		return nil, err
	}
	vd, err := orthonormalColumns("v", v, len(lambda))
	if err != nil {
		return nil, err
	}
	wd, err := orthonormalColumns("w", w, len(lambda))
	if err != nil {
		return nil, err
	}
	n, _ := vd.Dims()
	if nw, _ := wd.Dims(); n != nw {
		return nil, fmt.Errorf("%w: v has %d rows and w has %d, want equal numbers", ErrShape, n, nw)
	}
	angles := make([]float64, len(groups))
	for i, g := range groups {
		if angles[i], err = groupAngle(vd, wd, g); err != nil {
			return nil, err
		}
	}
	return angles, nil
}

// EigenDist is Algorithm 1 with its aggregation: the mean or the largest of EigenDistances.
func EigenDist(v, w mat.Matrix, lambda []float64, tau float64, by Aggregate) (float64, error) {
	angles, err := EigenDistances(v, w, lambda, tau)
	if err != nil {
		return 0, err
	}
	return by.of(angles)
}

// groupAngle returns the largest principal angle between the columns g of v and of w.
func groupAngle(v, w *mat.Dense, g Group) (float64, error) {
	n, _ := v.Dims()
	if g.End == g.Start+1 {
		return angle(column(v, g.Start), column(w, g.Start)), nil
	}
	angles, err := eigen.PrincipalAngles(v.Slice(0, n, g.Start, g.End), w.Slice(0, n, g.Start, g.End))
	if err != nil {
		return 0, fmt.Errorf("asymptotic: columns %d to %d: %w", g.Start, g.End-1, err)
	}
	return angles[len(angles)-1], nil
}

// orthonormalColumns checks that v has m orthonormal columns.
func orthonormalColumns(name string, v mat.Matrix, m int) (*mat.Dense, error) {
	d, err := rowsOf(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if n, c := d.Dims(); c != m || n < m {
		return nil, fmt.Errorf("%w: %s is %d×%d, want %d columns, one for each eigenvalue, and as many rows or more", ErrShape, name, n, c, m)
	}
	var products mat.Dense
	products.Mul(d.T(), d)
	for i := range m {
		for j := range i + 1 {
			want := 0.0
			if i == j {
				want = 1
			}
			if p := products.At(i, j); !(math.Abs(p-want) <= 1e-8) {
				return nil, fmt.Errorf("%w: columns %d and %d of %s have inner product %g, want %g within 1e-8", ErrConfig, j, i, name, p, want)
			}
		}
	}
	return d, nil
}

// ReferenceAngles returns the angles of Algorithm 1 between the first coordinate axes and the linear
// eigenvectors: any basis is an eigenbasis at σ = 0. There is one for each group, and they depend
// on the order of the rows.
func (a *Analysis) ReferenceAngles() ([]float64, error) {
	n := a.N()
	m := a.covered()
	axes := mat.NewDense(n, m, nil)
	for k := range m {
		axes.Set(k, k, 1)
	}
	w := columns(a.w, m)
	angles := make([]float64, len(a.groups))
	var err error
	for i, g := range a.groups {
		if angles[i], err = groupAngle(axes, w, g); err != nil {
			return nil, err
		}
	}
	return angles, nil
}
