package ppca

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
)

// Components returns the number of components.
func (m *Mixture) Components() int { return len(m.models) }

// Weights returns the weights π_k, which sum to 1.
func (m *Mixture) Weights() []float64 { return slices.Clone(m.weights) }

// Model returns component k: its mean, loadings, noise variance, densities and latents. Its
// counts and LogLikelihood are those of N rows with the component's covariance. The error wraps
// ErrConfig if there is no such component.
func (m *Mixture) Model(k int) (*Model, error) {
	if k < 0 || k >= len(m.models) {
		return nil, fmt.Errorf("%w: component is %d, want 0 to %d", ErrConfig, k, len(m.models)-1)
	}
	return m.models[k], nil
}

// LogLikelihood returns the log-likelihood of the training data in nats.
func (m *Mixture) LogLikelihood() float64 { return m.trace[len(m.trace)-1] }

// Trace returns the log-likelihood of the start and after each iteration of the best run.
func (m *Mixture) Trace() []float64 { return slices.Clone(m.trace) }

// Converged reports whether the best run reached its tolerance.
func (m *Mixture) Converged() bool { return m.converged }

// Parameters returns the number of free parameters: those of each component, and the weights.
func (m *Mixture) Parameters() int {
	count := len(m.models) - 1
	for _, c := range m.models {
		count += c.Parameters()
	}
	return count
}

// BIC returns −2 LL + Parameters·ln N; smaller is better.
func (m *Mixture) BIC() float64 {
	return -2*m.LogLikelihood() + float64(m.Parameters())*math.Log(float64(m.n))
}

// checkPoints returns a copy of new points whose densities can be computed.
func (m *Mixture) checkPoints(z mat.Matrix) (*mat.Dense, error) {
	c, err := checkedWidth("z", z, len(m.models[0].mean), "as the training data have")
	if err != nil {
		return nil, err
	}
	for i, v := range squaredNorms(c) {
		if v > 1e290 {
			return nil, fmt.Errorf("%w: the squared length of row %d of z is %.3g, want at most 1e290", gram.ErrNotFinite, i, v)
		}
	}
	return c, nil
}

// LogDensity returns the log density of each row of z (M×d) in nats. The error wraps
// gram.ErrShape and gram.ErrNotFinite.
func (m *Mixture) LogDensity(z mat.Matrix) ([]float64, error) {
	c, err := m.checkPoints(z)
	if err != nil {
		return nil, err
	}
	joint := m.joint(c)
	rows, _ := joint.Dims()
	out := make([]float64, rows)
	for i := range out {
		out[i] = logSum(joint.RawRowView(i))
	}
	return out, nil
}

// Responsibilities returns the probability of each component given each row of z (M×d), an M×K
// matrix with rows that sum to 1. Errors are those of LogDensity, and gram.ErrNotFinite for a row so
// far away that its density is 0 under every component.
func (m *Mixture) Responsibilities(z mat.Matrix) (*mat.Dense, error) {
	c, err := m.checkPoints(z)
	if err != nil {
		return nil, err
	}
	resp, _ := m.posterior(c)
	rows, _ := resp.Dims()
	for i := range rows {
		if math.IsNaN(resp.At(i, 0)) {
			return nil, fmt.Errorf("%w: row %d of z is so far from every component that its log density is −Inf", gram.ErrNotFinite, i)
		}
	}
	return resp, nil
}

// Sample draws n observations, an n×d matrix, and the component of each. A nil src is
// rand.NewPCG(1, 1). The error wraps gram.ErrShape if n < 1.
func (m *Mixture) Sample(n int, src rand.Source) (*mat.Dense, []int, error) {
	if err := checkCount(n); err != nil {
		return nil, nil, err
	}
	if src == nil {
		src = rand.NewPCG(1, 1)
	}
	rng := rand.New(src)
	labels := make([]int, n)
	out := mat.NewDense(n, len(m.models[0].mean), nil)
	for i := range n {
		at := rng.Float64()
		k := 0
		for k < len(m.weights)-1 && at >= m.weights[k] {
			at -= m.weights[k]
			k++
		}
		labels[i] = k
		row, err := m.models[k].Sample(1, src)
		if err != nil {
			return nil, nil, err
		}
		out.SetRow(i, row.RawRowView(0))
	}
	return out, labels, nil
}

// String returns the sizes in one line.
func (m *Mixture) String() string {
	return fmt.Sprintf("ppca.Mixture(K=%d, N=%d, d=%d, q=%d)", len(m.models), m.n, len(m.models[0].mean), m.models[0].q)
}
