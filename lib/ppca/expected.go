package ppca

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/kernel"
)

// An expectation is a kernel between rows known by normal laws: means of k over these.
type expectation interface {
	pair(x, y *uncertain) float64 // E k(x, y), x and y independent
	self(x *uncertain) float64    // E k(x, x)
}

// closedForm returns the expectation of k where it can be written down: for linear and RBF kernels,
// multiples and sums of these.
func closedForm(k kernel.Kernel) (expectation, bool) {
	switch k := k.(type) {
	case kernel.Linear:
		return expectedLinear{}, true
	case kernel.RBF:
		return expectedRBF{k}, true
	case kernel.Scaled:
		e, ok := closedForm(k.Kernel)
		return expectedScaled{k.Factor, e}, ok
	case kernel.Sum:
		var s expectedSum
		for _, part := range k.Kernels {
			e, ok := closedForm(part)
			if !ok {
				return nil, false
			}
			s = append(s, e)
		}
		return s, true
	}
	return nil, false
}

// expectedLinear is E x·y, the product of the means, and E x·x, which has the variances too.
type expectedLinear struct{}

func (expectedLinear) pair(x, y *uncertain) float64 { return kernel.Dot(x.mean, y.mean) }

func (expectedLinear) self(x *uncertain) float64 {
	s := kernel.Dot(x.mean, x.mean)
	if x.cov != nil {
		s += mat.Trace(x.cov)
	}
	return s
}

type expectedScaled struct {
	factor float64
	e      expectation
}

func (s expectedScaled) pair(x, y *uncertain) float64 { return s.factor * s.e.pair(x, y) }
func (s expectedScaled) self(x *uncertain) float64    { return s.factor * s.e.self(x) }

type expectedSum []expectation

func (s expectedSum) pair(x, y *uncertain) float64 {
	total := 0.0
	for _, e := range s {
		total += e.pair(x, y)
	}
	return total
}

func (s expectedSum) self(x *uncertain) float64 {
	total := 0.0
	for _, e := range s {
		total += e.self(x)
	}
	return total
}

// expectedRBF is, with x − y ~ N(δ, C) for the sum C of the two covariances,
//
//	E exp(−|x−y|²/(2ℓ²)) = |I + C/ℓ²|^−½ exp(−½ δᵀ(ℓ²I + C)⁻¹δ)
type expectedRBF struct{ kernel.RBF }

func (expectedRBF) self(*uncertain) float64 { return 1 }

func (k expectedRBF) pair(x, y *uncertain) float64 {
	if x.cov == nil && y.cov == nil {
		return k.Eval(x.mean, y.mean)
	}
	union, c := sumCovariances(x, y)
	u := len(union)
	unit := k.LengthScale // of length, so that neither ℓ² nor C overflows
	for a := range u {
		unit = math.Max(unit, math.Sqrt(c[a*u+a]))
	}
	ell := k.LengthScale / unit
	delta := make([]float64, u)
	exponent := 0.0
	next := 0
	for j, v := range x.mean {
		if next < u && union[next] == j {
			delta[next] = (v - y.mean[j]) / unit
			next++
			continue
		}
		r := (v - y.mean[j]) / k.LengthScale
		exponent -= 0.5 * r * r
	}
	for i := range c {
		c[i] = c[i] / unit / unit
	}
	for a := range u {
		c[a*u+a] += ell * ell
	}
	// Cholesky factor L of ℓ²I + C in the lower triangle, and w = L⁻¹δ beside it.
	for a := range u {
		la := c[a*u : a*u+a+1]
		for b := range a {
			lb := c[b*u : b*u+b+1]
			la[b] = (la[b] - kernel.Dot(la[:b], lb[:b])) / lb[b]
		}
		pivot := math.Sqrt(la[a] - kernel.Dot(la[:a], la[:a])) // NaN, which the caller refuses, if not positive definite
		la[a] = pivot
		delta[a] = (delta[a] - kernel.Dot(la[:a], delta[:a])) / pivot
		exponent += math.Log(ell/pivot) - 0.5*delta[a]*delta[a]
	}
	return math.Exp(exponent)
}

// sumCovariances returns the entries missing in x or y, ascending, and the sum of the covariances
// over them, row after row.
func sumCovariances(x, y *uncertain) (union []int, c []float64) {
	at := make([]int, len(x.mean)) // place in union, plus 1
	for _, r := range []*uncertain{x, y} {
		for _, j := range r.missing {
			at[j] = 1
		}
	}
	for j, is := range at {
		if is == 1 {
			union = append(union, j)
			at[j] = len(union)
		}
	}
	u := len(union)
	c = make([]float64, u*u)
	for _, r := range []*uncertain{x, y} {
		for a, i := range r.missing {
			for b, j := range r.missing {
				c[(at[i]-1)*u+at[j]-1] += r.cov.At(a, b)
			}
		}
	}
	return union, c
}
