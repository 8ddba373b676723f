package display

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"math"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
)

// A recorder is a sink that keeps what it gets.
type recorder struct {
	bundles []Bundle
	ids     []string
	updates []bool
	clears  []bool
	err     error
}

func (r *recorder) Clear(wait bool) error {
	r.clears = append(r.clears, wait)
	return r.err
}

func (r *recorder) Display(b Bundle, id string, update bool) error {
	r.bundles = append(r.bundles, b)
	r.ids, r.updates = append(r.ids, id), append(r.updates, update)
	return r.err
}

// record registers a recorder for the duration of a test.
func record(t *testing.T) *recorder {
	t.Helper()
	r := &recorder{}
	previous := SetSink(r)
	t.Cleanup(func() {
		if got := SetSink(previous); got != Sink(r) {
			t.Errorf("SetSink returned %v, want the recorder", got)
		}
	})
	return r
}

// panicOf returns the error that f panics with.
func panicOf(t *testing.T, f func()) (err error) {
	t.Helper()
	defer func() {
		r := recover()
		var ok bool
		if err, ok = r.(error); !ok {
			t.Fatalf("panic value is %v, want an error", r)
		}
	}()
	f()
	return nil
}

type view struct{ text string }

func (v view) Bundle() (Bundle, error) {
	return Bundle{Data: map[string]any{MIMEPlain: v.text}}, nil
}

type faulty struct{}

func (faulty) Bundle() (Bundle, error) { panic("no picture today") }

func TestShowInOrder(t *testing.T) {
	r := record(t)
	Show("one", view{"two"}, errors.New("three"), 4, []int{5, 6}, mat.NewDense(1, 1, []float64{7}), nil, (*mat.Dense)(nil))
	want := []string{"one", "two", "error: three", "4", "[5 6]", "Dense, 1×1\n   0\n0  7", "<nil>", "(*mat.Dense)(nil)"}
	if len(r.bundles) != len(want) {
		t.Fatalf("got %d results, want %d", len(r.bundles), len(want))
	}
	for i, b := range r.bundles {
		if b.Plain() != want[i] {
			t.Errorf("result %d is %q, want %q", i, b.Plain(), want[i])
		}
		if r.ids[i] != "" || r.updates[i] {
			t.Errorf("result %d has id %q and update %t, want neither", i, r.ids[i], r.updates[i])
		}
	}
}

func TestShowPictures(t *testing.T) {
	r := record(t)
	Show(image.NewGray(image.Rect(0, 0, 3, 3)), plot.New(), Spectrum([]float64{2, 1}))
	for i, b := range r.bundles {
		if !bytes.HasPrefix(b.PNG(), []byte("\x89PNG")) || b.Plain() == "" {
			t.Errorf("result %d has MIME types %v, want image/png and text/plain", i, b.Data)
		}
	}
}

func TestShowFailsTheCell(t *testing.T) {
	r := record(t)
	err := panicOf(t, func() { Show("before", Spectrum([]float64{1, math.NaN()}), "after") })
	if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "value 2 of 3") || !strings.Contains(err.Error(), "values[1] is NaN") {
		t.Errorf("panic is %v, want ErrInput, the value and its place", err)
	}
	if len(r.bundles) != 1 {
		t.Errorf("%d results were shown, want the one before the failure", len(r.bundles))
	}
	if err := panicOf(t, func() { Show(faulty{}) }); !strings.Contains(err.Error(), "no picture today") {
		t.Errorf("panic is %v, want that of the Viewer", err)
	}
	r.err = errors.New("front end gone")
	if err := panicOf(t, func() { Show(1) }); !errors.Is(err, r.err) {
		t.Errorf("panic is %v, want the sink's error", err)
	}
}

func TestRenderLongText(t *testing.T) {
	b, err := Render(make([]float64, 100_000))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(b.Plain()); n > maxPlain || !strings.HasSuffix(b.Plain(), "(10000 of 100000 values shown)") {
		t.Errorf("text has %d bytes and ends with %q", n, b.Plain()[n-40:])
	}
	if b, err = Render([][]float64{make([]float64, 100_000)}); err != nil {
		t.Fatal(err)
	}
	if n := len(b.Plain()); n > maxPlain+100 || !strings.Contains(b.Plain(), "200003 bytes") {
		t.Errorf("text has %d bytes and ends with %q", n, b.Plain()[n-40:])
	}
	if got := cutUTF8("aσσ", 2); got != "a" {
		t.Errorf("cutUTF8 = %q, want whole characters", got)
	}
}

func TestBundleIsAViewer(t *testing.T) {
	r := record(t)
	byHand := Bundle{Data: map[string]any{MIMEPlain: "by hand"}}
	Show(byHand, ViewerFunc(byHand.Bundle))
	for i := range 2 {
		if r.bundles[i].Plain() != "by hand" {
			t.Errorf("result %d is %v", i, r.bundles[i])
		}
	}
	if err := panicOf(t, func() { Show(ViewerFunc(nil)) }); !errors.Is(err, ErrInput) {
		t.Errorf("a nil ViewerFunc: %v, want ErrInput", err)
	}
	if err := panicOf(t, func() { Show(Bundle{}) }); !errors.Is(err, ErrInput) {
		t.Errorf("an empty bundle: %v, want ErrInput", err)
	}
}

// Figures may be drawn and shown from several goroutines; run with -race.
func TestShowConcurrently(t *testing.T) {
	r := record(t)
	shared := Spectrum(toySpectrum, SpectrumOptions{Kept: 2, Width: 300, Height: 200})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			z, labels := blobs(50, 3)
			Show(shared, Embedding(z, EmbeddingOptions{Labels: labels, Width: 200, Height: 200}), fmt.Sprint(i))
			bar := Progress("work", 10)
			bar.Add(10)
			bar.Finish()
		})
	}
	wg.Wait()
	if len(r.bundles) < 8*5 {
		t.Errorf("got %d results, want at least %d", len(r.bundles), 8*5)
	}
	var first []byte
	for _, b := range r.bundles {
		if strings.HasPrefix(b.Plain(), "Spectrum") {
			if first == nil {
				first = b.PNG()
			}
			if !bytes.Equal(first, b.PNG()) {
				t.Error("two goroutines drew different bytes")
			}
		}
	}
}

// Clear reaches a sink that can take back, fails the cell if that fails, and is nothing where
// it cannot be done.
func TestClear(t *testing.T) {
	r := record(t)
	Clear(true)
	Clear(false)
	if len(r.clears) != 2 || !r.clears[0] || r.clears[1] {
		t.Errorf("the sink got %v, want true and false", r.clears)
	}
	r.err = errors.New("gone")
	if err := panicOf(t, func() { Clear(false) }); !errors.Is(err, r.err) {
		t.Errorf("panic with %v, want %v", err, r.err)
	}
	SetSink(&scriptSink{})
	Clear(false)
	SetSink(r)
}
