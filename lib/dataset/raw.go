package dataset

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// rawHeader is the JSON beside raw data.
type rawHeader struct {
	Shape []int  `json:"shape"`
	DType string `json:"dtype"`
	Image struct {
		Height int `json:"height"`
		Width  int `json:"width"`
	} `json:"image"`
	Data       string            `json:"data"`
	Labels     *string           `json:"labels"`
	LabelNames map[string]string `json:"label_names"`
	Source     string            `json:"source"`
}

// LoadRaw reads a matrix of raw numbers by its JSON header, which names the shape [n, d], the dtype ("uint8" or
// "float32 little-endian"), the data file and, if there are any, the file of labels (one byte for each row, classes
// counted from 1) in the same folder. maxRows bounds the rows that are read; 0 means all. Errors wrap ErrFormat,
// ErrTooLarge or ErrNotFinite and name the file.
func LoadRaw(headerPath string, maxRows int) (*Set, error) {
	if maxRows < 0 {
		return nil, fmt.Errorf("%w: maxRows is %d, want 0 (all) or more", ErrArgument, maxRows)
	}
	h, err := readRawHeader(headerPath)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", headerPath, err)
	}
	rows := h.Shape[0]
	if maxRows > 0 {
		rows = min(rows, maxRows)
	}
	whole := rows == h.Shape[0]
	s, err := loadSet(headerPath, func(io.Reader) (*Set, error) {
		data, err := readRaw(filepath.Join(filepath.Dir(headerPath), h.Data), rows*h.Shape[1], whole, h.DType)
		if err != nil {
			return nil, err
		}
		return &Set{X: mat.NewDense(rows, h.Shape[1], data)}, nil
	})
	if err != nil {
		return nil, err
	}
	s.ImageHeight, s.ImageWidth = h.Image.Height, h.Image.Width
	s.FeatureNames = featureNames(h.Image.Height, h.Image.Width, h.Shape[1])
	if h.Source != "" {
		s.Source = h.Source
	}
	if h.Labels == nil {
		return s, nil
	}
	labels := filepath.Join(filepath.Dir(headerPath), *h.Labels)
	y, err := readRaw(labels, rows, whole, "uint8")
	if err != nil {
		return nil, err
	}
	for i, v := range y {
		if v < 1 {
			return nil, fmt.Errorf("%s: %w: label [%d] is %v, want 1 to 255", labels, ErrFormat, i, v)
		}
		for c := len(s.ClassNames) + 1; c <= int(v); c++ {
			name, ok := h.LabelNames[strconv.Itoa(c)]
			if !ok {
				name = strconv.Itoa(c)
			}
			s.ClassNames = append(s.ClassNames, name)
		}
		s.Labels = append(s.Labels, int(v)-1)
	}
	return s, nil
}

func readRawHeader(path string) (*rawHeader, error) {
	const most = 1 << 20
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	if len(content) > most {
		return nil, fmt.Errorf("%w: a header of more than %d bytes", ErrTooLarge, most)
	}
	var h rawHeader
	if err := json.Unmarshal(content, &h); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	if len(h.Shape) != 2 {
		return nil, fmt.Errorf("%w: header: shape is %v, want [rows, columns]", ErrFormat, h.Shape)
	}
	if err := checkSize(h.Shape[0], h.Shape[1]); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	if _, ok := rawTypes[h.DType]; !ok {
		return nil, fmt.Errorf("%w: header: dtype is %q, want uint8 or float32 little-endian", ErrFormat, h.DType)
	}
	if img := h.Image; (img.Height != 0 || img.Width != 0) && (img.Height < 1 || img.Width < 1 || img.Height > h.Shape[1] || img.Height*img.Width != h.Shape[1]) {
		return nil, fmt.Errorf("%w: header: images of %d×%d do not have the %d pixels of a row", ErrFormat, img.Height, img.Width, h.Shape[1])
	}
	for _, name := range []*string{&h.Data, h.Labels} {
		if name != nil && (*name == "" || filepath.Base(*name) != *name || !filepath.IsLocal(*name)) {
			return nil, fmt.Errorf("%w: header: file %q, want a name in the header's own folder", ErrFormat, *name)
		}
	}
	return &h, nil
}

var rawTypes = map[string]struct {
	size   int
	decode func(b []byte) float64
}{
	"uint8": {1, func(b []byte) float64 { return float64(b[0]) }},
	"float32 little-endian": {4, func(b []byte) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}},
}

// readRaw reads n numbers; a whole file must end there.
func readRaw(path string, n int, whole bool, dtype string) ([]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	defer f.Close()
	plain, err := uncompressed(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t := rawTypes[dtype]
	data, err := readValues(plain, n, t.size, t.decode)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if whole {
		if _, err := plain.ReadByte(); !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: %w: there is data after the last of %d values", path, ErrFormat, n)
		}
	}
	return data, nil
}
