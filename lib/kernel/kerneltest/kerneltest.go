// Package kerneltest has the laws that every kernel must obey, so that a new kernel is tested
// by one line:
//
//	kerneltest.Check(t, kernel.RBF{LengthScale: 1}, x, 1e-12)
package kerneltest

import (
	"math"
	"testing"

	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

// Check reports an error for every law that k breaks on the rows of x, an N×d matrix:
//
//   - Validate accepts the parameters, String is not empty, Eval is finite;
//   - k(x, y) = k(y, x), bit for bit;
//   - the Gram matrix is positive semi-definite: no eigenvalue below −tol·N·max|k(xᵢ, xᵢ)|;
//   - if k is a RowKernel, EvalRow agrees with Eval to tol, relative to the larger of |k(x, y)|
//     and √(k(x, x) k(y, y)), and leaves its arguments alone;
//   - a kernel that package kernel can save is the same after Marshal and Unmarshal.
//
// The squared distances and inner products that EvalRow is given here are as accurate as those
// in Eval, so tol needs to cover the rounding of the kernel itself only, and of the
// eigenvalues.
func Check(t testing.TB, k kernel.Kernel, x mat.Matrix, tol float64) {
	t.Helper()
	if err := k.Validate(); err != nil {
		t.Fatalf("%v: Validate: %v", k, err)
	}
	if k.String() == "" {
		t.Errorf("%T: String is empty", k)
	}
	rows := toRows(x)
	n := len(rows)
	g := mat.NewSymDense(n, nil)
	var largest float64
	for i, xi := range rows {
		for j, xj := range rows[:i+1] {
			v, w := k.Eval(xi, xj), k.Eval(xj, xi)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%v: k(x%d, x%d) = %v", k, i, j, v)
			}
			if v != w {
				t.Errorf("%v: k(x%d, x%d) = %v but k(x%d, x%d) = %v", k, i, j, v, j, i, w)
			}
			g.SetSym(i, j, v)
		}
		largest = max(largest, math.Abs(g.At(i, i)))
	}
	checkDefinite(t, k, g, tol*float64(n)*largest)
	if r, ok := kernel.Rows(k); ok {
		checkRows(t, r, rows, g, tol)
	}
	checkSaved(t, k, rows)
}

func toRows(x mat.Matrix) [][]float64 {
	n, _ := x.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = mat.Row(nil, i, x)
	}
	return rows
}

func checkDefinite(t testing.TB, k kernel.Kernel, g *mat.SymDense, tol float64) {
	t.Helper()
	var e mat.EigenSym
	if !e.Factorize(g, false) {
		t.Fatalf("%v: the eigenvalues of the Gram matrix did not converge", k)
	}
	if v := e.Values(nil)[0]; !(v >= -tol) {
		t.Errorf("%v: eigenvalue %v of the Gram matrix is negative, want at least %v", k, v, -tol)
	}
}

func checkRows(t testing.TB, k kernel.RowKernel, rows [][]float64, g *mat.SymDense, tol float64) {
	t.Helper()
	for i, x := range rows {
		r, again := describe(x, rows), describe(x, rows)
		dst := make([]float64, len(rows))
		k.EvalRow(dst, r)
		if !same(r, again) {
			t.Errorf("%v: EvalRow modified its argument", k)
		}
		for j, v := range dst {
			want := g.At(i, j)
			scale := max(math.Abs(want), math.Sqrt(math.Abs(g.At(i, i)*g.At(j, j))))
			if !(math.Abs(v-want) <= tol*scale) {
				t.Errorf("%v: EvalRow gives k(x%d, x%d) = %v, Eval %v", k, i, j, v, want)
			}
		}
	}
}

// describe returns the Row of x and all rows with every field set.
func describe(x []float64, rows [][]float64) kernel.Row {
	r := kernel.Row{X: x, SquaredNorm: kernel.Dot(x, x)}
	for _, y := range rows {
		r.Y = append(r.Y, y...)
		r.Dots = append(r.Dots, kernel.Dot(x, y))
		r.SquaredNorms = append(r.SquaredNorms, kernel.Dot(y, y))
		r.SquaredDistances = append(r.SquaredDistances, kernel.SquaredDistance(x, y))
	}
	return r
}

func same(a, b kernel.Row) bool {
	for _, p := range [][2][]float64{
		{a.Y, b.Y}, {a.Dots, b.Dots}, {a.SquaredNorms, b.SquaredNorms}, {a.SquaredDistances, b.SquaredDistances},
	} {
		for j, v := range p[0] {
			if v != p[1][j] {
				return false
			}
		}
	}
	return true
}

func checkSaved(t testing.TB, k kernel.Kernel, rows [][]float64) {
	t.Helper()
	data, err := kernel.Marshal(k)
	if err != nil {
		return // a Func or a kernel of another package
	}
	back, err := kernel.Unmarshal(data)
	if err != nil {
		t.Errorf("%v: Unmarshal(%s): %v", k, data, err)
		return
	}
	if back.String() != k.String() {
		t.Errorf("%v became %v by %s", k, back, data)
	}
	for _, x := range rows {
		if v, w := k.Eval(x, rows[0]), back.Eval(x, rows[0]); v != w {
			t.Errorf("%v: value %v became %v by %s", k, v, w, data)
		}
	}
}
