package kernel_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"eigenbook/lib/kernel"
	"eigenbook/lib/kernel/kerneltest"

	"gonum.org/v1/gonum/mat"
)

func gaussian(n, d int, seed uint64) *mat.Dense {
	rnd := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(n, d, nil)
	x.Apply(func(int, int, float64) float64 { return rnd.NormFloat64() }, x)
	return x
}

// valid are kernels of every kind, combined ones included.
var valid = []kernel.Kernel{
	kernel.Linear{},
	kernel.Polynomial{Degree: 1, Scale: 2},
	kernel.Polynomial{Degree: 2, Scale: 0.5, Offset: 1},
	kernel.Polynomial{Degree: 3, Scale: 0.5, Offset: 1},
	kernel.Polynomial{Degree: 5, Scale: 0.1, Offset: 0.5},
	kernel.Cosine{},
	kernel.RBF{LengthScale: 1.5},
	kernel.RBFGamma(0.3),
	kernel.Laplacian{LengthScale: 2},
	kernel.Matern{Nu: 0.5, LengthScale: 2},
	kernel.Matern{Nu: 1.5, LengthScale: 2},
	kernel.Matern{Nu: 2.5, LengthScale: 2},
	kernel.InverseMultiquadric{LengthScale: 0.7},
	kernel.Scaled{Factor: 3, Kernel: kernel.RBF{LengthScale: 1}},
	kernel.Sum{Kernels: []kernel.Kernel{kernel.Linear{}, kernel.RBF{LengthScale: 1}, kernel.Laplacian{LengthScale: 1}}},
	kernel.Product{Kernels: []kernel.Kernel{kernel.Cosine{}, kernel.Matern{Nu: 1.5, LengthScale: 1}}},
	kernel.Product{Kernels: []kernel.Kernel{
		kernel.Sum{Kernels: []kernel.Kernel{kernel.Linear{}, kernel.Scaled{Factor: 0.5, Kernel: kernel.Cosine{}}}},
		kernel.RBF{LengthScale: 3},
	}},
}

// The tolerance covers rounding in sums over d = 4 and 9 terms and the eigenvalues of a 40×40
// matrix, some 1e-15 relative; powers of 5 multiply it.
func TestLaws(t *testing.T) {
	for _, d := range []int{1, 4, 9} {
		x := gaussian(40, d, uint64(d))
		for _, k := range valid {
			kerneltest.Check(t, k, x, 1e-13)
		}
	}
}

// The sigmoid kernel is indefinite, so only the laws other than that one are its.
func TestSigmoid(t *testing.T) {
	k := kernel.Sigmoid{Scale: 0.5, Offset: -0.2}
	if got, want := k.Eval([]float64{1, 2}, []float64{3, -1}), math.Tanh(0.3); math.Abs(got-want) > 1e-15 {
		t.Errorf("Eval = %v, want %v", got, want)
	}
	dst := make([]float64, 2)
	k.EvalRow(dst, kernel.Row{Dots: []float64{1, -4}})
	for j, g := range []float64{1, -4} {
		if want := math.Tanh(0.5*g - 0.2); math.Abs(dst[j]-want) > 1e-15 {
			t.Errorf("EvalRow at %v = %v, want %v", g, dst[j], want)
		}
	}
}

// failures records what kerneltest reports.
type failures struct {
	testing.TB
	messages []string
}

func (f *failures) Helper() {}
func (f *failures) Errorf(format string, args ...any) {
	f.messages = append(f.messages, format)
}
func (f *failures) Fatalf(format string, args ...any) {
	f.Errorf(format)
	panic(f)
}

// lying evaluates rows otherwise than pairs.
type lying struct{ kernel.RBF }

func (k lying) EvalRow(dst []float64, r kernel.Row) {
	k.RBF.EvalRow(dst, r)
	dst[0] += 1e-6
	r.SquaredDistances[0] = 7
}

func TestCheckFindsFaults(t *testing.T) {
	x := gaussian(6, 2, 1)
	for _, tc := range []struct {
		name string
		k    kernel.Kernel
		want string
	}{
		{"not symmetric", kernel.Func{F: func(x, y []float64) float64 { return x[0] + 2*y[0] }}, "but k("},
		{"indefinite", kernel.Func{F: func(x, y []float64) float64 { return -kernel.SquaredDistance(x, y) }}, "is negative"},
		{"NaN", kernel.Func{F: func(x, y []float64) float64 { return math.NaN() }}, "k(x%d, x%d) = %v"},
		{"parameter", kernel.RBF{}, "Validate"},
		{"row path", lying{kernel.RBF{LengthScale: 1}}, "EvalRow gives"},
		{"row path writes", lying{kernel.RBF{LengthScale: 1}}, "modified its argument"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var f failures
			func() {
				defer func() {
					if r := recover(); r != nil && r != any(&f) {
						panic(r)
					}
				}()
				kerneltest.Check(&f, tc.k, x, 1e-12)
			}()
			if !strings.Contains(strings.Join(f.messages, "\n"), tc.want) {
				t.Errorf("Check reported %q, want a message with %q", f.messages, tc.want)
			}
		})
	}
}

// Values by hand, for x = (1, 2), y = (4, −2): x·y = 0, |x|² = 5, |y|² = 20, |x−y| = 5,
// |x−y|₁ = 7.
func TestValues(t *testing.T) {
	x, y := []float64{1, 2}, []float64{4, -2}
	for _, tc := range []struct {
		k    kernel.Kernel
		want float64
	}{
		{kernel.Linear{}, 0},
		{kernel.Polynomial{Degree: 3, Scale: 2, Offset: 1.5}, 3.375},
		{kernel.Cosine{}, 0},
		{kernel.RBF{LengthScale: 5}, math.Exp(-0.5)},
		{kernel.RBFGamma(0.02), math.Exp(-0.5)},
		{kernel.Laplacian{LengthScale: 3.5}, math.Exp(-2)},
		{kernel.Matern{Nu: 0.5, LengthScale: 2.5}, math.Exp(-2)},
		{kernel.Matern{Nu: 1.5, LengthScale: 5}, (1 + math.Sqrt(3)) * math.Exp(-math.Sqrt(3))},
		{kernel.Matern{Nu: 2.5, LengthScale: 5}, (1 + math.Sqrt(5) + 5.0/3) * math.Exp(-math.Sqrt(5))},
		{kernel.InverseMultiquadric{LengthScale: 5 / math.Sqrt(3)}, 0.5},
		{kernel.Scaled{Factor: 4, Kernel: kernel.RBF{LengthScale: 5}}, 4 * math.Exp(-0.5)},
		{kernel.Sum{Kernels: []kernel.Kernel{kernel.RBF{LengthScale: 5}, kernel.Linear{}}}, math.Exp(-0.5)},
		{kernel.Product{Kernels: []kernel.Kernel{kernel.RBF{LengthScale: 5}, kernel.Laplacian{LengthScale: 3.5}}}, math.Exp(-2.5)},
	} {
		if got := tc.k.Eval(x, y); math.Abs(got-tc.want) > 4e-16*math.Max(1, math.Abs(tc.want)) {
			t.Errorf("%v: Eval = %v, want %v", tc.k, got, tc.want)
		}
	}
}

// A stationary kernel is 1 at distance 0 and 0 at an infinite one, never NaN.
func TestStationaryLimits(t *testing.T) {
	for _, k := range []kernel.Kernel{
		kernel.RBF{LengthScale: 1e-160}, kernel.RBF{LengthScale: 1e160},
		kernel.Laplacian{LengthScale: 1e-300}, kernel.Matern{Nu: 0.5, LengthScale: 1e-300},
		kernel.Matern{Nu: 1.5, LengthScale: 1e-300}, kernel.Matern{Nu: 2.5, LengthScale: 5e-324},
		kernel.InverseMultiquadric{LengthScale: 1e-160},
	} {
		if v := k.Eval([]float64{3, 4}, []float64{3, 4}); v != 1 {
			t.Errorf("%v: k(x, x) = %v, want 1", k, v)
		}
	}
	far := []float64{1e200, -1e200}
	for _, k := range []kernel.Kernel{
		kernel.RBF{LengthScale: 1}, kernel.Laplacian{LengthScale: 1}, kernel.Matern{Nu: 0.5, LengthScale: 1},
		kernel.Matern{Nu: 1.5, LengthScale: 1}, kernel.Matern{Nu: 2.5, LengthScale: 1},
		kernel.InverseMultiquadric{LengthScale: 1},
	} {
		if v := k.Eval(far, []float64{0, 0}); v != 0 {
			t.Errorf("%v: k at distance 1e200 = %v, want 0", k, v)
		}
	}
}

func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	rbf := kernel.RBF{LengthScale: 1}
	for _, tc := range []struct {
		k    kernel.Kernel
		want string // in the message
	}{
		{kernel.RBF{}, "LengthScale of RBF is 0"},
		{kernel.RBF{LengthScale: -2}, "is -2, want a finite number above 0"},
		{kernel.RBF{LengthScale: nan}, "NaN"},
		{kernel.RBF{LengthScale: inf}, "+Inf"},
		{kernel.RBFGamma(0), "LengthScale of RBF"},
		{kernel.RBFGamma(-1), "LengthScale of RBF"},
		{kernel.RBFGamma(nan), "LengthScale of RBF"},
		{kernel.RBFGamma(inf), "LengthScale of RBF"},
		{kernel.Laplacian{LengthScale: -1}, "Laplacian is -1"},
		{kernel.Matern{Nu: 1, LengthScale: 1}, "0.5, 1.5 or 2.5"},
		{kernel.Matern{Nu: nan, LengthScale: 1}, "Nu of Matern is NaN"},
		{kernel.Matern{Nu: 0.5}, "LengthScale of Matern is 0"},
		{kernel.InverseMultiquadric{}, "InverseMultiquadric is 0"},
		{kernel.Polynomial{Degree: 0, Scale: 1}, "Degree of Polynomial is 0, want 1 or more"},
		{kernel.Polynomial{Degree: -3, Scale: 1}, "is -3"},
		{kernel.Polynomial{Degree: 2}, "Scale of Polynomial is 0"},
		{kernel.Polynomial{Degree: 2, Scale: inf}, "+Inf"},
		{kernel.Polynomial{Degree: 2, Scale: 1, Offset: -1}, "Offset of Polynomial is -1"},
		{kernel.Polynomial{Degree: 2, Scale: 1, Offset: nan}, "NaN"},
		{kernel.Polynomial{Degree: 2, Scale: 1, Offset: inf}, "+Inf"},
		{kernel.Sigmoid{}, "Scale of Sigmoid is 0"},
		{kernel.Sigmoid{Scale: nan}, "NaN"},
		{kernel.Sigmoid{Scale: 1, Offset: inf}, "+Inf"},
		{kernel.Scaled{Kernel: rbf}, "Factor of Scaled is 0"},
		{kernel.Scaled{Factor: 1}, "kernel 0 of Scaled is nil"},
		{kernel.Scaled{Factor: 1, Kernel: kernel.RBF{}}, "kernel 0 of Scaled"},
		{kernel.Sum{}, "Sum has no kernels"},
		{kernel.Sum{Kernels: []kernel.Kernel{rbf, nil}}, "kernel 1 of Sum is nil"},
		{kernel.Product{}, "Product has no kernels"},
		{kernel.Product{Kernels: []kernel.Kernel{rbf, kernel.Sum{Kernels: []kernel.Kernel{kernel.RBF{}}}}}, "kernel 1 of Product"},
		{kernel.Func{Name: "mine"}, "F of mine is nil"},
	} {
		err := tc.k.Validate()
		if !errors.Is(err, kernel.ErrParameter) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v: Validate = %v; want ErrParameter with %q", tc.k, err, tc.want)
		}
	}
}

func TestRows(t *testing.T) {
	f := kernel.Func{Name: "f", F: kernel.Dot}
	sum := kernel.Sum{Kernels: []kernel.Kernel{kernel.Linear{}, f}}
	for _, tc := range []struct {
		k     kernel.Kernel
		rows  bool
		needs kernel.Needs
	}{
		{kernel.Laplacian{LengthScale: 1}, true, 0},
		{kernel.Scaled{Factor: 1, Kernel: kernel.Cosine{}}, true, kernel.NeedDots},
		{valid[14], true, kernel.NeedDots | kernel.NeedSquaredDistances},
		{f, false, 0},
		{sum, false, 0},
		{&sum, false, 0},
		{kernel.Product{Kernels: []kernel.Kernel{kernel.Scaled{Factor: 1, Kernel: sum}}}, false, 0},
	} {
		r, ok := kernel.Rows(tc.k)
		if ok != tc.rows {
			t.Errorf("Rows(%v) = %v, want %v", tc.k, ok, tc.rows)
		}
		if ok && r.Needs() != tc.needs {
			t.Errorf("%v needs %b, want %b", tc.k, r.Needs(), tc.needs)
		}
	}
}

func TestStrictlyPositiveDefinite(t *testing.T) {
	rbf, linear := kernel.Kernel(kernel.RBF{LengthScale: 1}), kernel.Kernel(kernel.Linear{})
	for _, tc := range []struct {
		k    kernel.Kernel
		want bool
	}{
		{rbf, true},
		{linear, false},
		{kernel.Polynomial{Degree: 3, Scale: 1, Offset: 1}, false},
		{kernel.Sum{Kernels: []kernel.Kernel{linear, rbf}}, true},
		{kernel.Sum{Kernels: []kernel.Kernel{linear, linear}}, false},
		{kernel.Sum{Kernels: []kernel.Kernel{rbf, kernel.Sigmoid{Scale: 1}}}, false},
		{kernel.Sum{Kernels: []kernel.Kernel{rbf, kernel.Func{F: kernel.Dot}}}, false},
		{kernel.Product{Kernels: []kernel.Kernel{linear, rbf}}, false},
		{kernel.Product{Kernels: []kernel.Kernel{rbf, kernel.Scaled{Factor: 2, Kernel: rbf}}}, true},
		{kernel.Func{F: kernel.Dot}, false},
	} {
		if got := kernel.StrictlyPositiveDefinite(tc.k); got != tc.want {
			t.Errorf("StrictlyPositiveDefinite(%v) = %v, want %v", tc.k, got, tc.want)
		}
	}
}

func TestCheckPoint(t *testing.T) {
	cosine := kernel.Sum{Kernels: []kernel.Kernel{kernel.RBF{LengthScale: 1}, kernel.Cosine{}}}
	for _, x := range [][]float64{{0, 0}, {1e-200, 0}, {1e200, 0}} {
		if err := kernel.CheckPoint(cosine, x); !errors.Is(err, kernel.ErrDomain) {
			t.Errorf("CheckPoint(%v, %v) = %v, want ErrDomain", cosine, x, err)
		}
	}
	if err := kernel.CheckPoint(cosine, []float64{0, 1e-100}); err != nil {
		t.Errorf("CheckPoint: %v", err)
	}
	if err := kernel.CheckPoint(kernel.Linear{}, []float64{0}); err != nil {
		t.Errorf("CheckPoint of Linear: %v", err)
	}
}

func TestDifferentLengthsPanic(t *testing.T) {
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{LengthScale: 1}, kernel.Laplacian{LengthScale: 1}} {
		func() {
			defer func() {
				if s, ok := recover().(string); !ok || !strings.Contains(s, "3 and 2 coordinates") {
					t.Errorf("%v: panic with %q, want both lengths", k, s)
				}
			}()
			k.Eval([]float64{1, 2, 3}, []float64{1, 2})
		}()
	}
}

func TestPositiveSemidefinite(t *testing.T) {
	linear, rbf, sigmoid := kernel.Linear{}, kernel.RBF{LengthScale: 1}, kernel.Sigmoid{Scale: 1}
	for _, tc := range []struct {
		k    kernel.Kernel
		want bool
	}{
		{linear, true},
		{kernel.Cosine{}, true},
		{kernel.Polynomial{Degree: 2, Scale: 1}, true},
		{kernel.Matern{Nu: 1.5, LengthScale: 1}, true},
		{kernel.Scaled{Factor: 3, Kernel: kernel.Product{Kernels: []kernel.Kernel{linear, rbf}}}, true},
		{sigmoid, false},
		{kernel.Func{F: kernel.Dot}, false},
		{kernel.Sum{Kernels: []kernel.Kernel{rbf, sigmoid}}, false},
		{kernel.Product{Kernels: []kernel.Kernel{rbf, kernel.Scaled{Factor: 1, Kernel: sigmoid}}}, false},
	} {
		if got := kernel.PositiveSemidefinite(tc.k); got != tc.want {
			t.Errorf("PositiveSemidefinite(%v) = %v, want %v", tc.k, got, tc.want)
		}
	}
}
