package compare

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"eigenbook/nbkernel/notebook"
)

func stream(name, text string) *notebook.Output {
	return &notebook.Output{Type: notebook.Stream, Name: name, Text: text}
}

func result(text string) *notebook.Output {
	return &notebook.Output{Type: notebook.ExecuteResult, Data: map[string]any{"text/plain": text}}
}

// picture is a display of a white picture with a black bar of the given width.
func picture(t *testing.T, width, height, bar int) *notebook.Output {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.White
			if x < bar {
				c = color.Black
			}
			m.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return &notebook.Output{Type: notebook.DisplayData, Data: map[string]any{"text/plain": "figure", "image/png": base64.StdEncoding.EncodeToString(b.Bytes()) + "\n"}}
}

func TestCell(t *testing.T) {
	cell := func(outputs ...*notebook.Output) *notebook.Cell {
		return &notebook.Cell{Type: notebook.Code, Outputs: outputs, Metadata: map[string]any{}}
	}
	for _, tc := range []struct {
		name        string
		stored, got *notebook.Cell
		tolerance   float64
		want        string // part of the message; "" for no difference
	}{
		{"nothing", cell(), cell(), 0, ""},
		{"streams in pieces", cell(stream("stdout", "a\nb\n")), cell(stream("stdout", "a"), stream("stdout", "\nb\n")), 0, ""},
		{"standard error", cell(stream("stderr", "12:01")), cell(stream("stderr", "12:02")), 0, ""},
		{"pieces around a display", cell(stream("stdout", "a\n"), result("1"), stream("stdout", "b\n")), cell(result("1"), stream("stdout", "a\nb\n")), 0, ""},
		{"another line", cell(stream("stdout", "a\nb\n")), cell(stream("stdout", "a\nc\n")), 0, `line 2 is "c", "b" is stored`},
		{"missing line", cell(stream("stdout", "a\nb\n")), cell(stream("stdout", "a\n")), 0, `line 2 is missing, "b" is stored`},
		{"further line", cell(stream("stdout", "a\n")), cell(stream("stdout", "a\nb\n")), 0, `line 2 is "b", nothing is stored`},
		{"rounding", cell(result("λ = 0.30000000000000004")), cell(result("λ = 0.3")), 1e-12, ""},
		{"rounding not allowed", cell(result("λ = 0.30000000000000004")), cell(result("λ = 0.3")), 0, "λ = 0.3"},
		{"relative to large numbers", cell(result("1e9 x")), cell(result("1000000001 x")), 1e-8, ""},
		{"beyond the tolerance", cell(result("v 1.5 2.5")), cell(result("v 1.5 2.6")), 1e-3, "v 1.5 2.6"},
		{"another word beside a near number", cell(result("1.0 a")), cell(result("1.0 b")), 1e-3, "1.0 b"},
		{"another count of numbers", cell(result("1 2")), cell(result("1 2 3")), 1, "1 2 3"},
		{"NaN is no number", cell(result("x NaN")), cell(result("x 1")), 10, "x 1"},
		{"digits too many for a number", cell(result("1e999")), cell(result("2e999")), 1, "2e999"},
		{"result missing", cell(result("1")), cell(), 0, "did not come"},
		{"result not stored", cell(), cell(result("1")), 0, "is not stored"},
		{"display for a result", cell(result("figure")), cell(picture(t, 4, 4, 0)), 0, "is a display, a result is stored"},
		{"same picture", cell(picture(t, 400, 300, 50)), cell(picture(t, 400, 300, 50)), 0, ""},
		{"about the same picture", cell(picture(t, 4000, 300, 500)), cell(picture(t, 4000, 300, 501)), 0, ""},
		{"another picture", cell(picture(t, 400, 300, 50)), cell(picture(t, 400, 300, 70)), 0, "looks different"},
		{"another size", cell(picture(t, 400, 300, 50)), cell(picture(t, 400, 301, 50)), 0, "400×301 pixels, 400×300"},
		{"picture missing", cell(picture(t, 4, 4, 0)), cell(&notebook.Output{Type: notebook.DisplayData, Data: map[string]any{"text/plain": "figure"}}), 0, "is missing"},
		{"another error", cell(&notebook.Output{Type: notebook.ErrorOutput, EName: "panic", EValue: "a"}), cell(&notebook.Output{Type: notebook.ErrorOutput, EName: "panic", EValue: "b"}), 0, "panic: b"},
		{"ignored", &notebook.Cell{Type: notebook.Code, Outputs: []*notebook.Output{result("1")}, Metadata: map[string]any{"tags": []any{"ignore-output"}}}, cell(result("2")), 0, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Cell(tc.stored, tc.got, Options{Tolerance: tc.tolerance})
			if (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
				t.Errorf("Cell = %q, want %q in it", got, tc.want)
			}
		})
	}
}
