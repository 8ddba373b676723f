package eigen_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"eigenbook/lib/eigen"
)

// planted returns bases of two subspaces of R^n with the given angles: u holds columns of an
// orthogonal Q, v has cos θ qᵢ + sin θ q_{p+i}. Both are then mixed by a random invertible matrix.
func planted(n int, angles []float64, extra int) (u, v *mat.Dense) {
	p := len(angles)
	all, err := eigen.Symmetric(withSpectrum(spectrum(n, func(i int) float64 { return float64(i) })))
	if err != nil {
		panic(err)
	}
	q := all.Vectors
	u, v = mat.NewDense(n, p+extra, nil), mat.NewDense(n, p, nil)
	for j := range p + extra {
		u.SetCol(j, mat.Col(nil, 2*p+j, q)) // the extra ones
	}
	for j, angle := range angles {
		u.SetCol(j, mat.Col(nil, j, q))
		column := mat.NewVecDense(n, nil)
		column.AddScaledVec(column, math.Cos(angle), q.ColView(j))
		column.AddScaledVec(column, math.Sin(angle), q.ColView(p+j))
		v.SetCol(j, column.RawVector().Data)
	}
	return mixed(u), mixed(v)
}

// mixed returns a basis of the same space that is not orthogonal, with columns of unequal length.
func mixed(u *mat.Dense) *mat.Dense {
	_, p := u.Dims()
	m := mat.NewDense(p, p, nil)
	for i := range p {
		for j := range p {
			m.Set(i, j, 0.3*math.Sin(float64(3*i+5*j)))
		}
		m.Set(i, i, 2)
	}
	var r mat.Dense
	r.Mul(u, m)
	for j := range p {
		column := mat.Col(nil, j, &r)
		for i := range column {
			column[i] *= math.Pow(1e3, float64(j))
		}
		r.SetCol(j, column)
	}
	return &r
}

func TestPrincipalAngles(t *testing.T) {
	for _, tc := range []struct {
		name   string
		angles []float64
	}{
		{"none", []float64{0, 0}},
		{"tiny", []float64{1e-12, 1e-10, 1e-8}},
		{"all sizes", []float64{1e-11, 1e-4, 0.3, math.Pi / 4, 1.2, math.Pi / 2}},
		{"near a right angle", []float64{math.Pi/2 - 1e-6, math.Pi/2 - 1e-11}},
	} {
		for _, extra := range []int{0, 2} {
			u, v := planted(30, tc.angles, extra)
			for _, swap := range []bool{false, true} {
				if swap {
					u, v = v, u
				}
				got, err := eigen.PrincipalAngles(u, v)
				if err != nil {
					t.Fatal(err)
				}
				for i, want := range tc.angles {
					// The bases are known to a few units of rounding, so are the angles.
					if d := math.Abs(got[i] - want); !(d <= 2e-15*30) || len(got) != len(tc.angles) {
						t.Errorf("%s, %d extra, swapped %v: angle %d is %.17g, want %.17g", tc.name, extra, swap, i, got[i], want)
					}
				}
			}
		}
	}
}

// Angles are between 0 and π/2, ascending, symmetric in the arguments, and unchanged by a change of
// basis; one column in a plane keeps its angle to the axis.
func TestPrincipalAnglesLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		angle := rapid.Float64Range(0, math.Pi/2).Draw(rt, "angle")
		scale := math.Pow(10, rapid.Float64Range(-200, 200).Draw(rt, "exponent"))
		u := mat.NewDense(3, 1, []float64{1, 0, 0})
		v := mat.NewDense(3, 1, []float64{scale * math.Cos(angle), scale * math.Sin(angle), 0})
		a, err := eigen.PrincipalAngles(u, v)
		if err != nil {
			rt.Fatal(err)
		}
		b, err := eigen.PrincipalAngles(v, u)
		if err != nil {
			rt.Fatal(err)
		}
		if math.Abs(a[0]-angle) > 1e-15 || math.Abs(a[0]-b[0]) > 1e-15 || a[0] < 0 || a[0] > math.Pi/2 {
			rt.Errorf("angle %.17g gives %.17g and, swapped, %.17g", angle, a[0], b[0])
		}
	})
}

func TestPrincipalAnglesErrors(t *testing.T) {
	good := mat.NewDense(4, 2, []float64{1, 0, 0, 1, 0, 0, 0, 0})
	for _, tc := range []struct {
		name string
		u    mat.Matrix
		want error
	}{
		{"nil", nil, eigen.ErrShape},
		{"empty", &mat.Dense{}, eigen.ErrShape},
		{"rows", mat.NewDense(3, 1, []float64{1, 2, 3}), eigen.ErrShape},
		{"wide", mat.NewDense(4, 5, nil), eigen.ErrRank},
		{"zero column", mat.NewDense(4, 2, []float64{1, 0, 0, 0, 0, 0, 0, 0}), eigen.ErrRank},
		{"dependent", mat.NewDense(4, 2, []float64{1, 2, 1, 2, 1, 2, 3, 6}), eigen.ErrRank},
		{"NaN", mat.NewDense(4, 1, []float64{1, math.NaN(), 0, 0}), eigen.ErrNotFinite},
		{"Inf", mat.NewDense(4, 1, []float64{1, math.Inf(1), 0, 0}), eigen.ErrNotFinite},
	} {
		if a, err := eigen.PrincipalAngles(tc.u, good); !errors.Is(err, tc.want) || a != nil {
			t.Errorf("%s: %v, %v; want %v", tc.name, a, err, tc.want)
		}
		if a, err := eigen.PrincipalAngles(good, tc.u); !errors.Is(err, tc.want) || a != nil {
			t.Errorf("%s, swapped: %v, %v; want %v", tc.name, a, err, tc.want)
		}
	}
}
