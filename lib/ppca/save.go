package ppca

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
)

// Saved models are one JSON object with these marks. A change of meaning raises the version.
const (
	primalFormat  = "eigenbook/ppca"
	dualFormat    = "eigenbook/ppca-dual"
	formatVersion = 1
)

// savedSolution is the part of a saved model that both kinds share. Floats are written with the
// shortest digits that read back as the same bits.
type savedSolution struct {
	Format         string    `json:"format"`
	Version        int       `json:"version"`
	Observations   int       `json:"observations"`
	Centred        bool      `json:"centred"`
	Eigenvalues    []float64 `json:"eigenvalues"`
	Complete       bool      `json:"complete"`
	Precise        bool      `json:"precise,omitempty"`
	Trace          float64   `json:"trace"`
	Rank           int       `json:"rank"`
	NumericalRank  int       `json:"numerical_rank"`
	RankTolerance  float64   `json:"rank_tolerance"`
	RankSource     string    `json:"rank_source"`
	Noise          int       `json:"noise"` // 0 range, −1 samples, else explicit
	NoiseDim       int       `json:"noise_dim"`
	Latent         int       `json:"latent"`
	NoiseVariance  float64   `json:"noise_variance"`
	Observed       *float64  `json:"observed_log_likelihood,omitempty"`
	Missing        int       `json:"missing_entries,omitempty"`
	Lowest         float64   `json:"lowest_eigenvalue"`
	Converged      bool      `json:"converged"`
	Rotation       []float64 `json:"rotation,omitempty"` // q×q, row after row
	VectorsPerAxis int       `json:"vector_length"`
	Vectors        []float64 `json:"vectors"` // row after row, one column for each pair
}

type savedPrimal struct {
	savedSolution
	Mean []float64 `json:"mean"`
}

type savedDual struct {
	savedSolution
	RowMeans  []float64       `json:"row_means,omitempty"` // N, if centred
	GrandMean float64         `json:"grand_mean,omitempty"`
	Kernel    json.RawMessage `json:"kernel,omitempty"`
	Columns   int             `json:"columns,omitempty"` // d, if there is a kernel
	Rows      []float64       `json:"rows,omitempty"`    // N×d, row after row
}

func (s *solution) saved(format string, vectors, rotation *mat.Dense) savedSolution {
	f := savedSolution{
		Format: format, Version: formatVersion, Observations: s.n, Centred: s.centred,
		Eigenvalues: s.values, Complete: s.all, Precise: s.precise, Trace: s.trace, Rank: s.rank, NumericalRank: s.numeric,
		RankTolerance: s.tolerance, RankSource: s.rankSource, Noise: int(s.noise), NoiseDim: s.dim,
		Latent: s.q, NoiseVariance: s.sigma2, Observed: s.observed, Missing: s.missing, Lowest: s.lowest, Converged: s.converged,
	}
	if rotation != nil {
		f.Rotation = flat(rotation)
	}
	if vectors != nil {
		f.VectorsPerAxis, _ = vectors.Dims()
		f.Vectors = flat(vectors)
	}
	return f
}

// flat returns the entries row after row.
func flat(m *mat.Dense) []float64 {
	return mat.DenseCopyOf(m).RawMatrix().Data
}

// Save writes the model to w in a versioned JSON format that LoadPrimal reads on any machine. The
// error is that of w.
func (m *Model) Save(w io.Writer) error {
	return encode(w, savedPrimal{savedSolution: m.saved(primalFormat, m.directions, m.rotation), Mean: m.mean})
}

// Save writes the model to w in a versioned JSON format that LoadDual reads on any machine, with
// kernel and training rows. What SampleLeading needs of a Gram matrix without kernel is not
// saved. The error wraps that of kernel.Marshal if the kernel cannot be saved (kernel.Func), or
// is that of w.
func (m *DualModel) Save(w io.Writer) error {
	f := savedDual{savedSolution: m.saved(dualFormat, m.vectors, m.rotation), RowMeans: m.centering.RowMeans, GrandMean: m.centering.GrandMean}
	if m.kernel != nil {
		k, err := kernel.Marshal(m.kernel)
		if err != nil {
			return fmt.Errorf("ppca: not saved: %w", err)
		}
		f.Kernel, f.Rows = k, flat(m.x)
		_, f.Columns = m.x.Dims()
	}
	return encode(w, f)
}

func encode(w io.Writer, v any) error {
	if err := json.NewEncoder(w).Encode(v); err != nil {
		return fmt.Errorf("ppca: not saved: %w", err)
	}
	return nil
}

// decode reads one JSON object and nothing after it.
func decode(r io.Reader, v any) error {
	decoder := json.NewDecoder(r)
	if err := decoder.Decode(v); err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: more data after the model", ErrFormat)
	}
	return nil
}

// LoadPrimal reads a model that Model.Save wrote. The error wraps ErrFormat if r holds something
// else, an unknown version, or values that do not fit together, and names the field.
func LoadPrimal(r io.Reader) (*Model, error) {
	var f savedPrimal
	if err := decode(r, &f); err != nil {
		return nil, err
	}
	if err := f.check(primalFormat, len(f.Mean)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	m := &Model{solution: f.solution(), mean: f.Mean}
	m.directions, m.rotation = f.matrices()
	return m, nil
}

// LoadDual reads a model that DualModel.Save wrote. The error wraps ErrFormat if r holds
// something else, an unknown version, or values that do not fit together, and names the field.
func LoadDual(r io.Reader) (*DualModel, error) {
	var f savedDual
	if err := decode(r, &f); err != nil {
		return nil, err
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	m := &DualModel{solution: f.solution()}
	m.vectors, m.rotation = f.matrices()
	if f.Centred {
		m.centering = gram.Centering{RowMeans: f.RowMeans, GrandMean: f.GrandMean}
	}
	if f.Kernel != nil {
		k, err := kernel.Unmarshal(f.Kernel)
		if err != nil {
			return nil, fmt.Errorf("%w: kernel: %w", ErrFormat, err)
		}
		m.kernel, m.x = k, mat.NewDense(f.Observations, f.Columns, f.Rows)
	}
	m.setOffsets()
	return m, nil
}

func (f *savedSolution) solution() solution {
	s := solution{
		n: f.Observations, values: f.Eigenvalues, all: f.Complete, precise: f.Precise, trace: f.Trace, centred: f.Centred,
		rank: f.Rank, numeric: f.NumericalRank, tolerance: f.RankTolerance, rankSource: f.RankSource,
		noise: NoiseDimension(f.Noise), dim: f.NoiseDim, q: f.Latent, sigma2: f.NoiseVariance,
		observed: f.Observed, missing: f.Missing, lowest: f.Lowest, converged: f.Converged,
	}
	s.warn()
	return s
}

func (f *savedSolution) matrices() (vectors, rotation *mat.Dense) {
	vectors = mat.NewDense(f.VectorsPerAxis, len(f.Vectors)/f.VectorsPerAxis, f.Vectors)
	if f.Rotation != nil {
		rotation = mat.NewDense(f.Latent, f.Latent, f.Rotation)
	}
	return vectors, rotation
}

func (f *savedDual) check() error {
	n := f.Observations
	if err := f.savedSolution.check(dualFormat, n); err != nil {
		return err
	}
	if f.Centred && len(f.RowMeans) != n {
		return fmt.Errorf("row_means has %d values, want %d", len(f.RowMeans), n)
	}
	if f.Kernel != nil && (f.Columns < 1 || len(f.Rows)/f.Columns != n || len(f.Rows)%f.Columns != 0) {
		return fmt.Errorf("rows has %d values and columns is %d, want %d rows", len(f.Rows), f.Columns, n)
	}
	return nil
}

// check returns an error that names the first field that does not fit; length is that of an
// eigenvector. JSON has no NaN and no Inf.
func (f *savedSolution) check(format string, length int) error {
	k := len(f.Eigenvalues)
	switch {
	case f.Format != format:
		return fmt.Errorf("format is %q, want %q", f.Format, format)
	case f.Version != formatVersion:
		return fmt.Errorf("version is %d, this program reads version %d", f.Version, formatVersion)
	case f.Observations < 1 || length < 1:
		return fmt.Errorf("%d observations and eigenvectors of length %d, want 1 or more", f.Observations, length)
	case k < 1 || !(f.Trace > 0):
		return fmt.Errorf("%d eigenvalues and trace %v, want some and a positive trace", k, f.Trace)
	case f.VectorsPerAxis != length || len(f.Vectors)%length != 0:
		return fmt.Errorf("vectors has %d values and vector_length is %d, want columns of length %d", len(f.Vectors), f.VectorsPerAxis, length)
	case f.NumericalRank < 1 || f.NumericalRank > k || f.NumericalRank > f.Rank || len(f.Vectors)/length != f.NumericalRank:
		return fmt.Errorf("numerical_rank is %d beside rank %d, %d eigenvalues and %d vectors", f.NumericalRank, f.Rank, k, len(f.Vectors)/length)
	case f.Latent < 0 || f.Latent > f.NumericalRank:
		return fmt.Errorf("latent is %d, want 0 to the numerical rank %d", f.Latent, f.NumericalRank)
	case !(f.RankTolerance > 0 && f.RankTolerance < 1):
		return fmt.Errorf("rank_tolerance is %v, want above 0 and below 1", f.RankTolerance)
	case f.NoiseDim < f.Rank || f.Noise < -1 || f.NoiseDim > 1<<40:
		return fmt.Errorf("noise_dim is %d and noise is %d, want at least the rank %d, and -1 or more", f.NoiseDim, f.Noise, f.Rank)
	case f.Missing < 0:
		return fmt.Errorf("missing_entries is %d, want 0 or more", f.Missing)
	case f.NoiseVariance < 0:
		return fmt.Errorf("noise_variance is %v, want 0 or more", f.NoiseVariance)
	case f.Rotation != nil && len(f.Rotation) != f.Latent*f.Latent || f.Rotation != nil && f.Latent == 0:
		return fmt.Errorf("rotation has %d values, want %d×%d", len(f.Rotation), f.Latent, f.Latent)
	}
	if err := descending(f.Eigenvalues, f.NumericalRank); err != nil {
		return err
	}
	if f.Latent > 0 {
		if bound := f.Eigenvalues[f.Latent-1] / float64(f.Observations); f.NoiseVariance > bound*(1+1e-12) {
			return fmt.Errorf("noise_variance is %v, want at most %v", f.NoiseVariance, bound)
		}
	}
	return unit(f.Vectors, f.NumericalRank)
}

// unit refuses a matrix, row after row, whose columns are not k vectors of length 1.
func unit(vectors []float64, k int) error {
	for p := range k {
		square := 0.0
		for i := p; i < len(vectors); i += k {
			square += vectors[i] * vectors[i]
		}
		if !(math.Abs(square-1) <= 1e-6) {
			return fmt.Errorf("eigenvector %d has squared length %v, want 1", p, square)
		}
	}
	return nil
}

// descending refuses eigenvalues that are not descending and ≥ 0, the first positive ones > 0.
func descending(values []float64, positive int) error {
	for p, v := range values {
		if v < 0 || p > 0 && v > values[p-1] || p < positive && v == 0 {
			return fmt.Errorf("eigenvalues[%d] is %v, want descending values ≥ 0", p, v)
		}
	}
	return nil
}
