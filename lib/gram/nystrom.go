package gram

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"eigenbook/lib/eigen"
	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// A Factorization is the way in which FitNystrom takes the square root of the landmarks' Gram
// matrix.
type Factorization int

const (
	// Automatic is Cholesky without jitter if the condition number of K_mm is below
	// 1/(m·2⁻⁵²), else PseudoInverse.
	Automatic Factorization = iota
	// Cholesky is K_mm + jitter·I = L Lᵀ. The jitter is 0 if that works, else the first that
	// does of 10⁻¹², 10⁻¹¹ … 10⁻⁴ times the mean of the diagonal.
	Cholesky
	// PseudoInverse is K_mm = U Λ Uᵀ without the eigenvalues below CutOff times the largest.
	PseudoInverse
)

// NystromConfig holds the settings of FitNystrom. The zero value is usable.
type NystromConfig struct {
	// Landmarks is m, the number of rows of x to use; 0 means 256, or all distinct rows if
	// there are fewer. It must be at most the number of distinct rows.
	Landmarks int
	// Indices are the landmarks as rows of x, each once. If it is not nil, Landmarks must be 0
	// or its length. Nil means that distinct rows are drawn at random.
	Indices []int
	// Factorization of the landmarks' Gram matrix.
	Factorization Factorization
	// CutOff is the relative size under which PseudoInverse drops an eigenvalue; 0 means
	// m·2⁻⁵².
	CutOff float64
	// Src draws the landmarks. Nil means rand.NewPCG(1, 1).
	Src rand.Source
}

const defaultLandmarks = 256

// A Nystrom maps points to r features z(x) with z(x)·z(y) ≈ k(x, y): exact if x or y is a
// landmark (and nothing was cut off or added), a projection on the span of the landmarks'
// features otherwise. With all rows as landmarks the features give the Gram matrix itself. It
// does not change after FitNystrom and is safe for concurrent use.
type Nystrom struct {
	kernel    kernel.Kernel
	indices   []int
	landmarks *mat.Dense // m×d
	jitter    float64
	upper     *mat.TriDense // Lᵀ, m×m, for Cholesky
	project   *mat.Dense    // U Λ^−½, m×r, for PseudoInverse
}

// FitNystrom chooses landmarks from the rows of x, an N×d matrix, and factorises their Gram
// matrix K_mm. The features of a point are
//
//	z(x) = L⁻¹ k_m(x)        (Cholesky),   r = m
//	z(x) = Λ^−½ Uᵀ k_m(x)    (PseudoInverse),   r ≤ m
//
// with k_m(x) the kernel values between the landmarks and x. Errors are as for Compute, and wrap
// ErrConfig if cfg does not fit x, and ErrNotPSD if K_mm has an eigenvalue below −1e-8 of the
// largest or no jitter suffices. x is neither modified nor retained.
func FitNystrom(ctx context.Context, k kernel.Kernel, x mat.Matrix, cfg NystromConfig) (*Nystrom, error) {
	if err := validate(k); err != nil {
		return nil, err
	}
	p, err := newPoints("x", x)
	if err != nil {
		return nil, err
	}
	indices, err := cfg.choose(p)
	if err != nil {
		return nil, err
	}
	ny := &Nystrom{kernel: k, indices: indices, landmarks: mat.NewDense(len(indices), p.d, nil)}
	for i, at := range indices {
		ny.landmarks.SetRow(i, p.row(at))
	}
	kmm, err := Compute(ctx, k, ny.landmarks)
	if err != nil {
		return nil, fmt.Errorf("landmarks: %w", err)
	}
	if err := ny.factorize(kmm, cfg); err != nil {
		return nil, err
	}
	return ny, nil
}

// choose checks the config and returns the landmarks in ascending order, or as given.
func (c NystromConfig) choose(p *points) ([]int, error) {
	switch {
	case c.Factorization < Automatic || c.Factorization > PseudoInverse:
		return nil, fmt.Errorf("%w: Factorization is %d, want Automatic, Cholesky or PseudoInverse", ErrConfig, c.Factorization)
	case !(c.CutOff >= 0 && c.CutOff < 1):
		return nil, fmt.Errorf("%w: CutOff is %v, want 0 or above and below 1", ErrConfig, c.CutOff)
	case c.Indices != nil:
		return c.given(p)
	}
	distinct := p.distinctRows()
	m := c.Landmarks
	if m == 0 {
		m = min(defaultLandmarks, len(distinct))
	}
	if m < 1 || m > len(distinct) {
		return nil, fmt.Errorf("%w: Landmarks is %d, want 1 to %d, the number of distinct rows (0 means %d)",
			ErrConfig, m, len(distinct), min(defaultLandmarks, len(distinct)))
	}
	src := c.Src
	if src == nil {
		src = rand.NewPCG(1, 1)
	}
	rnd := rand.New(src)
	for i := range m {
		j := i + rnd.IntN(len(distinct)-i)
		distinct[i], distinct[j] = distinct[j], distinct[i]
	}
	indices := distinct[:m]
	slices.Sort(indices)
	return indices, nil
}

// given checks the landmarks that the caller chose.
func (c NystromConfig) given(p *points) ([]int, error) {
	if len(c.Indices) == 0 || c.Landmarks != 0 && c.Landmarks != len(c.Indices) {
		return nil, fmt.Errorf("%w: %d Indices and Landmarks = %d, want at least one index and Landmarks 0 or their number",
			ErrConfig, len(c.Indices), c.Landmarks)
	}
	seen := make(map[int]bool, len(c.Indices))
	for i, at := range c.Indices {
		if at < 0 || at >= p.n {
			return nil, fmt.Errorf("%w: Indices[%d] is %d, want 0 to %d", ErrConfig, i, at, p.n-1)
		}
		if seen[at] {
			return nil, fmt.Errorf("%w: Indices[%d] is %d, which was given before", ErrConfig, i, at)
		}
		seen[at] = true
	}
	return slices.Clone(c.Indices), nil
}

func (ny *Nystrom) factorize(kmm *mat.SymDense, cfg NystromConfig) error {
	const eps = 0x1p-52
	m := kmm.SymmetricDim()
	var chol mat.Cholesky
	switch cfg.Factorization {
	case Automatic:
		if chol.Factorize(kmm) && chol.Cond()*float64(m)*eps < 1 {
			ny.upper = chol.RawU().(*mat.TriDense)
			return nil
		}
	case Cholesky:
		return ny.jittered(kmm)
	}
	cut := cfg.CutOff
	if cut == 0 {
		cut = float64(m) * eps
	}
	return ny.invert(kmm, cut)
}

// jittered factorises K_mm + jitter·I with the smallest jitter of the ladder that works.
func (ny *Nystrom) jittered(kmm *mat.SymDense) error {
	m := kmm.SymmetricDim()
	mean := kmm.Trace() / float64(m)
	if !(mean > 0) {
		return fmt.Errorf("%w: the mean of the landmarks' k(x, x) is %v, want above 0", ErrNotPSD, mean)
	}
	work := mat.NewSymDense(m, nil)
	for e := -13; e <= -4; e++ {
		jitter := 0.0
		if e > -13 {
			jitter = mean * math.Pow10(e)
		}
		work.CopySym(kmm)
		for i := range m {
			work.SetSym(i, i, kmm.At(i, i)+jitter)
		}
		var chol mat.Cholesky
		if chol.Factorize(work) {
			ny.jitter = jitter
			ny.upper = chol.RawU().(*mat.TriDense)
			return nil
		}
	}
	return fmt.Errorf("%w: the landmarks' Gram matrix plus 1e-4 of its mean diagonal, %v, has no Cholesky factor",
		ErrNotPSD, mean)
}

// invert computes U Λ^−½ from the eigenvalues above cut times the largest.
func (ny *Nystrom) invert(kmm *mat.SymDense, cut float64) error {
	pairs, err := eigen.Symmetric(kmm)
	if err != nil {
		return fmt.Errorf("landmarks: %w", err)
	}
	largest, smallest := pairs.Values[0], pairs.Values[len(pairs.Values)-1]
	if !(largest > 0) || smallest < -1e-8*largest {
		return fmt.Errorf("%w: the eigenvalues of the landmarks' Gram matrix go from %v to %v, want none below −1e-8 of the largest",
			ErrNotPSD, smallest, largest)
	}
	r := 0
	for r < len(pairs.Values) && pairs.Values[r] > cut*largest {
		r++
	}
	ny.project = mat.NewDense(len(pairs.Values), r, nil)
	ny.project.Copy(pairs.Vectors.Slice(0, len(pairs.Values), 0, r))
	ny.project.Apply(func(_, j int, v float64) float64 { return v / math.Sqrt(pairs.Values[j]) }, ny.project)
	return nil
}

// Features returns the M×r features of the rows of z, an M×d matrix. Errors are as for Cross.
func (ny *Nystrom) Features(ctx context.Context, z mat.Matrix) (*mat.Dense, error) {
	c, err := Cross(ctx, ny.kernel, z, ny.landmarks)
	if err != nil {
		return nil, err
	}
	if ny.project != nil {
		rows, _ := c.Dims()
		f := mat.NewDense(rows, ny.Rank(), nil)
		f.Mul(c, ny.project)
		return f, nil
	}
	raw := c.RawMatrix()
	const block = 64
	err = parallel(ctx, blocks(raw.Rows, block), func(job int) {
		i := job * block
		part := raw
		part.Rows = min(block, raw.Rows-i)
		part.Data = raw.Data[i*raw.Stride:]
		blas64.Trsm(blas.Right, blas.NoTrans, 1, ny.upper.RawTriangular(), part)
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Rank returns r, the number of features.
func (ny *Nystrom) Rank() int {
	if ny.project != nil {
		_, r := ny.project.Dims()
		return r
	}
	return len(ny.indices)
}

// Jitter returns what was added to the diagonal of the landmarks' Gram matrix.
func (ny *Nystrom) Jitter() float64 { return ny.jitter }

// Indices returns a copy of the landmarks' row numbers.
func (ny *Nystrom) Indices() []int { return slices.Clone(ny.indices) }

// Landmarks returns a copy of the landmarks, an m×d matrix.
func (ny *Nystrom) Landmarks() *mat.Dense { return mat.DenseCopyOf(ny.landmarks) }

// String returns the kernel and the sizes.
func (ny *Nystrom) String() string {
	return fmt.Sprintf("gram.Nystrom(%v, m=%d, r=%d, jitter=%.3g)", ny.kernel, len(ny.indices), ny.Rank(), ny.jitter)
}
