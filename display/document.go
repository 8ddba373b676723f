package display

import (
	"fmt"
	"strings"
)

// A Document is a text in several forms. It does not change after it was made.
type Document struct {
	bundle Bundle
	err    error
}

// Bundle returns the forms of the document.
func (d *Document) Bundle() (Bundle, error) {
	if d.err != nil {
		return Bundle{}, d.err
	}
	return d.bundle, nil
}

// String returns the text/plain form, or the error that showing the document would report.
func (d *Document) String() string {
	if d.err != nil {
		return d.err.Error()
	}
	return d.bundle.Plain()
}

// Markdown shows text in Markdown, with formulas between $ or $$.
func Markdown(text string) *Document {
	return &Document{bundle: Bundle{Data: map[string]any{MIMEMarkdown: valid(text), MIMEPlain: valid(text)}}}
}

// maxFormula is the length in bytes of the longest formula.
const maxFormula = 10000

// Math shows a formula in LaTeX, written without dollar signs, on a line of its own. Its text
// form spells it with the characters of plain text, σ² for \sigma^2.
func Math(latex string) *Document {
	latex = strings.TrimSpace(strings.Trim(strings.TrimSpace(latex), "$"))
	if latex == "" {
		return &Document{err: fmt.Errorf("%w: Math: the formula is empty", ErrInput)}
	}
	if len(latex) > maxFormula {
		return &Document{err: fmt.Errorf("%w: Math: a formula of %d bytes, want at most %d", ErrInput, len(latex), maxFormula)}
	}
	if at := strings.Index(strings.ReplaceAll(latex, `\$`, "  "), "$"); at >= 0 {
		return &Document{err: fmt.Errorf("%w: Math: a dollar sign at byte %d ends the formula there, want \\$ or none", ErrInput, at)}
	}
	latex = valid(latex)
	plain := clean(plainMath(latex))
	if plain == "" {
		plain = latex
	}
	return &Document{bundle: Bundle{Data: map[string]any{MIMELatex: "$$" + latex + "$$", MIMEPlain: plain}}}
}
