package gram

import (
	"context"
	"fmt"
	"math"

	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

// Compute returns the Gram matrix of the rows of x, an N×d matrix: K with entries k(xᵢ, xⱼ).
// Both triangles of the backing array are filled. Only half of the values are evaluated.
//
// The error wraps ErrShape, ErrNotFinite (naming the first bad entry of x, or of K), ErrTooLarge,
// ErrKernel, kernel.ErrParameter, kernel.ErrDomain, ErrNotSymmetric (a Func that is not) or
// ctx.Err(). x is neither modified nor retained.
func Compute(ctx context.Context, k kernel.Kernel, x mat.Matrix) (*mat.SymDense, error) {
	if err := validate(k); err != nil {
		return nil, err
	}
	p, err := newPoints("x", x)
	if err != nil {
		return nil, err
	}
	return compute(ctx, k, p)
}

func compute(ctx context.Context, k kernel.Kernel, p *points) (*mat.SymDense, error) {
	if err := checkSize("Gram matrix", p.n, p.n); err != nil {
		return nil, err
	}
	if err := p.checkDomain("x", k); err != nil {
		return nil, err
	}
	out := make([]float64, p.n*p.n)
	if r, ok := kernel.Rows(k); ok {
		if err := fillSymmetric(ctx, r, p, out); err != nil {
			return nil, err
		}
	} else if err := evalSymmetric(ctx, k, p, out); err != nil {
		return nil, err
	}
	return mat.NewSymDense(p.n, out), nil
}

// Cross returns the M×N matrix with entries k(zᵢ, xⱼ) for the rows of z, M×d, and x, N×d. A row
// of z that equals a row of x gets the bits of that row of Compute. Errors are as for Compute,
// and wrap ErrShape if z and x differ in width.
func Cross(ctx context.Context, k kernel.Kernel, z, x mat.Matrix) (*mat.Dense, error) {
	if err := validate(k); err != nil {
		return nil, err
	}
	pz, px, err := newPair(z, x)
	if err != nil {
		return nil, err
	}
	return cross(ctx, k, pz, px)
}

func cross(ctx context.Context, k kernel.Kernel, z, x *points) (*mat.Dense, error) {
	if err := checkSize("kernel matrix", z.n, x.n); err != nil {
		return nil, err
	}
	if err := x.checkDomain("x", k); err != nil {
		return nil, err
	}
	if err := z.checkDomain("z", k); err != nil {
		return nil, err
	}
	out := make([]float64, z.n*x.n)
	if r, ok := kernel.Rows(k); ok {
		if err := fill(ctx, r, z, x, out); err != nil {
			return nil, err
		}
	} else if err := evalAll(ctx, k, z, x, out); err != nil {
		return nil, err
	}
	return mat.NewDense(z.n, x.n, out), nil
}

// Diagonal returns the N values k(xᵢ, xᵢ). Errors are as for Compute.
func Diagonal(k kernel.Kernel, x mat.Matrix) ([]float64, error) {
	if err := validate(k); err != nil {
		return nil, err
	}
	p, err := newPoints("x", x)
	if err != nil {
		return nil, err
	}
	return diagonal(k, p, "x")
}

func diagonal(k kernel.Kernel, p *points, name string) ([]float64, error) {
	if err := p.checkDomain(name, k); err != nil {
		return nil, err
	}
	v := make([]float64, p.n)
	for i := range v {
		v[i] = k.Eval(p.row(i), p.row(i))
		if !isFinite(v[i]) {
			return nil, valueError(k, v[i], i, i)
		}
	}
	return v, nil
}

func validate(k kernel.Kernel) error {
	if k == nil {
		return fmt.Errorf("%w: the kernel is nil", kernel.ErrParameter)
	}
	return k.Validate()
}

// evalSymmetric fills the n×n matrix out by Eval, half of it and mirrored, on this goroutine.
func evalSymmetric(ctx context.Context, k kernel.Kernel, p *points, out []float64) error {
	for i := range p.n {
		if ctx.Err() != nil {
			return fmt.Errorf("gram: stopped at row %d of %d: %w", i, p.n, ctx.Err())
		}
		for j := range i + 1 {
			v := k.Eval(p.row(i), p.row(j))
			if !isFinite(v) {
				return valueError(k, v, i, j)
			}
			out[i*p.n+j], out[j*p.n+i] = v, v
		}
		if i > 0 {
			v, w := out[i*p.n+i-1], k.Eval(p.row(i-1), p.row(i))
			if !(math.Abs(v-w) <= symmetryTol*max(math.Abs(v), math.Abs(w))) {
				return fmt.Errorf("%w: %v is %v at rows (%d, %d) but %v at rows (%d, %d)",
					ErrNotSymmetric, k, v, i, i-1, w, i-1, i)
			}
		}
	}
	return nil
}

// evalAll fills the z.n×x.n matrix out by Eval on this goroutine.
func evalAll(ctx context.Context, k kernel.Kernel, z, x *points, out []float64) error {
	for i := range z.n {
		if ctx.Err() != nil {
			return fmt.Errorf("gram: stopped at row %d of %d: %w", i, z.n, ctx.Err())
		}
		for j := range x.n {
			v := k.Eval(z.row(i), x.row(j))
			if !isFinite(v) {
				return valueError(k, v, i, j)
			}
			out[i*x.n+j] = v
		}
	}
	return nil
}

// checkValues returns an error that names the first entry of out, a matrix with n columns, that
// is not finite.
func checkValues(k kernel.Kernel, out []float64, n int) error {
	if at := firstNotFinite(out); at >= 0 {
		return valueError(k, out[at], at/n, at%n)
	}
	return nil
}

func valueError(k kernel.Kernel, v float64, i, j int) error {
	return fmt.Errorf("%w: %v is %v at row %d, column %d of the kernel matrix", ErrNotFinite, k, v, i, j)
}

func isFinite(v float64) bool { return v-v == 0 }
