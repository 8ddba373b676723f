package ppca

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
)

// rotated checks r and returns r times the rotation already in force.
func (s *solution) rotated(r mat.Matrix, before *mat.Dense) (*mat.Dense, error) {
	c, err := checked("r", r)
	if err != nil {
		return nil, err
	}
	if a, b := c.Dims(); a != s.q || b != s.q {
		return nil, fmt.Errorf("%w: r is %d×%d, want %d×%d, the latent dimension", gram.ErrShape, a, b, s.q, s.q)
	}
	var gram mat.Dense
	gram.Mul(c.T(), c)
	for i := range s.q {
		for j := range s.q {
			want := 0.0
			if i == j {
				want = 1
			}
			if got := gram.At(i, j); math.Abs(got-want) > 1e-8 {
				return nil, fmt.Errorf("%w: r is not orthogonal: (rᵀr)[%d,%d] is %v, want %v", ErrConfig, i, j, got, want)
			}
		}
	}
	if before == nil {
		return c, nil
	}
	var out mat.Dense
	out.Mul(c, before)
	return &out, nil
}

// rotateRows returns x Rᵀ for rows x in the axes of the eigenvectors; x itself if R = I.
func rotateRows(x, r *mat.Dense) *mat.Dense {
	if r == nil {
		return x
	}
	var out mat.Dense
	out.Mul(x, r.T())
	return &out
}

// unrotateRows returns x R, the inverse of rotateRows.
func unrotateRows(x, r *mat.Dense) *mat.Dense {
	if r == nil {
		return x
	}
	var out mat.Dense
	out.Mul(x, r)
	return &out
}

// PosteriorCovariance returns σ² Σ = N σ² R Λ_q⁻¹ Rᵀ, the q×q covariance that the latents of all
// observations share; nil if q = 0. (The paper prints σ² Σ⁻¹ with Σ already inverted.)
func (s *solution) posteriorCovariance(r *mat.Dense) *mat.SymDense {
	if s.q == 0 {
		return nil
	}
	half := mat.NewDense(s.q, s.q, nil)
	for p := range s.q {
		half.Set(p, p, math.Sqrt(float64(s.n)*s.sigma2/s.values[p]))
	}
	if r != nil {
		half.Mul(r, mat.DenseCopyOf(half))
	}
	var out mat.SymDense
	out.SymOuterK(1, half)
	return &out
}

// latents turns the scores t_p (M×q, in eigenvector axes) into latent means, in place.
func (s *solution) latents(t, r *mat.Dense) *mat.Dense {
	scaleColumns(t, s.whiten())
	return rotateRows(t, r)
}

// checkLatent returns a copy of h (M×q) in the axes of the eigenvectors.
func (s *solution) checkLatent(h mat.Matrix, r *mat.Dense) (*mat.Dense, error) {
	if s.q == 0 {
		return nil, fmt.Errorf("%w: the model has no latent dimensions (q = 0)", gram.ErrShape)
	}
	c, err := checkedWidth("h", h, s.q, "the latent dimension")
	if err != nil {
		return nil, err
	}
	return unrotateRows(c, r), nil
}
