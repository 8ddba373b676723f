package gram

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// FourierConfig holds the settings of NewFourier. The zero value is usable.
type FourierConfig struct {
	Frequencies int         // m, which gives 2m features; 0 means 256
	Src         rand.Source // draws the frequencies; nil means rand.NewPCG(1, 1)
}

const defaultFrequencies = 256

// A Fourier maps points to random Fourier features (Rahimi & Recht 2007): with ω₁ … ω_m drawn
// from the spectral density of a stationary kernel,
//
//	z(x) = √(k(0)/m) [cos ω₁·x … cos ω_m·x, sin ω₁·x … sin ω_m·x],
//
// so that z(x)·z(y) = (k(0)/m) Σ cos ω_i·(x−y) has mean k(x, y), a standard deviation of at most
// k(0)/√m, and z(x)·z(x) is k(x, x). It does not change after NewFourier and is safe for
// concurrent use.
type Fourier struct {
	kernel kernel.Kernel
	d, m   int
	scale  float64   // √(k(0)/m)
	omega  []float64 // m×d
}

// NewFourier draws the frequencies of k for points of d dimensions. Kernels with a known
// spectral density are
//
//   - RBF: normal with standard deviation 1/ℓ;
//   - Laplacian: each coordinate Cauchy with scale 1/ℓ;
//   - Matern: Student t with 2ν degrees of freedom and scale 1/ℓ;
//   - Scaled, Product and Sum of such: the same, sums of independent draws, and a mixture.
//
// The error wraps kernel.ErrParameter, or ErrConfig if the kernel is another one, d < 1 or
// Frequencies < 0, or ErrTooLarge.
func NewFourier(k kernel.Kernel, d int, cfg FourierConfig) (*Fourier, error) {
	if err := validate(k); err != nil {
		return nil, err
	}
	draw, err := spectrumOf(k)
	if err != nil {
		return nil, err
	}
	m := cfg.Frequencies
	if m == 0 {
		m = defaultFrequencies
	}
	if m < 0 || d < 1 {
		return nil, fmt.Errorf("%w: %d frequencies for %d dimensions, want 1 or more of each", ErrConfig, m, d)
	}
	if err := checkSize("matrix of frequencies", m, d); err != nil {
		return nil, err
	}
	src := cfg.Src
	if src == nil {
		src = rand.NewPCG(1, 1)
	}
	rnd := rand.New(src)
	f := &Fourier{kernel: k, d: d, m: m, omega: make([]float64, m*d), scale: math.Sqrt(draw.weight / float64(m))}
	for i := range m {
		draw.add(rnd, f.omega[i*d:(i+1)*d])
	}
	return f, nil
}

// Features returns the M×2m features of the rows of x, an M×d matrix. The error wraps ErrShape,
// ErrNotFinite, ErrTooLarge or ctx.Err().
func (f *Fourier) Features(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	p, err := newPoints("x", x)
	if err != nil {
		return nil, err
	}
	if p.d != f.d {
		return nil, fmt.Errorf("%w: x has %d columns, want %d", ErrShape, p.d, f.d)
	}
	if err := checkSize("matrix of features", p.n, 2*f.m); err != nil {
		return nil, err
	}
	const block = 64
	z := mat.NewDense(p.n, 2*f.m, nil)
	omega := blas64.General{Rows: f.m, Cols: f.d, Stride: f.d, Data: f.omega}
	err = parallel(ctx, blocks(p.n, block), func(job int) {
		i0 := job * block
		i1 := min(i0+block, p.n)
		angles := blas64.General{Rows: i1 - i0, Cols: f.m, Stride: f.m, Data: make([]float64, (i1-i0)*f.m)}
		rows := blas64.General{Rows: i1 - i0, Cols: f.d, Stride: f.d, Data: p.data[i0*f.d : i1*f.d]}
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, rows, omega, 0, angles)
		for i := i0; i < i1; i++ {
			row := z.RawRowView(i)
			for j, a := range angles.Data[(i-i0)*f.m : (i-i0+1)*f.m] {
				sin, cos := math.Sincos(a)
				row[j], row[f.m+j] = f.scale*cos, f.scale*sin
			}
		}
	})
	if err != nil {
		return nil, err
	}
	raw := z.RawMatrix().Data
	if at := firstNotFinite(raw); at >= 0 { // ω·x overflowed
		return nil, fmt.Errorf("%w: the feature at row %d, column %d is %v; scale the data",
			ErrNotFinite, at/(2*f.m), at%(2*f.m), raw[at])
	}
	return z, nil
}

// Frequencies returns a copy of ω, an m×d matrix.
func (f *Fourier) Frequencies() *mat.Dense {
	return mat.NewDense(f.m, f.d, slices.Clone(f.omega))
}

// String returns the kernel and the number of features.
func (f *Fourier) String() string {
	return fmt.Sprintf("gram.Fourier(%v, d=%d, features=%d)", f.kernel, f.d, 2*f.m)
}

// A spectrum is the spectral measure of a stationary kernel: weight, which is k(0), times a
// probability law, of which add adds a draw to w.
type spectrum struct {
	weight float64
	add    func(rnd *rand.Rand, w []float64)
}

func spectrumOf(k kernel.Kernel) (spectrum, error) {
	switch k := k.(type) {
	case kernel.RBF:
		return spectrum{1, func(rnd *rand.Rand, w []float64) { addNormal(rnd, w, 1/k.LengthScale) }}, nil
	case kernel.Laplacian:
		return spectrum{1, func(rnd *rand.Rand, w []float64) {
			for j := range w {
				w[j] += math.Tan(math.Pi*(rnd.Float64()-0.5)) / k.LengthScale
			}
		}}, nil
	case kernel.Matern:
		return spectrum{1, func(rnd *rand.Rand, w []float64) {
			df := 2 * k.Nu
			var chi2 float64
			for range int(df) {
				g := rnd.NormFloat64()
				chi2 += g * g
			}
			addNormal(rnd, w, math.Sqrt(df/chi2)/k.LengthScale)
		}}, nil
	case kernel.Scaled:
		s, err := spectrumOf(k.Kernel)
		s.weight *= k.Factor
		return s, err
	case kernel.Product:
		parts, err := spectraOf(k.Kernels)
		product := spectrum{1, func(rnd *rand.Rand, w []float64) {
			for _, p := range parts {
				p.add(rnd, w)
			}
		}}
		for _, p := range parts {
			product.weight *= p.weight
		}
		return product, err
	case kernel.Sum:
		parts, err := spectraOf(k.Kernels)
		var total float64
		for _, p := range parts {
			total += p.weight
		}
		return spectrum{total, func(rnd *rand.Rand, w []float64) {
			u := rnd.Float64() * total
			i := 0
			for i < len(parts)-1 && u >= parts[i].weight {
				u -= parts[i].weight
				i++
			}
			parts[i].add(rnd, w)
		}}, err
	}
	return spectrum{}, fmt.Errorf("%w: random Fourier features of %v, want RBF, Laplacian, Matern, "+
		"or a sum, product or multiple of these", ErrConfig, k)
}

func spectraOf(kernels []kernel.Kernel) ([]spectrum, error) {
	parts := make([]spectrum, len(kernels))
	for i, k := range kernels {
		var err error
		if parts[i], err = spectrumOf(k); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

func addNormal(rnd *rand.Rand, w []float64, deviation float64) {
	for j := range w {
		w[j] += deviation * rnd.NormFloat64()
	}
}
