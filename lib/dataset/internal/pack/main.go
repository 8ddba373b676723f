// Command pack makes the files that package dataset embeds, in lib/dataset/data, out of the folder
// EIGENBOOK_DATA. Small sets are copied unchanged after their SHA-256 was compared with the one in files.csv;
// spambase is written anew with the class names of the spam data in R's kernlab; of MNIST and Fashion-MNIST the
// first images of the training set are kept. Run it from the module's root:
//
//	EIGENBOOK_DATA=/path/to/data go run ./lib/dataset/internal/pack
//
// The result depends on the input and the version of compress/gzip only.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"eigenbook/lib/dataset"
)

// kept is the number of images of each sample.
const kept = 5000

func main() {
	log.SetFlags(0)
	if err := pack(context.Background(), filepath.Join("lib", "dataset", "data")); err != nil {
		log.Fatal(err)
	}
}

func pack(ctx context.Context, dir string) error {
	copies := map[string]string{
		"iris.csv.gz":      "sklearn/iris.csv.gz",
		"wine.csv.gz":      "sklearn/wine.csv.gz",
		"wdbc.csv.gz":      "sklearn/breast_cancer.csv.gz",
		"digits.csv.gz":    "sklearn/digits.csv.gz",
		"boston.csv.gz":    "openml/boston.csv.gz",
		"diabetes.csv.gz":  "openml/diabetes.csv.gz",
		"credit-g.csv.gz":  "openml/credit-g.csv.gz",
		"cpu.csv.gz":       "openml/cpu.csv.gz",
		"mnist.LICENSE":    "mnist/LICENSE",
		"fmnist.COPYRIGHT": "fmnist/COPYRIGHT",
	}
	for to, from := range copies {
		path, err := dataset.Fetch(ctx, from)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, to), content, 0o644); err != nil {
			return err
		}
	}
	heads := map[string]string{
		"mnist-images.idx.gz":  "mnist/train-images-idx3-ubyte.gz",
		"mnist-labels.idx.gz":  "mnist/train-labels-idx1-ubyte.gz",
		"fmnist-images.idx.gz": "fmnist/train-images-part1of3-idx3-ubyte.gz",
		"fmnist-labels.idx.gz": "fmnist/train-labels-part1of3-idx1-ubyte.gz",
	}
	for to, from := range heads {
		path, err := dataset.Fetch(ctx, from)
		if err != nil {
			return err
		}
		if err := head(path, filepath.Join(dir, to)); err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
	}
	path, err := dataset.Fetch(ctx, "openml/spambase.csv.gz")
	if err != nil {
		return err
	}
	return spam(path, filepath.Join(dir, "spambase.csv.gz"))
}

// spam copies the table of spambase with the classes nonspam and spam for 0 and 1.
func spam(from, to string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	records, err := csv.NewReader(zr).ReadAll()
	if err != nil {
		return err
	}
	names := map[string]string{"0": "nonspam", "1": "spam"}
	for _, r := range records[1:] {
		r[len(r)-1] = names[r[len(r)-1]]
	}
	var table bytes.Buffer
	if err := csv.NewWriter(&table).WriteAll(records); err != nil {
		return err
	}
	return write(to, table.Bytes())
}

// write stores content compressed.
func write(path string, content []byte) error {
	var out bytes.Buffer
	zw, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := zw.Write(content); err != nil {
		return err
	}
	if err := zw.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// head writes an IDX file of unsigned bytes with the first rows of another one.
func head(from, to string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	magic := make([]byte, 4)
	if _, err := io.ReadFull(zr, magic); err != nil {
		return err
	}
	dims := make([]uint32, magic[3])
	if err := binary.Read(zr, binary.BigEndian, dims); err != nil {
		return err
	}
	size := int64(kept)
	for _, d := range dims[1:] {
		size *= int64(d)
	}
	dims[0] = kept
	var out bytes.Buffer
	out.Write(magic)
	if err := binary.Write(&out, binary.BigEndian, dims); err != nil {
		return err
	}
	if _, err := io.CopyN(&out, zr, size); err != nil {
		return err
	}
	return write(to, out.Bytes())
}
