package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"codeberg.org/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"
)

// LoadNPY reads a file as [ReadNPY] does.
func LoadNPY(path string) (*mat.Dense, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	defer f.Close()
	x, err := ReadNPY(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return x, nil
}

// ReadNPY reads an array of NumPy's .npy format, version 1 or 2, compressed by gzip or not. The array has one
// dimension (n, which gives n×1) or two, in C or Fortran order, of bool, int8 to int64, uint8 to uint64, float32 or
// float64 in either byte order. Errors wrap ErrFormat, ErrTooLarge (more than 2²⁸ values) or ErrNotFinite;
// integers beyond 2⁵³ are rounded.
func ReadNPY(r io.Reader) (*mat.Dense, error) {
	plain, err := uncompressed(r)
	if err != nil {
		return nil, err
	}
	head, err := npyHead(plain)
	if err != nil {
		return nil, err
	}
	header, err := npyHeader(head)
	if err != nil {
		return nil, err
	}
	rows, cols, err := npyShape(header.Descr.Shape)
	if err != nil {
		return nil, err
	}
	name := strings.Trim(header.Descr.Type, "'\"")
	t, ok := npyTypes[strings.TrimLeft(name, "<>|=")]
	if !ok {
		return nil, fmt.Errorf("%w: NPY: dtype %s, want b1, i1 to i8, u1 to u8, f4 or f8", ErrFormat, clip(header.Descr.Type))
	}
	body, size := new(bytes.Buffer), int64(rows*cols)*int64(t.size)
	if _, err := io.CopyN(body, plain, size); err != nil {
		return nil, fmt.Errorf("%w: NPY of shape %v: data ends after %d of %d bytes: %w",
			ErrFormat, header.Descr.Shape, body.Len(), size, err)
	}
	if _, err := plain.ReadByte(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: NPY of shape %v: there is data after the last value", ErrFormat, header.Descr.Shape)
	}
	data, err := t.read(io.MultiReader(bytes.NewReader(head), body))
	if err != nil {
		return nil, err
	}
	if len(data) != rows*cols {
		return nil, fmt.Errorf("%w: NPY of shape %v: %d values", ErrFormat, header.Descr.Shape, len(data))
	}
	for k, v := range data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%w: NPY: value [%d] is %v", ErrNotFinite, k, v)
		}
	}
	if header.Descr.Fortran {
		return mat.DenseCopyOf(mat.NewDense(cols, rows, data).T()), nil
	}
	return mat.NewDense(rows, cols, data), nil
}

// npyHead reads the bytes before the data, which npy.NewReader would allocate by the length they claim.
func npyHead(r io.Reader) ([]byte, error) {
	const longest = 1 << 16
	head := make([]byte, 8, 12)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, fmt.Errorf("%w: NPY: no magic number: %w", ErrFormat, err)
	}
	if !bytes.Equal(head[:6], npy.Magic[:]) || head[6] < 1 || head[6] > 2 {
		return nil, fmt.Errorf("%w: NPY: magic number and version are % x, want % x 01 00 or 02 00", ErrFormat, head, npy.Magic)
	}
	width := 2 * int(head[6])
	head = head[:8+width]
	if _, err := io.ReadFull(r, head[8:]); err != nil {
		return nil, fmt.Errorf("%w: NPY: no header length: %w", ErrFormat, err)
	}
	length := uint32(binary.LittleEndian.Uint16(head[8:]))
	if width == 4 {
		length = binary.LittleEndian.Uint32(head[8:])
	}
	if length > longest {
		return nil, fmt.Errorf("%w: NPY: a header of %d bytes, want at most %d", ErrTooLarge, length, longest)
	}
	head = append(head, make([]byte, length)...)
	if _, err := io.ReadFull(r, head[8+width:]); err != nil {
		return nil, fmt.Errorf("%w: NPY: the header ends early: %w", ErrFormat, err)
	}
	return head, nil
}

// npyHeader parses the header. The library panics on some malformed ones.
func npyHeader(head []byte) (h npy.Header, err error) {
	defer recoverNPY(&err)
	reader, err := npy.NewReader(bytes.NewReader(head))
	if err != nil {
		return h, fmt.Errorf("%w: NPY: %w", ErrFormat, err)
	}
	return reader.Header, nil
}

func npyShape(shape []int) (rows, cols int, err error) {
	switch len(shape) {
	case 1:
		rows, cols = shape[0], 1
	case 2:
		rows, cols = shape[0], shape[1]
	default:
		return 0, 0, fmt.Errorf("%w: NPY: shape %v, want one or two dimensions", ErrFormat, shape)
	}
	if err := checkSize(rows, cols); err != nil {
		return 0, 0, fmt.Errorf("%w: NPY: %w", ErrFormat, err)
	}
	return rows, cols, nil
}

// npyTypes has the element types that can be read, without their byte order.
var npyTypes = map[string]struct {
	size int
	read func(r io.Reader) ([]float64, error)
}{
	"b1": {1, func(r io.Reader) ([]float64, error) {
		v, err := npyRead[bool](r)
		out := make([]float64, len(v))
		for k := range v {
			if v[k] {
				out[k] = 1
			}
		}
		return out, err
	}},
	"i1": {1, npyNumbers[int8]}, "i2": {2, npyNumbers[int16]}, "i4": {4, npyNumbers[int32]}, "i8": {8, npyNumbers[int64]},
	"u1": {1, npyNumbers[uint8]}, "u2": {2, npyNumbers[uint16]}, "u4": {4, npyNumbers[uint32]}, "u8": {8, npyNumbers[uint64]},
	"f4": {4, npyNumbers[float32]}, "f8": {8, npyNumbers[float64]},
}

func npyNumbers[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64](r io.Reader) ([]float64, error) {
	v, err := npyRead[T](r)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(v))
	for k := range v {
		out[k] = float64(v[k])
	}
	return out, nil
}

func npyRead[T any](r io.Reader) (v []T, err error) {
	defer recoverNPY(&err)
	if err := npy.Read(r, &v); err != nil {
		return nil, fmt.Errorf("%w: NPY: %w", ErrFormat, err)
	}
	return v, nil
}

// recoverNPY turns a panic of the library into an error.
func recoverNPY(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("%w: NPY: malformed header (%v)", ErrFormat, v)
	}
}
