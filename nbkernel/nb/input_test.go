package nb_test

import (
	"errors"
	"io"
	"os"
	"testing"

	"eigenbook/nbkernel/nb"
)

func TestInput(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stdin
	os.Stdin = r
	var asked []string
	nb.SetQuestion(func(prompt string, password bool) error {
		if password {
			prompt += " (secret)"
		}
		asked = append(asked, prompt)
		return nil
	})
	t.Cleanup(func() { os.Stdin = before; nb.SetQuestion(nil); r.Close() })
	if _, err := w.WriteString("Ada\r\nsecret\nlast"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if line, err := nb.Input("name"); line != "Ada" || err != nil {
		t.Errorf("first line %q, %v", line, err)
	}
	if line, err := nb.Password("word"); line != "secret" || err != nil {
		t.Errorf("second line %q, %v", line, err)
	}
	if line, err := nb.Input(""); line != "last" || err != nil {
		t.Errorf("line without an end %q, %v", line, err)
	}
	if _, err := nb.Input(""); !errors.Is(err, io.EOF) {
		t.Errorf("after the end: %v, want io.EOF", err)
	}
	if len(asked) != 4 || asked[0] != "name" || asked[1] != "word (secret)" {
		t.Errorf("asked %q", asked)
	}
	nb.SetQuestion(func(string, bool) error { return nb.ErrNoInput })
	if _, err := nb.Input(""); !errors.Is(err, nb.ErrNoInput) {
		t.Errorf("with nobody there: %v", err)
	}
}
