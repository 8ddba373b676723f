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
	var order binary.ByteOrder = binary.LittleEndian
	if name[0] == '>' {
		order = binary.BigEndian
	}
	data, err := readValues(plain, rows*cols, t.size, func(b []byte) float64 { return t.decode(order, b) })
	if err != nil {
		return nil, fmt.Errorf("NPY of shape %v: %w", header.Descr.Shape, err)
	}
	if _, err := plain.ReadByte(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: NPY of shape %v: there is data after the last value", ErrFormat, header.Descr.Shape)
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
	size   int
	decode func(order binary.ByteOrder, b []byte) float64
}{
	"b1": {1, func(_ binary.ByteOrder, b []byte) float64 { return float64(min(b[0], 1)) }},
	"i1": {1, func(_ binary.ByteOrder, b []byte) float64 { return float64(int8(b[0])) }},
	"i2": {2, func(order binary.ByteOrder, b []byte) float64 { return float64(int16(order.Uint16(b))) }},
	"i4": {4, func(order binary.ByteOrder, b []byte) float64 { return float64(int32(order.Uint32(b))) }},
	"i8": {8, func(order binary.ByteOrder, b []byte) float64 { return float64(int64(order.Uint64(b))) }},
	"u1": {1, func(_ binary.ByteOrder, b []byte) float64 { return float64(b[0]) }},
	"u2": {2, func(order binary.ByteOrder, b []byte) float64 { return float64(order.Uint16(b)) }},
	"u4": {4, func(order binary.ByteOrder, b []byte) float64 { return float64(order.Uint32(b)) }},
	"u8": {8, func(order binary.ByteOrder, b []byte) float64 { return float64(order.Uint64(b)) }},
	"f4": {4, func(order binary.ByteOrder, b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }},
	"f8": {8, func(order binary.ByteOrder, b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }},
}

// recoverNPY turns a panic of the library into an error.
func recoverNPY(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("%w: NPY: malformed header (%v)", ErrFormat, v)
	}
}
