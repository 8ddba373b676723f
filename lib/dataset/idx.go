package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// LoadIDX reads images, one a row, and their labels from two files in the IDX format of MNIST, compressed by
// gzip or not. labels may be empty. maxRows bounds the number of rows; 0 means all. The class names are the
// label values "0", "1", … up to the largest. Errors are those of [ReadIDX]; a number of labels
// other than that of images, or labels that are not whole numbers from 0 to 9999, wrap ErrFormat.
func LoadIDX(images, labels string, maxRows int) (*Set, error) {
	s, err := loadSet(images, func(r io.Reader) (*Set, error) {
		x, shape, err := ReadIDX(r, maxRows)
		if err != nil {
			return nil, err
		}
		return imageSet(x, shape), nil
	})
	if err != nil || labels == "" {
		return s, err
	}
	f, err := os.Open(labels)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	defer f.Close()
	y, _, err := ReadIDX(f, maxRows)
	if err == nil {
		err = s.label(y)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", labels, err)
	}
	return s, nil
}

// imageSet makes a set of what ReadIDX returned.
func imageSet(x *mat.Dense, shape []int) *Set {
	s := &Set{X: x}
	if len(shape) == 3 {
		s.ImageHeight, s.ImageWidth = shape[1], shape[2]
	}
	_, d := x.Dims()
	s.FeatureNames = featureNames(s.ImageHeight, s.ImageWidth, d)
	return s
}

// featureNames returns names for pixels, or V1, V2, ….
func featureNames(height, width, d int) []string {
	names := make([]string, d)
	for j := range names {
		if height*width == d && d > 0 {
			names[j] = fmt.Sprintf("pixel_%d_%d", j/width, j%width)
		} else {
			names[j] = fmt.Sprintf("V%d", j+1)
		}
	}
	return names
}

// label sets Labels and ClassNames from one value for each row.
func (s *Set) label(y *mat.Dense) error {
	n, _ := s.X.Dims()
	rows, width := y.Dims()
	if width != 1 || rows != n {
		return fmt.Errorf("%w: labels are %d×%d for %d images, want %d×1", ErrFormat, rows, width, n, n)
	}
	s.Labels = make([]int, n)
	for i, v := range y.RawMatrix().Data {
		if v != math.Trunc(v) || v < 0 || v > 9999 {
			return fmt.Errorf("%w: label [%d] is %v, want a whole number from 0 to 9999", ErrFormat, i, v)
		}
		s.Labels[i] = int(v)
	}
	for c := range slices.Max(s.Labels) + 1 {
		s.ClassNames = append(s.ClassNames, strconv.Itoa(c))
	}
	return nil
}

// idxTypes has the element sizes and decoders of the IDX type codes.
var idxTypes = map[byte]struct {
	size   int
	decode func(b []byte) float64
}{
	0x08: {1, func(b []byte) float64 { return float64(b[0]) }},
	0x09: {1, func(b []byte) float64 { return float64(int8(b[0])) }},
	0x0b: {2, func(b []byte) float64 { return float64(int16(binary.BigEndian.Uint16(b))) }},
	0x0c: {4, func(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) }},
	0x0d: {4, func(b []byte) float64 { return float64(math.Float32frombits(binary.BigEndian.Uint32(b))) }},
	0x0e: {8, func(b []byte) float64 { return math.Float64frombits(binary.BigEndian.Uint64(b)) }},
}

// ReadIDX reads an array in the IDX format (magic number 0, 0, type, number of dimensions; sizes and data
// big-endian), compressed by gzip or not. x has one row for each index of the first dimension and the
// others unrolled in its columns; shape is the shape of what was read. maxRows bounds the rows that are
// read; 0 means all, and then data after the end is an error. The type may be any of the six
// of the format. Errors wrap ErrFormat, ErrTooLarge (more than 2²⁸ values) or ErrNotFinite; memory
// grows with the data that is really there, not with the sizes in the header.
func ReadIDX(r io.Reader, maxRows int) (x *mat.Dense, shape []int, err error) {
	if maxRows < 0 {
		return nil, nil, fmt.Errorf("%w: maxRows is %d, want 0 (all) or more", ErrArgument, maxRows)
	}
	plain, err := uncompressed(r)
	if err != nil {
		return nil, nil, err
	}
	var magic [4]byte
	if _, err := io.ReadFull(plain, magic[:]); err != nil {
		return nil, nil, fmt.Errorf("%w: IDX: no magic number: %w", ErrFormat, err)
	}
	kind, ok := idxTypes[magic[2]]
	if magic[0] != 0 || magic[1] != 0 || !ok || magic[3] == 0 || magic[3] > 8 {
		return nil, nil, fmt.Errorf("%w: IDX: magic number is %#08x, want 0x00000T0D with type T 8, 9 or b to e and 1 to 8 dimensions D",
			ErrFormat, binary.BigEndian.Uint32(magic[:]))
	}
	if shape, err = idxShape(plain, int(magic[3]), maxRows); err != nil {
		return nil, nil, err
	}
	rows, cols := shape[0], 1
	for _, s := range shape[1:] {
		cols *= s
	}
	data, err := readValues(plain, rows*cols, kind.size, kind.decode)
	if err != nil {
		return nil, nil, fmt.Errorf("IDX of shape %v: %w", shape, err)
	}
	if maxRows == 0 {
		if _, err := plain.ReadByte(); !errors.Is(err, io.EOF) {
			return nil, nil, fmt.Errorf("%w: IDX of shape %v: there is data after the last value", ErrFormat, shape)
		}
	}
	return mat.NewDense(rows, cols, data), shape, nil
}

// idxShape reads and checks the sizes of an IDX header, and applies maxRows.
func idxShape(r io.Reader, dims, maxRows int) ([]int, error) {
	sizes := make([]uint32, dims)
	if err := binary.Read(r, binary.BigEndian, sizes); err != nil {
		return nil, fmt.Errorf("%w: IDX: header ends within %d sizes: %w", ErrFormat, dims, err)
	}
	if maxRows > 0 && int64(sizes[0]) > int64(maxRows) {
		sizes[0] = uint32(maxRows)
	}
	total := uint64(1)
	shape := make([]int, dims)
	for k, s := range sizes {
		if s == 0 {
			return nil, fmt.Errorf("%w: IDX: size [%d] is 0, want at least 1", ErrFormat, k)
		}
		if total *= uint64(s); total > maxValues {
			return nil, fmt.Errorf("%w: IDX: sizes %v, want at most %d values", ErrTooLarge, sizes, maxValues)
		}
		shape[k] = int(s)
	}
	return shape, nil
}

// readValues reads n values of the given size, and fails on the first that is not finite. It allocates in
// proportion to the bytes that arrive, so a header that promises too much costs nothing.
func readValues(r io.Reader, n, size int, decode func([]byte) float64) ([]float64, error) {
	const block = 1 << 16 // values read at a time
	data := make([]float64, 0, min(n, block))
	buf := make([]byte, min(n, block)*size)
	for len(data) < n {
		k := min(block, n-len(data))
		got, err := io.ReadFull(r, buf[:k*size])
		if err != nil {
			return nil, fmt.Errorf("%w: data ends after %d of %d values: %w", ErrFormat, len(data)+got/size, n, err)
		}
		if cap(data)-len(data) < k {
			data = slices.Grow(data, min(n, 4*len(data))-len(data))
		}
		for at := 0; at < k*size; at += size {
			v := decode(buf[at : at+size])
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%w: value [%d] is %v", ErrNotFinite, len(data), v)
			}
			data = append(data, v)
		}
	}
	return data, nil
}
