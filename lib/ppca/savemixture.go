package ppca

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"
)

const mixtureFormat = "eigenbook/ppca-mixture"

// A savedMixture is a mixture as a file, in the format of the other models.
type savedMixture struct {
	Format       string           `json:"format"`
	Version      int              `json:"version"`
	Observations int              `json:"observations"`
	Latent       int              `json:"latent"`
	Weights      []float64        `json:"weights"`
	Components   []savedComponent `json:"components"`      // one for each weight
	Trace        []float64        `json:"log_likelihoods"` // of the start and each iteration
	Converged    bool             `json:"converged"`
}

type savedComponent struct {
	Mean          []float64 `json:"mean"`        // d
	Eigenvalues   []float64 `json:"eigenvalues"` // d, those of the covariance times observations
	Vectors       []float64 `json:"vectors"`     // d×d, row after row, one column for each eigenvalue
	NoiseVariance float64   `json:"noise_variance"`
}

// Save writes the mixture to w in a versioned JSON format that LoadMixture reads on any machine.
// The error is that of w.
func (m *Mixture) Save(w io.Writer) error {
	f := savedMixture{
		Format: mixtureFormat, Version: formatVersion, Observations: m.n, Latent: m.models[0].q,
		Weights: m.weights, Trace: m.trace, Converged: m.converged,
	}
	for _, c := range m.models {
		f.Components = append(f.Components, savedComponent{
			Mean: c.mean, Eigenvalues: c.values, Vectors: flat(c.directions), NoiseVariance: c.sigma2,
		})
	}
	return encode(w, f)
}

// LoadMixture reads a mixture that Mixture.Save wrote. The error wraps ErrFormat if r holds
// something else, an unknown version, or values that do not fit together, and names the field.
func LoadMixture(r io.Reader) (*Mixture, error) {
	var f savedMixture
	if err := decode(r, &f); err != nil {
		return nil, err
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	m := &Mixture{n: f.Observations, weights: f.Weights, trace: f.Trace, converged: f.Converged}
	for _, c := range f.Components {
		d := len(c.Mean)
		m.models = append(m.models, component(f.Observations, f.Latent, c.Mean, c.Eigenvalues, mat.NewDense(d, d, c.Vectors), c.NoiseVariance))
	}
	return m, nil
}

// check returns an error that names the first field that does not fit.
func (f *savedMixture) check() error {
	switch {
	case f.Format != mixtureFormat:
		return fmt.Errorf("format is %q, want %q", f.Format, mixtureFormat)
	case f.Version != formatVersion:
		return fmt.Errorf("version is %d, this program reads version %d", f.Version, formatVersion)
	case f.Observations < 1:
		return fmt.Errorf("%d observations, want 1 or more", f.Observations)
	case len(f.Components) < 1 || len(f.Components) != len(f.Weights):
		return fmt.Errorf("%d components and %d weights, want as many, and some", len(f.Components), len(f.Weights))
	case len(f.Trace) < 1:
		return fmt.Errorf("log_likelihoods is empty, want that of the mixture at least")
	}
	for k, w := range f.Weights {
		if !(w > 0 && w <= 1) {
			return fmt.Errorf("weights[%d] is %v, want above 0, up to 1", k, w)
		}
	}
	if total := sum(f.Weights); math.Abs(total-1) > 1e-9 {
		return fmt.Errorf("the weights sum to %v, want 1", total)
	}
	for k, c := range f.Components {
		if err := c.check(len(f.Components[0].Mean), f.Latent, f.Observations); err != nil {
			return fmt.Errorf("component %d: %w", k, err)
		}
	}
	return nil
}

// check is that of one component in d dimensions with q latent ones.
func (c *savedComponent) check(d, q, n int) error {
	switch {
	case len(c.Mean) != d || d < 1:
		return fmt.Errorf("mean has %d values, want as many as that of component 0, and some", len(c.Mean))
	case q < 0 || q >= d:
		return fmt.Errorf("latent is %d, want 0 to %d", q, d-1)
	case len(c.Eigenvalues) != d:
		return fmt.Errorf("eigenvalues has %d values, want %d", len(c.Eigenvalues), d)
	case len(c.Vectors)/d != d || len(c.Vectors)%d != 0:
		return fmt.Errorf("vectors has %d values, want %d×%d", len(c.Vectors), d, d)
	case !(c.NoiseVariance > 0):
		return fmt.Errorf("noise_variance is %v, want above 0", c.NoiseVariance)
	}
	for j, v := range c.Mean {
		if math.Abs(v) > 1e150 {
			return fmt.Errorf("mean[%d] is %v, want at most 1e150", j, v)
		}
	}
	if err := descending(c.Eigenvalues, q); err != nil {
		return err
	}
	if total := sum(c.Eigenvalues); !(total <= math.MaxFloat64) {
		return fmt.Errorf("the sum of the eigenvalues overflows, the largest is %v", c.Eigenvalues[0])
	}
	if q > 0 {
		if bound := c.Eigenvalues[q-1] / float64(n); c.NoiseVariance > bound*(1+1e-12) {
			return fmt.Errorf("noise_variance is %v, want at most %v", c.NoiseVariance, bound)
		}
	}
	return unit(c.Vectors, d)
}
