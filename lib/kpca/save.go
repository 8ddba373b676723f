package kpca

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
	formatName    = "eigenbook/kpca"
	formatVersion = 1
)

// file is the saved form of a Model. Floats are written with the shortest digits that read back
// as the same bits.
type file struct {
	Format        string          `json:"format"`
	Version       int             `json:"version"`
	Observations  int             `json:"observations"`
	Centred       bool            `json:"centred"`
	Eigenvalues   []float64       `json:"eigenvalues"`  // q
	Spectrum      []float64       `json:"spectrum"`     // q or more
	Eigenvectors  []float64       `json:"eigenvectors"` // N×q, row after row
	Trace         float64         `json:"trace"`
	RankTolerance float64         `json:"rank_tolerance"`
	Converged     bool            `json:"converged"`
	Warnings      []string        `json:"warnings,omitempty"`
	RowMeans      []float64       `json:"row_means,omitempty"` // N, if centred
	GrandMean     float64         `json:"grand_mean,omitempty"`
	Kernel        json.RawMessage `json:"kernel,omitempty"`
	Columns       int             `json:"columns,omitempty"` // d, if there is a kernel
	Rows          []float64       `json:"rows,omitempty"`    // N×d, row after row
}

// Save writes the model to w in a versioned JSON format that Load reads on any machine: all that
// Transform needs, with the kernel and the training rows. The error wraps that of kernel.Marshal
// if the kernel cannot be saved (kernel.Func), or that of w.
func (m *Model) Save(w io.Writer) error {
	f := file{
		Format: formatName, Version: formatVersion,
		Observations: m.n, Centred: m.centred, Eigenvalues: m.values, Spectrum: m.spectrum,
		Eigenvectors: m.vectors.RawMatrix().Data, Trace: m.trace, RankTolerance: m.tolerance,
		Converged: m.converged, RowMeans: m.centering.RowMeans, GrandMean: m.centering.GrandMean,
	}
	for _, warning := range m.warnings {
		f.Warnings = append(f.Warnings, warning.Error())
	}
	if m.kernel != nil {
		k, err := kernel.Marshal(m.kernel)
		if err != nil {
			return fmt.Errorf("kpca: not saved: %w", err)
		}
		f.Kernel = k
		f.Rows = m.x.RawMatrix().Data
		_, f.Columns = m.x.Dims()
	}
	if err := json.NewEncoder(w).Encode(f); err != nil {
		return fmt.Errorf("kpca: not saved: %w", err)
	}
	return nil
}

// Load reads a model that Save wrote. The error wraps ErrFormat if r holds something else, an
// unknown version, or values that do not fit together, and names the field.
func Load(r io.Reader) (*Model, error) {
	decoder := json.NewDecoder(r)
	var f file
	if err := decoder.Decode(&f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: more data after the model", ErrFormat)
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	m := &Model{
		n: f.Observations, centred: f.Centred, values: f.Eigenvalues, spectrum: f.Spectrum,
		vectors: mat.NewDense(f.Observations, len(f.Eigenvalues), f.Eigenvectors),
		trace:   f.Trace, tolerance: f.RankTolerance, converged: f.Converged,
	}
	for _, warning := range f.Warnings {
		m.warnings = append(m.warnings, errors.New(warning))
	}
	if f.Centred {
		m.centering = gram.Centering{RowMeans: f.RowMeans, GrandMean: f.GrandMean}
	}
	m.setOffsets()
	if f.Kernel != nil {
		k, err := kernel.Unmarshal(f.Kernel)
		if err != nil {
			return nil, fmt.Errorf("%w: kernel: %w", ErrFormat, err)
		}
		m.kernel = k
		m.x = mat.NewDense(f.Observations, f.Columns, f.Rows)
	}
	return m, nil
}

// check returns an error that names the first field that does not fit. JSON has no NaN and no
// Inf.
func (f *file) check() error {
	n, q := f.Observations, len(f.Eigenvalues)
	switch {
	case f.Format != formatName:
		return fmt.Errorf("format is %q, want %q", f.Format, formatName)
	case f.Version != formatVersion:
		return fmt.Errorf("version is %d, this program reads version %d", f.Version, formatVersion)
	case n < 1 || q < 1 || q > n:
		return fmt.Errorf("%d observations and %d eigenvalues, want 1 or more and at most as many", n, q)
	case len(f.Spectrum) < q || len(f.Spectrum) > n:
		return fmt.Errorf("spectrum has %d values, want %d to %d", len(f.Spectrum), q, n)
	case len(f.Eigenvectors)/n != q || len(f.Eigenvectors)%n != 0:
		return fmt.Errorf("eigenvectors has %d values, want %d×%d", len(f.Eigenvectors), n, q)
	case !(f.Trace > 0):
		return fmt.Errorf("trace is %v, want a positive number", f.Trace)
	case !(f.RankTolerance > 0 && f.RankTolerance < 1):
		return fmt.Errorf("rank_tolerance is %v, want above 0 and below 1", f.RankTolerance)
	case f.Centred && len(f.RowMeans) != n:
		return fmt.Errorf("row_means has %d values, want %d", len(f.RowMeans), n)
	case f.Kernel != nil && (f.Columns < 1 || len(f.Rows)/f.Columns != n || len(f.Rows)%f.Columns != 0):
		return fmt.Errorf("rows has %d values and columns is %d, want %d rows", len(f.Rows), f.Columns, n)
	}
	for p, v := range f.Spectrum {
		if v < 0 || (p > 0 && v > f.Spectrum[p-1]) || (p < q && v != f.Eigenvalues[p]) {
			return fmt.Errorf("spectrum[%d] is %v, want descending values ≥ 0 that begin with the eigenvalues", p, v)
		}
	}
	for p := range q {
		sum := 0.0
		for i := range n {
			v := f.Eigenvectors[i*q+p]
			sum += v * v
		}
		if !(math.Abs(sum-1) <= 1e-6) {
			return fmt.Errorf("eigenvector %d has squared length %v, want 1", p, sum)
		}
	}
	return nil
}
