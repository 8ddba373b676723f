package ppca_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/kernel"
	"eigenbook/lib/ppca"
)

// hadamard returns the columns 1 to d of the 8×8 Hadamard matrix, orthogonal and of mean zero, each
// times its unit: the variances are the squares of the units.
func hadamard(units ...float64) *mat.Dense {
	x := mat.NewDense(8, len(units), nil)
	for i := range 8 {
		for j, unit := range units {
			if bits := i & (j + 1); (bits^bits>>1^bits>>2)&1 == 1 {
				unit = -unit
			}
			x.Set(i, j, unit)
		}
	}
	return x
}

// Columns in very different units, along the axes and turned: the variances are known, and an
// eigensolver of the scatter matrix would lose those below 10⁻¹⁶ of the largest.
func TestColumnsOfDifferentUnits(t *testing.T) {
	units := []float64{1e6, 1e3, 10, 1, 0.5}
	x := hadamard(units...)
	for _, tc := range []struct {
		name string
		x    *mat.Dense
		tol  float64 // rounding of the turned data is 2⁻⁵² of the largest unit, 1e-10 of the smallest
	}{{"along the axes", x, 1e-14}, {"turned", mul(x, rotation(5, 3)), 3e-9}, {"wide", mul(x, rotation(9, 4).Slice(0, 5, 0, 9)), 3e-9}} {
		p, d := primal(t, tc.x, ppca.Config{Latent: 3}), dual(t, tc.x, kernel.Linear{}, ppca.Config{Latent: 3})
		if p.Rank() != 5 || d.Rank() != 5 {
			t.Fatalf("%s: ranks %d and %d, want 5", tc.name, p.Rank(), d.Rank())
		}
		for i, unit := range units {
			if v := p.Spectrum()[i] / (unit * unit); math.Abs(v-1) > tc.tol {
				t.Errorf("%s: variance %d is %.3g of what it should be", tc.name, i, v)
			}
		}
		close(t, "σ² "+tc.name, p.NoiseVariance(), (1+0.25)/2, tc.tol)
		close(t, "σ² from kernel "+tc.name, d.NoiseVariance(), (1+0.25)/2, tc.tol)
		e := d.Eigenvectors()
		near(t, "EᵀE "+tc.name, mul(e.T(), e), diag([]float64{1, 1, 1, 1, 1}), 1e-11)
		if len(p.Warnings()) != 0 {
			t.Errorf("%s: warnings %v", tc.name, p.Warnings())
		}
		// The densities of the training rows add up to the likelihood.
		close(t, "log-likelihood "+tc.name, number(t)(p.HeldOutLogLikelihood(tc.x)), number(t)(p.LogLikelihood()), tc.tol)
		table := must[[]ppca.Candidate](t)(p.Candidates(-1, tc.x))
		for _, c := range table {
			close(t, "candidate "+tc.name, c.HeldOut, c.LogLikelihood, tc.tol)
		}
	}
}

// Rounding is no rank: columns that depend on others, also far from the origin, and columns that do not.
func TestRankOfGradedColumns(t *testing.T) {
	x := gaussian(30, 3, 5)
	with := func(f func(r []float64) float64) *mat.Dense {
		y := mat.NewDense(30, 4, nil)
		for i := range 30 {
			r := x.RawRowView(i)
			y.SetRow(i, []float64{r[0], r[1], r[2], f(r)})
		}
		return y
	}
	for _, tc := range []struct {
		name string
		f    func(r []float64) float64
		rank int
	}{
		{"own, 1e-9 of the others", func(r []float64) float64 { return 1e-9 * r[0] * r[1] }, 4},
		{"own, 1e9 of the others", func(r []float64) float64 { return 1e9 * r[0] * r[1] }, 4},
		{"a sum", func(r []float64) float64 { return 0.1*r[0] + r[1]/3 }, 3},
		{"a large sum", func(r []float64) float64 { return 1e6*r[0] - r[1]/3 }, 3},
		{"a sum far away", func(r []float64) float64 { return 0.1*r[0] + r[1]/3 + 1e7 }, 3},
		{"constant", func([]float64) float64 { return 1e9 / 7 }, 3},
	} {
		if r := primal(t, with(tc.f), ppca.Config{Latent: 1}).Rank(); r != tc.rank {
			t.Errorf("%s: rank %d, want %d", tc.name, r, tc.rank)
		}
	}
}

// A small multiple of the linear kernel away from the origin: what is rounding scales with it.
func TestSmallMultipleOfLinear(t *testing.T) {
	x := hadamard(3, 2, 1)
	for i := range 8 {
		x.Set(i, 0, x.At(i, 0)+100)
	}
	m := dual(t, x, kernel.Scaled{Factor: 1e-36, Kernel: kernel.Linear{}}, ppca.Config{Latent: 1})
	if m.Rank() != 3 {
		t.Errorf("rank %d, want 3", m.Rank())
	}
	close(t, "σ²·10³⁶", m.NoiseVariance()*1e36, 2.5, 1e-12)
}

// At the maximum the last two terms of the likelihood are D, whatever q, also where the rest of
// the trace is mere rounding.
func TestLikelihoodAtTheMaximum(t *testing.T) {
	m := dual(t, toy(60, 3), kernel.RBF{LengthScale: 3}, ppca.Config{Latent: 1, Solver: ppca.Full})
	lambda, n, dim := m.Eigenvalues(), 60.0, float64(m.NoiseDim())
	table := must[[]ppca.Candidate](t)(m.Candidates(ctx, -1, nil))
	if last := table[len(table)-1]; last.NoiseVariance > 1e-15*lambda[0] {
		t.Fatalf("the last σ² is %.3g, want one near rounding for this test", last.NoiseVariance)
	}
	logs := 0.0
	for q, c := range table {
		if q > 0 {
			logs += math.Log(lambda[q-1] / n)
		}
		want := -n / 2 * (dim*math.Log(2*math.Pi) + logs + (dim-float64(q))*math.Log(c.NoiseVariance) + dim)
		if c.NoiseVariance < lambda[max(q, 1)-1]/n { // else σ² was cut to its bound
			close(t, "log-likelihood", c.LogLikelihood, want, 1e-12)
		}
	}
}
