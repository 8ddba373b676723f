package display

import (
	"errors"
	"image"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// empty is a matrix without entries, which gonum's own types cannot make.
type empty struct{ rows, cols int }

func (e empty) Dims() (int, int)    { return e.rows, e.cols }
func (e empty) At(i, j int) float64 { panic("no entry") }
func (e empty) T() mat.Matrix       { return empty{e.cols, e.rows} }

// with returns a 4×4 matrix with one entry replaced.
func with(v float64) *mat.Dense {
	m := gaussian(4, 1, 1, 1, 1, 1)
	m.Set(2, 1, v)
	return m
}

// wideRows returns rows with one cell of 1000 characters among short ones.
func wideRows(n int) [][]any {
	rows := make([][]any, n)
	for i := range rows {
		rows[i] = []any{"x"}
	}
	rows[7][0] = strings.Repeat("x", 1000)
	return rows
}

// Every bad input comes back as an error that names the value, the place and what is valid;
// nothing panics.
func TestBadInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := gaussian(4, 1, 1, 1, 1, 1)
	logPlot := plot.New()
	line, err := plotter.NewLine(plotter.XYs{{X: -1, Y: 1}, {X: 1, Y: 2}})
	if err != nil {
		t.Fatal(err)
	}
	logPlot.Add(line)
	logPlot.X.Scale = plot.LogScale{}
	nanPlot := plot.New()
	nanPlot.X.Min = nan
	xy := func(x, y []float64) []Curve { return []Curve{{Name: "c", X: x, Y: y}} }
	set := func(m mat.Matrix) []PointSet { return []PointSet{{Name: "s", Points: m}} }
	rows := func(m mat.Matrix) []ImageRow { return []ImageRow{{Name: "r", Images: m}} }
	for _, tc := range []struct {
		name string
		v    Viewer
		want string
	}{
		{"spectrum empty", Spectrum(nil), "no values"},
		{"spectrum NaN", Spectrum([]float64{1, nan}), "values[1] is NaN"},
		{"spectrum Inf", Spectrum([]float64{inf, 1}), "values[0] is +Inf"},
		{"spectrum order", Spectrum([]float64{1, 2}), "values[1] is 2, want at most values[0] = 1"},
		{"spectrum kept", Spectrum([]float64{2, 1}, SpectrumOptions{Kept: 3}), "Kept is 3, want 0 to 2"},
		{"spectrum kept negative", Spectrum([]float64{2, 1}, SpectrumOptions{Kept: -1}), "Kept is -1"},
		{"spectrum noise", Spectrum([]float64{2, 1}, SpectrumOptions{NoiseVariance: nan}), "NoiseVariance is NaN"},
		{"spectrum noise negative", Spectrum([]float64{2, 1}, SpectrumOptions{NoiseVariance: -1}), "NoiseVariance is -1"},
		{"spectrum total", Spectrum([]float64{2, 1}, SpectrumOptions{Total: 2}), "Total is 2, want at least"},
		{"spectrum max", Spectrum([]float64{2, 1}, SpectrumOptions{Max: 1e9}), "Max is 1000000000, want 0 to 100000"},
		{"math too long", Math(strings.Repeat(`\frac{`, 100_000)), "600000 bytes"},
		{"math with dollars", Math(`a $$ <b>`), "dollar sign at byte 2"},
		{"table too wide", Table([]string{"a"}, wideRows(50_000)), "50001 lines of 1002 characters"},
		{"heat map NaN", Matrix(with(nan), MatrixOptions{HeatMap: true}), "HeatMap"},
		{"bundle picture", ViewerFunc(func() (Bundle, error) { return Render(Bundle{Data: map[string]any{MIMEPNG: 5}}) }), "is a int, want []byte"},
		{"spectrum size", Spectrum([]float64{2, 1}, SpectrumOptions{Width: 1e6}), "1000000×340, want 120 to 4000"},
		{"two options", Spectrum([]float64{2, 1}, SpectrumOptions{}, SpectrumOptions{}), "2 options values, want at most 1"},
		{"gram nil", Gram(nil), "k is nil"},
		{"gram typed nil", Gram((*mat.Dense)(nil)), "k is nil"},
		{"gram empty", Gram(empty{0, 0}), "0×0, want at least one row"},
		{"gram huge", Gram(empty{1 << 31, 1 << 31}), "want at most 400000000 entries"},
		{"gram NaN", Gram(with(nan)), "k(2,1) is NaN"},
		{"gram labels", Gram(good, GramOptions{Labels: []int{1}}), "Labels has 1 entries, want 4"},
		{"gram not square", Gram(good.Slice(0, 3, 0, 4), GramOptions{Labels: []int{1, 2, 3}}), "3×4, want a square matrix"},
		{"gram order", Gram(good, GramOptions{Order: []int{0, 1, 1, 2}}), "Order[2] is 1, want each of 0 to 3 once"},
		{"scatter none", Scatter(nil), "no sets"},
		{"scatter NaN", Scatter(set(with(nan))), `set 0 ("s")(2,1) is NaN`},
		{"scatter column", Scatter(set(good), ScatterOptions{Columns: [2]int{0, 4}}), "no column 4, want 0 to 3"},
		{"scatter nil", Scatter(set(nil)), "is nil"},
		{"kernel samples training", KernelSamples(good.Slice(0, 4, 0, 1), set(good)), "1 column, want at least 2"},
		{"kernel samples kept", KernelSamples(good, set(good), KernelSamplesOptions{Kept: 5}), "Kept is 5, want 0 to 4"},
		{"kernel samples none", KernelSamples(good, nil), "no samples"},
		{"kernel samples ragged", KernelSamples(good, set(good.Slice(0, 4, 0, 1))), "no column 1, want 0 to 0"},
		{"kernel samples pairs", KernelSamples(good, set(good), KernelSamplesOptions{Pairs: [][2]int{{0, 9}}}), "no column 9"},
		{"embedding NaN", Embedding(with(inf)), "z(2,1) is +Inf"},
		{"embedding huge value", Embedding(with(1e308)), "z(2,1) is 1e+308"},
		{"embedding labels", Embedding(good, EmbeddingOptions{Labels: []int{1, 2}}), "Labels has 2 entries, want 4"},
		{"embedding label", Embedding(good, EmbeddingOptions{Labels: []int{1, 2, 3, 1 << 40}}), "Labels[3] is"},
		{"embedding values", Embedding(good, EmbeddingOptions{Values: []float64{1, 2, nan, 4}}), "Values[2] is NaN"},
		{"embedding both", Embedding(good, EmbeddingOptions{Values: make([]float64, 4), Labels: make([]int, 4)}), "want one of them"},
		{"embedding columns", Embedding(good, EmbeddingOptions{Columns: [2]int{-1, 0}}), "no column -1"},
		{"embedding images", Embedding(good, EmbeddingOptions{Images: good.Slice(0, 3, 0, 4), ImageHeight: 2, ImageWidth: 2}), "3 rows, want 4"},
		{"embedding image size", Embedding(good, EmbeddingOptions{Images: good, ImageHeight: 3, ImageWidth: 2}), "height times width = 4"},
		{"embedding image NaN", Embedding(good, EmbeddingOptions{Images: with(nan), ImageHeight: 2, ImageWidth: 2}), "Images(2,1) is NaN"},
		{"curves none", Curves(nil), "no curves"},
		{"curves empty", Curves(xy(nil, nil)), "X has 0 and Y 0"},
		{"curves lengths", Curves(xy([]float64{1, 2}, []float64{1})), "X has 2 and Y 1"},
		{"curves NaN", Curves(xy([]float64{1, 2}, []float64{1, nan})), "Y[1] is NaN"},
		{"curves only NaN", Curves(xy([]float64{1}, []float64{nan}), CurvesOptions{Gaps: true}), "no value of Y"},
		{"curves band", Curves([]Curve{{X: []float64{1}, Y: []float64{1}, Lower: []float64{1}}}), "Lower has 1 and Upper 0"},
		{"curves log", Curves(xy([]float64{1}, []float64{-1}), CurvesOptions{LogY: true}), "at least one positive value"},
		{"curves mark", Curves(xy([]float64{1}, []float64{1}), CurvesOptions{LogX: true, Marks: []Mark{{"m", 0}}}), "Marks[0].X is 0, want a positive"},
		{"curves level", Curves(xy([]float64{1}, []float64{1}), CurvesOptions{Levels: []Level{{"l", nan}}}), "Levels[0].Y is NaN"},
		{"curves slope", Curves(xy([]float64{1}, []float64{1}), CurvesOptions{LogX: true, Slopes: []Slope{{Exponent: 1}}}), "want both the same"},
		{"curves slope place", Curves(xy([]float64{1}, []float64{1}), CurvesOptions{LogX: true, LogY: true, Slopes: []Slope{{X: -1, Y: 1}}}), "want both positive"},
		{"images none", Images(nil, 2, 2), "no rows"},
		{"images size", Images(rows(good), 3, 3), "images are 3×3 pixels"},
		{"images NaN", Images(rows(with(nan)), 2, 2), "(2,1) is NaN"},
		{"images range", Images(rows(good), 2, 2, ImagesOptions{Min: 2, Max: 1}), "grey range is 2 to 1"},
		{"images titles", Images(rows(good), 2, 2, ImagesOptions{ColumnTitles: make([]string, 5)}), "5 ColumnTitles, want at most 4"},
		{"images many", Images(rows(mat.NewDense(2001, 4, nil)), 2, 2), "more than 2000 images"},
		{"grid none", Grid(nil), "0 figures, want 1"},
		{"grid columns", Grid([]*Figure{Spectrum([]float64{1})}, GridOptions{Columns: 9}), "Columns is 9"},
		{"picture nil", Picture(nil), "image is nil"},
		{"picture empty", Picture(image.NewGray(image.Rect(0, 0, 0, 5))), "0×5, want 1 to 4000"},
		{"plot nil", Plot(nil), "plot is nil"},
		{"plot log", Plot(logPlot), "greater than 0"},
		{"plot NaN", Plot(nanPlot), "X.Min is NaN"},
		{"table header", Table(nil, nil), "no header"},
		{"table ragged", Table([]string{"a", "b"}, [][]any{{1, 2}, {1}}), "row 1 has 1 cells, want 2"},
		{"table digits", Table([]string{"a"}, nil, TableOptions{Digits: 99}), "Digits is 99, want 0 to 17"},
		{"matrix nil", Matrix(nil), "m is nil"},
		{"matrix names", Matrix(good, MatrixOptions{RowNames: []string{"a"}}), "RowNames has 1 entries, want 4"},
		{"matrix heat map", Matrix(with(nan), MatrixOptions{HeatMap: true}), "k(2,1) is NaN"},
		{"math empty", Math(" $$ $$ "), "formula is empty"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b, err := Render(tc.v)
			if err == nil {
				t.Fatalf("no error, text %q", b.Plain())
			}
			if !errors.Is(err, ErrInput) {
				t.Errorf("error %v does not wrap ErrInput", err)
			}
			if !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is\n%v\nwant it to say %q", err, tc.want)
			}
		})
	}
}

// What an axis can hardly show is drawn without failing.
func TestUnusualInput(t *testing.T) {
	constant := mat.NewDense(3, 2, []float64{5, 5, 5, 5, 5, 5})
	tiny := mat.NewDense(2, 2, []float64{1e-200, 2e-200, 3e-200, 4e-200})
	far := mat.NewDense(2, 2, []float64{1e15, 1, 1e15 + 1, 2})
	large := mat.NewDense(2, 2, []float64{-1e299, 1, 1e299, 2})
	nan := math.NaN()
	for _, f := range []*Figure{
		Spectrum([]float64{0, 0}, SpectrumOptions{Log: true}),
		Spectrum([]float64{-1, -2}, SpectrumOptions{Log: true, Kept: 1}),
		Spectrum([]float64{1}, SpectrumOptions{Kept: 1, NoiseVariance: 1e-300, Log: true}),
		Spectrum([]float64{1, 1e-17, 0}, SpectrumOptions{Log: true}),
		Embedding(constant), Embedding(tiny), Embedding(far), Embedding(large),
		Embedding(constant, EmbeddingOptions{Density: true, EqualAspect: true, Labels: []int{-1, -1, 0}}),
		Embedding(constant, EmbeddingOptions{Values: []float64{1, 1, 1}}),
		Embedding(mat.NewDense(1, 1, []float64{3})),
		Gram(constant), Gram(tiny), Gram(large), Gram(mat.NewDense(1, 5, nil)),
		Curves([]Curve{{X: []float64{0, 1, 2}, Y: []float64{-1, 0, 5}}}, CurvesOptions{LogX: true, LogY: true}),
		Curves([]Curve{{X: []float64{1, 2, 3}, Y: []float64{nan, 1, nan}, Lower: []float64{nan, 0, 0}, Upper: []float64{1, 2, 2}}}, CurvesOptions{Gaps: true, LogY: true}),
		Curves([]Curve{{X: []float64{1}, Y: []float64{1}}}, CurvesOptions{Slopes: []Slope{{Exponent: 1e200}}, Levels: []Level{{"", 1}}, Marks: []Mark{{"", 1}}}),
		Images([]ImageRow{{Images: constant}}, 1, 2, ImagesOptions{EachOwnRange: true}),
		Images([]ImageRow{{Images: mat.NewDense(1, 3000, nil)}}, 3000, 1),
	} {
		pixels(t, f)
	}
}
