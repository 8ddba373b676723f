// Package dataset has the data of the notebooks and reads yours: small sets inside the binary, generators
// with a seed, loaders for common files, and large sets found or downloaded by name.
//
// # A set
//
// A [Set] has the n×d matrix X with one observation per row, and what is known about it: class labels
// or a target, names, the size of images, source and licence. Nothing is scaled: MNIST pixels run from
// 0 to 255, those of [Digits] from 0 to 16 ([Set.Scaled] and [Standardize] change that). Every
// call returns a new set that the caller owns.
//
//	iris := dataset.Iris()
//	fmt.Println(iris)                    // iris: 150×4, classes setosa 50, versicolor 50, virginica 50
//	train, test, err := iris.Split(0.3, 1)
//
// Categorical attributes (colour of a car, square of a board) stand in X as the index of their level;
// Set.Categories has the levels. Distances between such indices mean nothing, so kernels want the
// one-hot form, one 0/1 column per level:
//
//	credit := dataset.CreditG()          // 1000×20, 13 attributes categorical
//	hot, err := credit.OneHot()          // 1000×61
//
// # Embedded sets
//
// They need no file and no network: Iris, Wine, BreastCancer, Boston, Digits, Diabetes, CreditG, CPU,
// Spambase, MNISTSample and FashionMNISTSample are stored in the binary (3.3 MB, gzip); TicTacToe
// and Monks are computed from their rules. [Sources] is the table of size, source, licence and SHA-256
// of all sets, embedded or not. The stored files are made by
//
//	EIGENBOOK_DATA=… go run ./lib/dataset/internal/pack
//
// # Sets by name
//
// [Load] returns any set of [Sources]: embedded, or from files that [Fetch] finds in the folder
// $EIGENBOOK_DATA, else in the user's cache folder, else at the address the files are published
// at. Each file is compared with its SHA-256 before use, wherever it was.
//
// # Your own data
//
// [LoadCSV], [LoadARFF], [LoadIDX], [LoadNPY] and [LoadRaw] read files, the Read functions read from any
// reader; gzip is recognised by its content. A file that cannot be read as it says gives an error that
// wraps [ErrFormat] and names the line, the column and the value. No input makes them panic. A header that
// promises more than the input contains costs no memory; a matrix has at most 2²⁸ values (2 GiB).
//
// # Randomness
//
// Generators take a seed and use math/rand/v2 (PCG), so equal calls give equal data on every machine.
package dataset

import "errors"

var (
	// ErrArgument reports an argument outside its range.
	ErrArgument = errors.New("dataset: invalid argument")
	// ErrFormat reports input that is not what its format demands.
	ErrFormat = errors.New("dataset: malformed input")
	// ErrNotFinite reports a NaN or an infinity where numbers are needed.
	ErrNotFinite = errors.New("dataset: value is not finite")
	// ErrUnknown reports a name that is in no table.
	ErrUnknown = errors.New("dataset: unknown name")
	// ErrUnavailable reports a file that is neither on the machine nor could be downloaded.
	ErrUnavailable = errors.New("dataset: file not available")
	// ErrChecksum reports a file whose content is not the published one.
	ErrChecksum = errors.New("dataset: wrong content")
	// ErrTooLarge reports input beyond a size limit.
	ErrTooLarge = errors.New("dataset: too large")
)

// maxValues bounds the number of values of a matrix that is read or generated (2 GiB of float64).
const maxValues = 1 << 28
