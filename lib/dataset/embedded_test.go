package dataset_test

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"eigenbook/lib/dataset"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// checkSet verifies what must hold of every set.
func checkSet(t *testing.T, s *dataset.Set) {
	t.Helper()
	n, d := s.Dims()
	for i := range n {
		for j, v := range s.X.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s: entry (%d, %d) is %v", s.Name, i, j, v)
			}
			if s.Categories != nil && s.Categories[j] != nil && (v != math.Trunc(v) || v < 0 || int(v) >= len(s.Categories[j])) {
				t.Fatalf("%s: entry (%d, %d) is %v, which is no level of %q", s.Name, i, j, v, s.FeatureNames[j])
			}
		}
	}
	if len(s.FeatureNames) != d || (s.Categories != nil && len(s.Categories) != d) {
		t.Errorf("%s: %d feature names and %d categories for %d columns", s.Name, len(s.FeatureNames), len(s.Categories), d)
	}
	names := slices.Clone(s.FeatureNames)
	slices.Sort(names)
	if len(slices.Compact(names)) != d {
		t.Errorf("%s: feature names repeat", s.Name)
	}
	if s.Labels != nil && (len(s.Labels) != n || slices.Min(s.Labels) < 0 || slices.Max(s.Labels) >= len(s.ClassNames)) {
		t.Errorf("%s: %d labels up to %d for %d rows and %d classes", s.Name, len(s.Labels), slices.Max(s.Labels), n, len(s.ClassNames))
	}
	if s.Labels != nil && slices.Contains(s.ClassCounts(), 0) {
		t.Errorf("%s: a class has no rows: %v", s.Name, s.ClassCounts())
	}
	if s.Target != nil && len(s.Target) != n {
		t.Errorf("%s: %d targets for %d rows", s.Name, len(s.Target), n)
	}
	if s.ImageHeight*s.ImageWidth != 0 && s.ImageHeight*s.ImageWidth != d {
		t.Errorf("%s: images %d×%d in %d columns", s.Name, s.ImageHeight, s.ImageWidth, d)
	}
	if s.Name == "" || s.Source == "" || s.Licence == "" {
		t.Errorf("set %q: source %q, licence %q, want all three", s.Name, s.Source, s.Licence)
	}
}

// sum adds all entries; of integers and short decimals it is a checksum of values and order of columns.
func sum(x mat.Matrix, weight func(i, j int) float64) float64 {
	n, d := x.Dims()
	total := 0.0
	for i := range n {
		for j := range d {
			total += x.At(i, j) * weight(i, j)
		}
	}
	return total
}

func TestEmbedded(t *testing.T) {
	for _, tc := range []struct {
		set     *dataset.Set
		n, d, h int // h is the number of columns after OneHot
		classes map[string]int
		first   []float64 // of the first row of X
		target  float64   // first target
	}{
		{dataset.Iris(), 150, 4, 4, map[string]int{"setosa": 50, "versicolor": 50, "virginica": 50}, []float64{5.1, 3.5, 1.4, 0.2}, 0},
		{dataset.Wine(), 178, 13, 13, map[string]int{"class_0": 59, "class_1": 71, "class_2": 48}, []float64{14.23, 1.71, 2.43}, 0},
		{dataset.BreastCancer(), 569, 30, 30, map[string]int{"malignant": 212, "benign": 357}, []float64{17.99, 10.38, 122.8, 1001}, 0},
		{dataset.Boston(), 506, 13, 13, nil, []float64{0.00632, 18, 2.31, 0, 0.538, 6.575}, 24},
		{dataset.Digits(), 1797, 64, 64, nil, []float64{0, 0, 5, 13, 9, 1}, 0},
		{dataset.Diabetes(), 768, 8, 8, map[string]int{"tested_negative": 500, "tested_positive": 268}, []float64{6, 148, 72, 35, 0, 33.6, 0.627, 50}, 0},
		{dataset.CreditG(), 1000, 20, 61, map[string]int{"good": 700, "bad": 300}, nil, 0},
		{dataset.CPU(), 209, 7, 36, nil, []float64{0, 125, 256, 6000, 256, 16, 128}, 199},
		{dataset.Spambase(), 4601, 57, 57, map[string]int{"nonspam": 2788, "spam": 1813}, []float64{0, 0.64, 0.64}, 0},
		{dataset.TicTacToe(), 958, 9, 27, map[string]int{"negative": 332, "positive": 626}, []float64{2, 2, 2, 2, 1, 1, 2, 1, 1}, 0},
		{dataset.Monks(1), 432, 6, 17, map[string]int{"0": 216, "1": 216}, []float64{0, 0, 0, 0, 0, 0}, 0},
		{dataset.Monks(2), 432, 6, 17, map[string]int{"0": 290, "1": 142}, nil, 0},
		{dataset.Monks(3), 432, 6, 17, map[string]int{"0": 204, "1": 228}, nil, 0},
		{dataset.MNISTSample(), 5000, 784, 784, map[string]int{"0": 479, "1": 563, "2": 488, "3": 493, "4": 535, "5": 434, "6": 501, "7": 550, "8": 462, "9": 495}, nil, 0},
		{dataset.FashionMNISTSample(), 5000, 784, 784, nil, nil, 0},
	} {
		t.Run(tc.set.Name, func(t *testing.T) {
			s := tc.set
			checkSet(t, s)
			if n, d := s.Dims(); n != tc.n || d != tc.d {
				t.Errorf("set is %d×%d, want %d×%d", n, d, tc.n, tc.d)
			}
			if _, h := oneHot(t, s).Dims(); h != tc.h {
				t.Errorf("OneHot has %d columns, want %d", h, tc.h)
			}
			for c, k := range s.ClassCounts() {
				if want, ok := tc.classes[s.ClassNames[c]]; tc.classes != nil && (!ok || k != want) {
					t.Errorf("class %s has %d rows, want %d", s.ClassNames[c], k, want)
				}
			}
			if got := s.X.RawRowView(0)[:len(tc.first)]; !slices.Equal(got, tc.first) {
				t.Errorf("first row begins %v, want %v", got, tc.first)
			}
			if tc.target != 0 && (s.Target[0] != tc.target || s.Labels != nil) {
				t.Errorf("first target is %v, labels %v; want %v and none", s.Target[0], s.Labels != nil, tc.target)
			}
			if !strings.HasPrefix(s.String(), s.Name+": ") {
				t.Errorf("String is %q", s)
			}
		})
	}
}

// TestLabelsBelongToRows: the order of the classes is the documented one, and rows keep their labels.
func TestLabelsBelongToRows(t *testing.T) {
	if s := dataset.BreastCancer(); s.ClassNames[0] != "malignant" || s.Labels[0] != 0 || s.Labels[568] != 1 {
		t.Errorf("breast cancer: classes %v, labels of first and last %d, %d; want malignant first, 0, 1", s.ClassNames, s.Labels[0], s.Labels[568])
	}
	if s := dataset.CreditG(); s.ClassNames[0] != "good" || s.Labels[0] != 0 || s.Labels[1] != 1 {
		t.Errorf("credit-g: classes %v, first labels %v", s.ClassNames, s.Labels[:2])
	}
	if got := dataset.MNISTSample().Labels[:10]; !slices.Equal(got, []int{5, 0, 4, 1, 9, 2, 1, 3, 1, 4}) {
		t.Errorf("MNIST: first labels %v", got)
	}
	f := dataset.FashionMNISTSample()
	if got := f.Labels[:6]; !slices.Equal(got, []int{9, 0, 0, 3, 0, 2}) || f.ClassNames[9] != "Ankle boot" {
		t.Errorf("Fashion-MNIST: first labels %v of %v", got, f.ClassNames)
	}
	if s := dataset.Digits(); !slices.Equal(s.Labels[:12], []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1}) || s.ImageHeight != 8 {
		t.Errorf("digits: first labels %v, height %d", s.Labels[:12], s.ImageHeight)
	}
}

// TestKnownSums compares with sums computed by scikit-learn 1.2.1 and NumPy from the same packages.
func TestKnownSums(t *testing.T) {
	one := func(i, j int) float64 { return 1 }
	column := func(i, j int) float64 { return float64(j + 1) }
	for _, tc := range []struct {
		set           *dataset.Set
		sum, weighted float64
	}{
		{dataset.Iris(), 2078.7, 4204.4},
		{dataset.Wine(), 159975.295999, 1859871.16599},
		{dataset.BreastCancer(), 1056474.4596356, 15997027.559157101},
		{dataset.Digits(), 561718, 18222371},
	} {
		if got := sum(tc.set.X, one); math.Abs(got-tc.sum) > 1e-9*tc.sum {
			t.Errorf("%s: sum %v, want %v", tc.set.Name, got, tc.sum)
		}
		if got := sum(tc.set.X, column); math.Abs(got-tc.weighted) > 1e-9*tc.weighted {
			t.Errorf("%s: sum weighted by column %v, want %v", tc.set.Name, got, tc.weighted)
		}
	}
}

// TestRatioOfDistances compares largest / median of all n² distances between rows, one-hot, with table I of the
// eccentricity paper, which was computed from OpenML's copies of the same sets.
func TestRatioOfDistances(t *testing.T) {
	for name, want := range map[string]float64{
		"wine": 5.00, "wdbc": 10.52, "boston": 3.68, "cpu": 8.92, "diabetes": 8.41, "credit-g": 10.34, "tic-tac-toe": 1.22,
	} {
		s, err := dataset.Load(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		x := oneHot(t, s).X
		n, _ := x.Dims()
		distances := make([]float64, 0, n*n)
		for i := range n {
			for j := range n {
				distances = append(distances, floats.Distance(x.RawRowView(i), x.RawRowView(j), 2))
			}
		}
		slices.Sort(distances)
		rho := distances[n*n-1] / (distances[n*n/2] + distances[(n*n-1)/2]) * 2
		if math.Abs(rho-want) > 0.00501 { // the table has two decimals
			t.Errorf("%s: largest / median distance is %.4f, want %.2f", name, rho, want)
		}
	}
}

func TestSetsAreCopies(t *testing.T) {
	for _, get := range []func() *dataset.Set{dataset.Iris, dataset.CreditG, dataset.TicTacToe, func() *dataset.Set { return dataset.Monks(1) }} {
		a := get()
		a.X.Set(0, 0, -1)
		a.Labels[0] = 9
		a.ClassNames[0], a.FeatureNames[0] = "x", "y"
		if a.Categories != nil {
			a.Categories[0][0] = "z"
		}
		b := get()
		if b.X.At(0, 0) == -1 || b.Labels[0] == 9 || b.ClassNames[0] == "x" || b.FeatureNames[0] == "y" ||
			(b.Categories != nil && b.Categories[0][0] == "z") {
			t.Errorf("%s: a change reached the next caller", b.Name)
		}
	}
}

func TestSizeOfBinary(t *testing.T) {
	entries, err := os.ReadDir("data")
	if err != nil {
		t.Fatal(err)
	}
	var total int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > 8<<20 {
		t.Errorf("embedded files have %d bytes, want at most 8 MB", total)
	}
}

func TestTicTacToeRules(t *testing.T) {
	s := dataset.TicTacToe()
	seen := map[string]bool{}
	for i := range 958 {
		row := s.X.RawRowView(i)
		var key []byte
		count := map[float64]int{}
		for _, v := range row {
			key = append(key, "box"[int(v)])
			count[v]++
		}
		if seen[string(key)] {
			t.Fatalf("board %s occurs twice", key)
		}
		seen[string(key)] = true
		if d := count[2] - count[1]; d != 0 && d != 1 {
			t.Errorf("board %s has %d x and %d o", key, count[2], count[1])
		}
	}
	draws := 0
	for i := range 958 {
		if s.Labels[i] == 0 && !slices.Contains(s.X.RawRowView(i), 0) {
			draws++
		}
	}
	if draws != 16 {
		t.Errorf("%d full boards without a win of x, want the 16 draws", draws)
	}
}

func TestMonksOutOfRange(t *testing.T) {
	for _, problem := range []int{0, 4} {
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), "want 1, 2 or 3") {
					t.Errorf("Monks(%d) panicked with %v", problem, err)
				}
			}()
			dataset.Monks(problem)
		}()
	}
}

// dataFolder returns $EIGENBOOK_DATA or skips the test.
func dataFolder(t *testing.T) string {
	dir := os.Getenv(dataset.DataVariable)
	if dir == "" {
		t.Skip(dataset.DataVariable + " is not set, so there are no data files to compare with")
	}
	return dir
}

// openML reads a table of the data folder whose last column is the class.
func openML(t *testing.T, name string, categorical ...string) *dataset.Set {
	t.Helper()
	s, err := dataset.LoadCSV(filepath.Join(dataFolder(t), "openml", name+".csv.gz"),
		dataset.CSVOptions{Target: "last", Categorical: categorical})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func rowsAsText(s *dataset.Set) []string {
	n, _ := s.Dims()
	rows := make([]string, n)
	for i := range rows {
		var b strings.Builder
		for j, v := range s.X.RawRowView(i) {
			b.WriteString(s.Categories[j][int(v)] + ",")
		}
		rows[i] = b.String() + s.ClassNames[s.Labels[i]]
	}
	return rows
}

func TestTicTacToeIsTheUCIFile(t *testing.T) {
	want, got := rowsAsText(openML(t, "tic-tac-toe")), rowsAsText(dataset.TicTacToe())
	if !slices.Equal(got, want) {
		t.Errorf("boards differ from the file: %d and %d rows, first %s and %s", len(got), len(want), got[0], want[0])
	}
}

func TestMonks2IsTheTestSet(t *testing.T) {
	attributes := []string{"attr1", "attr2", "attr3", "attr4", "attr5", "attr6"}
	want := rowsAsText(openML(t, "monks-problems-2", attributes...))[169:]
	got := rowsAsText(dataset.Monks(2))
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the computed factorial is not the file's: first rows %s and %s", got[0], want[0])
	}
}

func TestSamplesAreTheFirstImages(t *testing.T) {
	dataFolder(t)
	for name, sample := range map[string]*dataset.Set{"mnist": dataset.MNISTSample(), "fashion-mnist": dataset.FashionMNISTSample()} {
		full, err := dataset.LoadRows(context.Background(), name, 5000)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(full.X, sample.X) || !slices.Equal(full.Labels, sample.Labels) || !slices.Equal(full.ClassNames, sample.ClassNames) {
			t.Errorf("the sample of %s is not its first 5000 images", name)
		}
	}
}

func TestSpambaseIsTheUCIFile(t *testing.T) {
	want, got := openML(t, "spambase"), dataset.Spambase()
	if !mat.Equal(got.X, want.X) || !slices.Equal(got.Labels, want.Labels) || !slices.Equal(got.FeatureNames, want.FeatureNames) {
		t.Error("embedded spambase differs from the file")
	}
}

func TestCopiedFilesAreUnchanged(t *testing.T) {
	dir := dataFolder(t)
	for to, from := range map[string]string{"iris": "sklearn/iris", "wine": "sklearn/wine", "wdbc": "sklearn/breast_cancer", "digits": "sklearn/digits",
		"boston": "openml/boston", "diabetes": "openml/diabetes", "credit-g": "openml/credit-g", "cpu": "openml/cpu"} {
		got, err := os.ReadFile(filepath.Join("data", to+".csv.gz"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(from)+".csv.gz"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("embedded %s is not %s", to, from)
		}
	}
}
