package dataset_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"eigenbook/lib/dataset"
)

// idx makes an IDX file of a header and a payload.
func idx(kind byte, sizes []uint32, payload ...byte) []byte {
	b := []byte{0, 0, kind, byte(len(sizes))}
	for _, s := range sizes {
		b = binary.BigEndian.AppendUint32(b, s)
	}
	return append(b, payload...)
}

func compressed(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func TestReadIDX(t *testing.T) {
	float := binary.BigEndian.AppendUint64(nil, math.Float64bits(-2.5))
	for _, tc := range []struct {
		name    string
		file    []byte
		maxRows int
		shape   []int
		want    []float64
	}{
		{"bytes", idx(8, []uint32{2, 1, 2}, 1, 2, 254, 255), 0, []int{2, 1, 2}, []float64{1, 2, 254, 255}},
		{"first row", idx(8, []uint32{2, 1, 2}, 1, 2, 254, 255), 1, []int{1, 1, 2}, []float64{1, 2}},
		{"more rows than there are", idx(8, []uint32{2, 1}, 1, 2), 9, []int{2, 1}, []float64{1, 2}},
		{"signed", idx(9, []uint32{2}, 1, 255), 0, []int{2}, []float64{1, -1}},
		{"int16", idx(0xb, []uint32{1}, 0xff, 0xfe), 0, []int{1}, []float64{-2}},
		{"int32", idx(0xc, []uint32{1}, 0, 1, 0, 0), 0, []int{1}, []float64{65536}},
		{"float32", idx(0xd, []uint32{1}, 0x3f, 0xc0, 0, 0), 0, []int{1}, []float64{1.5}},
		{"float64", idx(0xe, []uint32{1}, float...), 0, []int{1}, []float64{-2.5}},
		{"gzip", compressed(idx(8, []uint32{2}, 7, 8)), 0, []int{2}, []float64{7, 8}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x, shape, err := dataset.ReadIDX(bytes.NewReader(tc.file), tc.maxRows)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(shape, tc.shape) || !slices.Equal(x.RawMatrix().Data, tc.want) {
				t.Errorf("got %v of shape %v, want %v of shape %v", x.RawMatrix().Data, shape, tc.want, tc.shape)
			}
		})
	}
}

func TestReadIDXErrors(t *testing.T) {
	nan := binary.BigEndian.AppendUint64(nil, math.Float64bits(math.NaN()))
	for _, tc := range []struct {
		name    string
		file    []byte
		maxRows int
		want    error
		message string
	}{
		{"empty", nil, 0, dataset.ErrFormat, "magic"},
		{"text", []byte("hello world"), 0, dataset.ErrFormat, "0x68656c6c"},
		{"unknown type", idx(7, []uint32{1}, 1), 0, dataset.ErrFormat, "0x00000701"},
		{"no dimension", idx(8, nil, 1), 0, dataset.ErrFormat, "0x00000800"},
		{"255 dimensions", []byte{0, 0, 8, 255, 0, 0, 0, 1}, 0, dataset.ErrFormat, "0x000008ff"},
		{"short header", idx(8, []uint32{1, 2})[:9], 0, dataset.ErrFormat, "header ends"},
		{"size 0", idx(8, []uint32{3, 0}), 0, dataset.ErrFormat, "size [1] is 0"},
		{"huge", idx(8, []uint32{1 << 31, 1 << 31}, 1), 0, dataset.ErrTooLarge, "268435456"},
		{"overflow", idx(8, []uint32{1 << 31, 1 << 31, 1 << 31, 1 << 31}, 1), 0, dataset.ErrTooLarge, "268435456"},
		{"truncated", idx(8, []uint32{2, 3}, 1, 2, 3, 4), 0, dataset.ErrFormat, "4 of 6"},
		{"trailing", idx(8, []uint32{1}, 1, 2), 0, dataset.ErrFormat, "after the last"},
		{"NaN", idx(0xe, []uint32{1}, nan...), 0, dataset.ErrNotFinite, "value [0]"},
		{"broken gzip", compressed(idx(8, []uint32{9}, 1, 2, 3, 4, 5, 6, 7, 8, 9))[:20], 0, dataset.ErrFormat, ""},
		{"gzip magic only", []byte{0x1f, 0x8b}, 0, dataset.ErrFormat, "gzip"},
		{"negative maxRows", idx(8, []uint32{1}, 1), -1, dataset.ErrArgument, "-1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x, _, err := dataset.ReadIDX(bytes.NewReader(tc.file), tc.maxRows)
			if !errors.Is(err, tc.want) || x != nil || !strings.Contains(err.Error(), tc.message) {
				t.Errorf("got %v and error %v, want %v with %q", x, err, tc.want, tc.message)
			}
		})
	}
}

// TestHeaderCostsNothing: a file of 20 bytes that claims 2 GiB is refused without allocating them.
func TestHeaderCostsNothing(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := dataset.ReadIDX(bytes.NewReader(idx(8, []uint32{1 << 14, 1 << 14}, 1, 2)), 0)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, dataset.ErrFormat) {
		t.Errorf("error is %v, want ErrFormat", err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 2<<20 {
		t.Errorf("reading 2 bytes allocated %d", got)
	}
}

func TestLoadIDX(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	images := write("im.idx", idx(8, []uint32{3, 2, 1}, 1, 2, 3, 4, 5, 6))
	s, err := dataset.LoadIDX(images, write("l.idx", idx(8, []uint32{3}, 1, 0, 2)), 2)
	if err != nil {
		t.Fatal(err)
	}
	if n, d := s.Dims(); n != 2 || d != 2 || s.ImageHeight != 2 || s.ImageWidth != 1 || !slices.Equal(s.Labels, []int{1, 0}) ||
		!slices.Equal(s.ClassNames, []string{"0", "1"}) || s.Name != "im" || s.FeatureNames[1] != "pixel_1_0" {
		t.Errorf("got %v with labels %v, names %v", s, s.Labels, s.FeatureNames)
	}
	if s, err := dataset.LoadIDX(images, "", 0); err != nil || s.Labels != nil {
		t.Errorf("without labels: %v, %v", s, err)
	}
	for name, content := range map[string][]byte{
		"few.idx":  idx(8, []uint32{2}, 1, 0),
		"wide.idx": idx(8, []uint32{3, 2}, 1, 0, 1, 0, 1, 0),
		"neg.idx":  idx(9, []uint32{3}, 1, 0, 255),
	} {
		if s, err := dataset.LoadIDX(images, write(name, content), 0); !errors.Is(err, dataset.ErrFormat) || s != nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v, %v; want ErrFormat naming the file", name, s, err)
		}
	}
	if _, err := dataset.LoadIDX(filepath.Join(dir, "none"), "", 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

func FuzzReadIDX(f *testing.F) {
	f.Add(idx(8, []uint32{2, 1, 2}, 1, 2, 254, 255), 0)
	f.Add(idx(0xe, []uint32{1}, 0, 0, 0, 0, 0, 0, 0, 0), 1)
	f.Add(compressed(idx(8, []uint32{2}, 7, 8)), 0)
	f.Add(idx(8, []uint32{1 << 31, 1 << 31}), 3)
	f.Fuzz(func(t *testing.T, file []byte, maxRows int) {
		x, shape, err := dataset.ReadIDX(bytes.NewReader(file), maxRows)
		if (err == nil) != (x != nil) {
			t.Fatalf("matrix %v with error %v", x, err)
		}
		if err == nil {
			if n, _ := x.Dims(); n != shape[0] || (maxRows > 0 && n > maxRows) {
				t.Fatalf("%d rows of shape %v, at most %d wanted", n, shape, maxRows)
			}
		}
	})
}
