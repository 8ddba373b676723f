package interp

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/display"
)

func TestTuple(t *testing.T) {
	for _, tc := range []struct {
		value tuple
		plain string
		html  []string // pieces, in order; none: text alone
	}{
		{tuple{7, "seven"}, "7, seven", nil},
		{tuple{"two\nlines", 1}, "two\nlines\n1", nil},
		{tuple{"a<b", mat.NewDense(1, 1, []float64{5})}, "", []string{"<pre>a&lt;b</pre>", "<table"}},
		{tuple{display.Spectrum([]float64{2, 1}), nil}, "", []string{`<img alt="`, `src="data:image/png;base64,`, "<pre>&lt;nil&gt;</pre>"}},
	} {
		b, err := tc.value.Bundle()
		if err != nil {
			t.Fatal(err)
		}
		if tc.plain != "" && b.Plain() != tc.plain {
			t.Errorf("text %q, want %q", b.Plain(), tc.plain)
		}
		page, _ := b.Data[display.MIMEHTML].(string)
		if (page != "") != (len(tc.html) > 0) {
			t.Errorf("%v: page %q", tc.value, page)
		}
		for _, want := range tc.html {
			_, rest, found := strings.Cut(page, want)
			if !found {
				t.Errorf("no %q in what follows of the page: %.200q", want, page)
			}
			page = rest
		}
	}
	if _, err := (tuple{1, display.Spectrum(nil)}).Bundle(); err == nil || !strings.Contains(err.Error(), "value 2 of 2") {
		t.Errorf("error %v, want the place of the value that cannot be drawn", err)
	}
}
