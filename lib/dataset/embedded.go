package dataset

import (
	"bytes"
	"embed"
	"fmt"
	"sync"
)

//go:embed data
var embedded embed.FS

// embeddedCSV decodes a table of the embedded folder on first use.
func embeddedCSV(name string, opts CSVOptions) func() *Set {
	return lazily(name, func() (*Set, error) {
		content, err := embedded.ReadFile("data/" + name + ".csv.gz")
		if err != nil {
			return nil, err
		}
		return ReadCSV(bytes.NewReader(content), opts)
	})
}

// embeddedImages decodes images and labels of the embedded folder on first use.
func embeddedImages(name, prefix string, classes []string) func() *Set {
	return lazily(name, func() (*Set, error) {
		images, err := embedded.ReadFile("data/" + prefix + "-images.idx.gz")
		if err != nil {
			return nil, err
		}
		labels, err := embedded.ReadFile("data/" + prefix + "-labels.idx.gz")
		if err != nil {
			return nil, err
		}
		x, shape, err := ReadIDX(bytes.NewReader(images), 0)
		if err != nil {
			return nil, err
		}
		y, _, err := ReadIDX(bytes.NewReader(labels), 0)
		if err != nil {
			return nil, err
		}
		s := imageSet(x, shape)
		if err := s.label(y); err != nil {
			return nil, err
		}
		if classes != nil {
			s.ClassNames = classes
		}
		return s, nil
	})
}

// lazily returns a function that decodes a set once and returns a copy at each call. What is embedded is
// part of the program, so an error is a broken build and panics.
func lazily(name string, decode func() (*Set, error)) func() *Set {
	once := sync.OnceValue(func() *Set {
		s, err := decode()
		if err != nil {
			panic(fmt.Errorf("dataset: embedded set %s: %w", name, err))
		}
		s.Name = name
		if src, ok := sourceOf(name); ok {
			s.Source, s.Licence = src.Source, src.Licence
		}
		return s
	})
	return func() *Set { return once().Clone() }
}

var (
	iris     = embeddedCSV("iris", CSVOptions{Target: "class"})
	wine     = embeddedCSV("wine", CSVOptions{Target: "class"})
	wdbc     = embeddedCSV("wdbc", CSVOptions{Target: "class", Classes: []string{"malignant", "benign"}})
	boston   = embeddedCSV("boston", CSVOptions{Target: "MEDV", Regression: true})
	digits   = embeddedCSV("digits", CSVOptions{Target: "class"})
	diabetes = embeddedCSV("diabetes", CSVOptions{Target: "class"})
	creditG  = embeddedCSV("credit-g", CSVOptions{Target: "class", Classes: []string{"good", "bad"}})
	cpu      = embeddedCSV("cpu", CSVOptions{Target: "class", Regression: true})
	spambase = embeddedCSV("spambase", CSVOptions{Target: "Class"})
	mnist    = embeddedImages("mnist-sample", "mnist", nil)
	fmnist   = embeddedImages("fashion-mnist-sample", "fmnist", fashionClasses)
)

var fashionClasses = []string{"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"}

// Iris returns Fisher's iris flowers: 150×4 lengths in cm, three species of 50 each.
func Iris() *Set { return iris() }

// Wine returns chemical analyses of 178 Italian wines: 178×13, three cultivars. The attributes have very
// different scales (proline has thousands).
func Wine() *Set { return wine() }

// BreastCancer returns the Wisconsin diagnostic breast cancer data (wdbc): 569×30 measures of cell nuclei, classes
// malignant (0, 212 rows) and benign (1, 357 rows), the order of scikit-learn.
func BreastCancer() *Set { return wdbc() }

// Boston returns the Boston housing data of 1978: 506×13, target MEDV, the median price in 1000 dollars, cut at 50.
// OpenML takes CHAS and RAD as categorical, which gives 22 columns:
//
//	boston, err := dataset.Boston().AsCategorical("CHAS", "RAD")
//	hot, err := boston.OneHot()
//
// The attribute B is a function of the share of black residents; the data are kept for comparison with papers
// that used them, not as a model of anything.
func Boston() *Set { return boston() }

// Digits returns the 8×8 images of handwritten digits: 1797×64, grey values 0 to 16, ten classes.
func Digits() *Set {
	s := digits()
	s.ImageHeight, s.ImageWidth = 8, 8
	return s
}

// Diabetes returns the Pima Indians diabetes data: 768×8, classes tested_negative (500) and tested_positive
// (268). Zeros in plas, pres, skin, insu and mass stand for missing measurements in the source.
func Diabetes() *Set { return diabetes() }

// CreditG returns the German credit data: 1000×20, of which 13 attributes are categorical (61 columns with
// OneHot), classes good (0, 700 rows) and bad (1, 300 rows).
func CreditG() *Set { return creditG() }

// CPU returns relative performance of computers of the 1980s: 209×7, of which vendor is categorical (36 columns with
// OneHot), target the published relative performance.
func CPU() *Set { return cpu() }

// Spambase returns word and character frequencies in e-mails: 4601×57, classes nonspam (2788) and spam (1813). 394
// rows repeat earlier ones.
func Spambase() *Set { return spambase() }

// MNISTSample returns the first 5000 training images of MNIST: 5000×784, 28×28 pixels of 0 to 255, ten digits.
func MNISTSample() *Set { return mnist() }

// FashionMNISTSample returns the first 5000 training images of Fashion-MNIST: 5000×784, 28×28 pixels of 0 to 255,
// ten kinds of clothing.
func FashionMNISTSample() *Set { return fmnist() }

// openMLBoston is Boston with the categorical attributes of OpenML.
func openMLBoston() *Set {
	s, err := Boston().AsCategorical("CHAS", "RAD")
	if err != nil {
		panic(err) // the names are columns of the embedded table
	}
	return s
}

// embeddedSets has the functions that return the sets in the binary, by their names in the table of sources.
func embeddedSets() map[string]func() *Set {
	return map[string]func() *Set{
		"iris":                 iris,
		"wine":                 wine,
		"wdbc":                 wdbc,
		"boston":               openMLBoston,
		"digits":               Digits,
		"diabetes":             diabetes,
		"credit-g":             creditG,
		"cpu":                  cpu,
		"spambase":             spambase,
		"mnist-sample":         mnist,
		"fashion-mnist-sample": fmnist,
		"tic-tac-toe":          TicTacToe,
		"monks-1":              func() *Set { return Monks(1) },
		"monks-2":              func() *Set { return Monks(2) },
		"monks-3":              func() *Set { return Monks(3) },
	}
}
