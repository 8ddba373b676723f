package dataset_test

import (
	"fmt"
	"log"
	"strings"

	"eigenbook/lib/dataset"
)

func Example() {
	fmt.Println(dataset.Iris())
	fmt.Println(dataset.CreditG())
	train, test, err := dataset.Digits().Split(0.25, 1)
	if err != nil {
		log.Fatal(err)
	}
	n, d := train.Dims()
	m, _ := test.Dims()
	fmt.Println(n, m, d)
	// Output:
	// iris: 150×4, classes setosa 50, versicolor 50, virginica 50
	// credit-g: 1000×20, 13 attributes categorical (OneHot expands them), classes good 700, bad 300
	// 1346 451 64
}

func ExampleReadCSV() {
	table := `colour,weight,kind
red,1.5,a
blue,?,b
red,2.5,a
`
	s, err := dataset.ReadCSV(strings.NewReader(table), dataset.CSVOptions{Target: "kind", Missing: dataset.MissingMedian})
	if err != nil {
		log.Fatal(err)
	}
	h, err := s.OneHot()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.FeatureNames, h.X.RawRowView(1), h.ClassNames[h.Labels[1]])
	_, err = dataset.ReadCSV(strings.NewReader("a,b\n1,2\n3,4o\n"), dataset.CSVOptions{})
	fmt.Println(err)
	// Output:
	// [colour=blue colour=red weight] [1 0 2] b
	// dataset: malformed input: line 3, column 2 (b): "4o" is not a number
}
