package kpca_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"eigenbook/lib/eigen"
	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
)

var ctx = context.Background()

func gaussian(n, d int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	return x
}

func fit(t testing.TB, x mat.Matrix, k kernel.Kernel, cfg kpca.Config) *kpca.Model {
	t.Helper()
	m, err := kpca.Fit(ctx, x, k, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func transform(t testing.TB, m *kpca.Model, z mat.Matrix) *mat.Dense {
	t.Helper()
	return must[*mat.Dense](t)(m.Transform(ctx, z))
}

// near asserts that two matrices agree to tol of the largest entry of want.
func near(t testing.TB, what string, got, want mat.Matrix, tol float64) {
	t.Helper()
	gr, gc := got.Dims()
	if wr, wc := want.Dims(); gr != wr || gc != wc {
		t.Fatalf("%s: %d×%d, want %d×%d", what, gr, gc, wr, wc)
	}
	var difference mat.Dense
	difference.Sub(got, want)
	largest := max(mat.Max(want), -mat.Min(want), 1e-300)
	if d := max(mat.Max(&difference), -mat.Min(&difference)); !(d <= tol*largest) {
		t.Errorf("%s: differs by %.3g of the largest entry %.3g, want at most %.3g", what, d/largest, largest, tol)
	}
}

var kernels = map[string]kernel.Kernel{
	"linear":     kernel.Linear{},
	"rbf":        kernel.RBF{LengthScale: 1.5},
	"laplacian":  kernel.Laplacian{LengthScale: 2},
	"polynomial": kernel.Polynomial{Degree: 2, Scale: 0.5, Offset: 1},
}

// The laws of a projection, for any kernel: the mean feature stays, the projection is idempotent,
// a score vector is no longer than its feature, and with every axis nothing is lost.
func TestReconstructIsAProjection(t *testing.T) {
	x, z := gaussian(30, 3, 1), gaussian(7, 3, 2)
	for name, k := range kernels {
		t.Run(name, func(t *testing.T) {
			m := fit(t, x, k, kpca.Config{Latent: 3})
			zero := must[*mat.Dense](t)(m.Reconstruct(mat.NewDense(1, 30, nil)))
			if mat.Norm(zero, 1) != 0 {
				t.Errorf("the mean feature is reconstructed as %v", zero.RawRowView(0))
			}
			rows, norms, err := m.Rows(ctx, z)
			if err != nil {
				t.Fatal(err)
			}
			once := must[*mat.Dense](t)(m.Reconstruct(rows))
			twice := must[*mat.Dense](t)(m.Reconstruct(once))
			near(t, "reconstruction of a reconstruction", twice, once, 1e-12)
			scores := must[*mat.Dense](t)(m.TransformRows(rows))
			for i, norm := range norms {
				if s := floats.Dot(scores.RawRowView(i), scores.RawRowView(i)); s > norm*(1+1e-12) {
					t.Errorf("row %d: |t|² is %v, above |φ|² = %v", i, s, norm)
				}
				if a, b := floats.Norm(once.RawRowView(i), 2), floats.Norm(rows.RawRowView(i), 2); a > b*(1+1e-12) {
					t.Errorf("row %d: the reconstruction is longer (%v) than the row (%v)", i, a, b)
				}
			}

			all := fit(t, x, k, kpca.Config{})
			near(t, "reconstruction with every axis", must[*mat.Dense](t)(all.Reconstruct(rows)), rows, 1e-8)
			if e := all.ExplainedRatio(); math.Abs(e-1) > 1e-12 {
				t.Errorf("every axis explains %v, want 1", e)
			}
		})
	}
}

// Linear kernel PCA is PCA.
func TestLinearIsPCA(t *testing.T) {
	x := gaussian(25, 4, 3)
	for i := range 25 {
		x.Set(i, 1, 3*x.At(i, 1)+100)
		x.Set(i, 2, 2*x.At(i, 2))
	}
	z := gaussian(6, 4, 4)
	m := fit(t, x, kernel.Linear{}, kpca.Config{Latent: 2})

	means := make([]float64, 4)
	centred, zc := mat.DenseCopyOf(x), mat.DenseCopyOf(z)
	for j := range means {
		means[j] = floats.Sum(mat.Col(nil, j, x)) / 25
		for i := range 25 {
			centred.Set(i, j, x.At(i, j)-means[j])
		}
		for i := range 6 {
			zc.Set(i, j, z.At(i, j)-means[j])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(centred, mat.SVDThin) {
		t.Fatal("SVD failed")
	}
	for p, lambda := range m.Eigenvalues() {
		if s := svd.Values(nil)[p]; math.Abs(lambda-s*s) > 1e-11*s*s {
			t.Errorf("λ%d = %v, want %v", p+1, lambda, s*s)
		}
	}
	var v, want, projected mat.Dense
	svd.VTo(&v)
	axes := v.Slice(0, 4, 0, 2)
	want.Mul(zc, axes)
	near(t, "|scores|", abs(transform(t, m, z)), abs(&want), 1e-12)

	// The barycentre is the projection on the principal plane, in input space.
	projected.Mul(&want, axes.T())
	projected.Apply(func(_, j int, p float64) float64 { return p + means[j] }, &projected)
	rows, _, err := m.Rows(ctx, z)
	if err != nil {
		t.Fatal(err)
	}
	points := must[gram.FeaturePoints](t)(m.FeaturePoints(rows))
	images := must[*mat.Dense](t)(must[*kpca.Barycentre](t)(kpca.NewBarycentre(x)).PreImages(ctx, points))
	near(t, "barycentre", images, &projected, 1e-12)
}

// Uncentring and centring again is the identity, coefficients sum to 1, and the parts of the
// points belong together: K c is the product of K and c, and TransformRows gives back the scores.
func TestFeaturePoints(t *testing.T) {
	x, z := gaussian(20, 2, 5), gaussian(5, 2, 6)
	for name, k := range kernels {
		for _, uncentred := range []bool{false, true} {
			m := fit(t, x, k, kpca.Config{Latent: 2, Uncentred: uncentred})
			rows, _, err := m.Rows(ctx, z)
			if err != nil {
				t.Fatal(err)
			}
			points := must[gram.FeaturePoints](t)(m.FeaturePoints(rows))
			reconstruction := must[*mat.Dense](t)(m.Reconstruct(rows))
			near(t, name+": centred again", must[*mat.Dense](t)(m.CentreRows(points.Kernel)), reconstruction, 1e-11)
			near(t, name+": scores", points.Scores, must[*mat.Dense](t)(m.TransformRows(rows)), 1e-13)

			gramMatrix := must[*mat.SymDense](t)(gram.Compute(ctx, k, x))
			var product mat.Dense
			product.Mul(points.Coefficients, gramMatrix)
			near(t, name+": K c", points.Kernel, &product, 1e-11)
			for i := range 5 {
				if s := floats.Sum(points.Coefficients.RawRowView(i)); !uncentred && math.Abs(s-1) > 1e-12 {
					t.Errorf("%s: coefficients of point %d sum to %v, want 1", name, i, s)
				}
			}
		}
	}
}

func permuted(x *mat.Dense, order []int) *mat.Dense {
	n, d := x.Dims()
	p := mat.NewDense(n, d, nil)
	for i, j := range order {
		p.SetRow(i, x.RawRowView(j))
	}
	return p
}

// Permuting training rows, scaling the kernel, and shifting or rotating the data do what they
// should to values, scores and pre-images.
func TestInvariances(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(6, 25).Draw(rt, "n")
		seed := rapid.Uint64Range(1, 1<<20).Draw(rt, "seed")
		factor := rapid.Float64Range(1e-3, 1e3).Draw(rt, "factor")
		x, z := gaussian(n, 3, seed), gaussian(4, 3, seed+1)
		k := kernel.RBF{LengthScale: 1.5}
		cfg := kpca.Config{Latent: 2}
		base := fit(t, x, k, cfg)
		scores := transform(t, base, z)
		if base.Eigenvalues()[0]-base.Eigenvalues()[1] < 1e-3 || base.Eigenvalues()[1]-base.Spectrum()[2] < 1e-3 {
			return // the axes are not well defined
		}
		same := func(what string, m *kpca.Model, scaleValues float64, z *mat.Dense) {
			values := m.Eigenvalues()
			for p, v := range base.Eigenvalues() {
				if math.Abs(values[p]-scaleValues*v) > 1e-10*scaleValues {
					rt.Errorf("%s: λ%d is %v, want %v", what, p+1, values[p], scaleValues*v)
				}
			}
			var scaled mat.Dense
			scaled.Scale(math.Sqrt(scaleValues), scores)
			near(t, what+": |scores|", abs(transform(t, m, z)), abs(&scaled), 1e-9)
		}

		order := rand.New(rand.NewPCG(seed, 9)).Perm(n)
		shuffled := permuted(x, order)
		same("permuted", fit(t, shuffled, k, cfg), 1, z)
		same("scaled kernel", fit(t, x, kernel.Scaled{Factor: factor, Kernel: k}, cfg), factor, z)

		var shifted, zShifted mat.Dense
		add := func(_, j int, v float64) float64 { return v + float64(10*j-7) }
		shifted.Apply(add, x)
		zShifted.Apply(add, z)
		same("shifted", fit(t, &shifted, k, cfg), 1, &zShifted)

		var qr mat.QR
		var q, rotated, zRotated mat.Dense
		qr.Factorize(gaussian(3, 3, seed+2))
		qr.QTo(&q)
		rotated.Mul(x, &q)
		zRotated.Mul(z, &q)
		same("rotated", fit(t, &rotated, k, cfg), 1, &zRotated)
	})
}

// Every row twice: eigenvalues double, variances and scores stay, repeated rows have equal bits.
func TestDuplicatedRows(t *testing.T) {
	x := gaussian(12, 2, 7)
	twice := mat.NewDense(24, 2, nil)
	twice.Stack(x, x)
	k := kernel.RBF{LengthScale: 1}
	m, d := fit(t, x, k, kpca.Config{Latent: 3}), fit(t, twice, k, kpca.Config{Latent: 3})
	for p, v := range d.Eigenvalues() {
		if want := 2 * m.Eigenvalues()[p]; math.Abs(v-want) > 1e-13*want {
			t.Errorf("λ%d is %v, want %v", p+1, v, want)
		}
	}
	if d.Rank() != 11 {
		t.Errorf("rank %d, want 11: twelve distinct rows, centred", d.Rank())
	}
	scores := transform(t, d, twice)
	near(t, "scores", abs(transform(t, d, x)), abs(transform(t, m, x)), 1e-12)
	for i := range 12 {
		if !slices.Equal(scores.RawRowView(i), scores.RawRowView(i+12)) {
			t.Errorf("rows %d and %d are equal, their scores are not", i, i+12)
		}
	}
}

// The iterative path gives what the full one gives; a row alone, in a batch, or as part of the
// training data has the same bits; so has every run, whatever GOMAXPROCS is.
func TestPathsAgree(t *testing.T) {
	const n = 350
	x := gaussian(n, 4, 8)
	k := kernel.RBF{LengthScale: 2}
	leading := fit(t, x, k, kpca.Config{Latent: 5})
	full := fit(t, x, k, kpca.Config{Latent: 5, Full: true})
	if leading.Complete() || !full.Complete() {
		t.Fatalf("complete: %v and %v, want false and true", leading.Complete(), full.Complete())
	}
	near(t, "eigenvalues", mat.NewVecDense(5, leading.Eigenvalues()), mat.NewVecDense(5, full.Eigenvalues()), 1e-13)
	near(t, "eigenvectors", leading.Eigenvectors(), full.Eigenvectors(), 1e-8)
	if math.Abs(leading.ExplainedRatio()-full.ExplainedRatio()) > 1e-12 {
		t.Errorf("explained %v and %v", leading.ExplainedRatio(), full.ExplainedRatio())
	}

	scores := transform(t, leading, x)
	for _, i := range []int{0, 3, 349} {
		alone := transform(t, leading, x.Slice(i, i+1, 0, 4))
		if !slices.Equal(alone.RawRowView(0), scores.RawRowView(i)) {
			t.Errorf("row %d: scores %v alone, %v in the batch", i, alone.RawRowView(0), scores.RawRowView(i))
		}
	}
	previous := runtime.GOMAXPROCS(1)
	again := fit(t, x, k, kpca.Config{Latent: 5})
	runtime.GOMAXPROCS(previous)
	if !mat.Equal(again.Eigenvectors(), leading.Eigenvectors()) {
		t.Error("GOMAXPROCS 1 gives other eigenvectors")
	}
}

func TestUncentredIsCentredForCentredData(t *testing.T) {
	x := gaussian(15, 3, 9)
	for j := range 3 {
		mean := floats.Sum(mat.Col(nil, j, x)) / 15
		for i := range 15 {
			x.Set(i, j, x.At(i, j)-mean)
		}
	}
	z := gaussian(4, 3, 10)
	a := transform(t, fit(t, x, kernel.Linear{}, kpca.Config{Latent: 2}), z)
	b := transform(t, fit(t, x, kernel.Linear{}, kpca.Config{Latent: 2, Uncentred: true}), z)
	near(t, "scores", a, b, 1e-12)
}

// FitGram of a kernel's Gram matrix is Fit.
func TestFitGramIsFit(t *testing.T) {
	x, z := gaussian(18, 3, 11), gaussian(4, 3, 12)
	k := kernel.RBF{LengthScale: 2}
	for _, uncentred := range []bool{false, true} {
		cfg := kpca.Config{Latent: 3, Uncentred: uncentred}
		m := fit(t, x, k, cfg)
		g := must[*kpca.Model](t)(kpca.FitGram(ctx, must[*mat.SymDense](t)(gram.Compute(ctx, k, x)), cfg))
		rows := must[*mat.Dense](t)(g.CentreRows(must[*mat.Dense](t)(gram.Cross(ctx, k, z, x))))
		near(t, "scores", must[*mat.Dense](t)(g.TransformRows(rows)), transform(t, m, z), 1e-12)
		if _, err := g.Transform(ctx, z); !errors.Is(err, kpca.ErrNoKernel) {
			t.Errorf("Transform of a model without kernel: %v", err)
		}
		if g.Kernel() != nil || g.TrainingRows() != nil {
			t.Error("a model from FitGram has a kernel")
		}
	}
}

// Eigenvalues that vanish in floating point are 0, and so are their scores, for training and new
// rows alike; the structural rank still allows the axes.
func TestVanishingEigenvalues(t *testing.T) {
	x := gaussian(40, 1, 13)
	m := fit(t, x, kernel.RBF{LengthScale: 20}, kpca.Config{Latent: 30})
	rank := m.Rank()
	if rank >= 30 || m.Eigenvalues()[29] != 0 || len(m.Warnings()) == 0 {
		t.Fatalf("rank %d, λ₃₀ = %g, warnings %v; want a lower rank, 0 and a warning", rank, m.Eigenvalues()[29], m.Warnings())
	}
	for _, z := range []*mat.Dense{x, gaussian(3, 1, 14)} {
		scores := transform(t, m, z)
		for i := range scores.RawMatrix().Rows {
			row := scores.RawRowView(i)
			if !floats.Equal(row[rank:], make([]float64, 30-rank)) || row[0] == 0 {
				t.Errorf("row %d: scores %v", i, row)
			}
		}
	}
}

func TestWarnings(t *testing.T) {
	square := mat.NewDense(4, 2, []float64{1, 0, 0, 1, -1, 0, 0, -1})
	m := fit(t, square, kernel.Linear{}, kpca.Config{Latent: 1})
	if w := m.Warnings(); len(w) != 1 || !strings.Contains(w[0].Error(), "eigenvalues 1 and 2 are equal (2)") {
		t.Errorf("warnings %v, want one about equal eigenvalues", w)
	}
	if w := fit(t, square, kernel.Linear{}, kpca.Config{Latent: 2}).Warnings(); len(w) != 0 {
		t.Errorf("warnings %v, want none: the cut is between 2 and 0", w)
	}
	if m := fit(t, gaussian(400, 40, 1), kernel.RBF{LengthScale: 6}, kpca.Config{
		Latent: 3, Progress: func(eigen.Step) bool { return false }}); m.Converged() || len(m.Warnings()) == 0 {
		t.Errorf("stopped by Progress: converged %v, warnings %v", m.Converged(), m.Warnings())
	}
}

func TestInputsAreKept(t *testing.T) {
	x := gaussian(10, 2, 15)
	before := mat.DenseCopyOf(x)
	m := fit(t, x, kernel.RBF{LengthScale: 1}, kpca.Config{Latent: 2})
	want := transform(t, m, before)
	if !mat.Equal(x, before) {
		t.Error("Fit changed x")
	}
	x.Zero()
	m.Eigenvalues()[0] = 0
	m.Eigenvectors().Zero()
	m.TrainingRows().Zero()
	if !mat.Equal(transform(t, m, before), want) {
		t.Error("the model changed with its data or its results")
	}
}
