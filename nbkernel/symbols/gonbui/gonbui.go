// Package gonbui has the display functions of github.com/janpfeifer/gonb/gonbui for cells
// that run in nbkernel: a notebook that imports that path runs on both kernels. What is
// shown goes to the sink of package display, always with a text/plain form beside.
//
// As in GoNB, an output with an identifier (UpdateHTML, UpdateMarkdown) is created by the
// first call and replaced by later ones. Widgets and comms have no counterpart
// here and are not defined.
package gonbui

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"image"
	"image/png"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"

	"eigenbook/display"
	"eigenbook/nbkernel/nb"
)

// IsNotebook is true: the calls of this package are shown.
var IsNotebook = true

// Debug is accepted and has no effect.
var Debug bool

// DisplayHTML shows HTML.
func DisplayHTML(text string) { send("", display.MIMEHTML, text, plainText(text)) }

// DisplayHtml is DisplayHTML.
func DisplayHtml(text string) { DisplayHTML(text) }

// DisplayHTMLF shows HTML formatted as by fmt.Sprintf.
func DisplayHTMLF(format string, args ...any) { DisplayHTML(fmt.Sprintf(format, args...)) }

// DisplayHtmlf is DisplayHTMLF.
func DisplayHtmlf(format string, args ...any) { DisplayHTMLF(format, args...) }

// DisplayMarkdown shows Markdown; formulas stand between dollar signs.
func DisplayMarkdown(text string) { send("", display.MIMEMarkdown, text, text) }

// DisplayPNG shows a picture given as the bytes of a PNG file.
func DisplayPNG(data []byte) {
	plain := "picture"
	if cfg, err := png.DecodeConfig(bytes.NewReader(data)); err == nil {
		plain = fmt.Sprintf("picture, %d×%d pixels", cfg.Width, cfg.Height)
	}
	send("", display.MIMEPNG, data, plain)
}

// DisplayPng is DisplayPNG.
func DisplayPng(data []byte) { DisplayPNG(data) }

// DisplayImage shows a picture.
func DisplayImage(img image.Image) error {
	data, err := encode(img)
	if err != nil {
		return err
	}
	DisplayPNG(data)
	return nil
}

// DisplaySVG shows a drawing.
func DisplaySVG(svg string) { send("", "image/svg+xml", svg, "drawing") }

// DisplaySvg is DisplaySVG.
func DisplaySvg(svg string) { DisplaySVG(svg) }

// UpdateHTML shows HTML in the output with this identifier and replaces what it held.
func UpdateHTML(id, text string) { send(id, display.MIMEHTML, text, plainText(text)) }

// UpdateHtml is UpdateHTML.
func UpdateHtml(id, text string) { UpdateHTML(id, text) }

// UpdateMarkdown shows Markdown in the output with this identifier and replaces what it held.
func UpdateMarkdown(id, text string) { send(id, display.MIMEMarkdown, text, text) }

// ScriptJavascript sends a script to the page. Most front ends refuse to run it.
func ScriptJavascript(js string) { send("", "text/javascript", js, "script") }

// EmbedImageAsPNGSrc returns the picture as a data URL for the attribute src of an HTML img.
func EmbedImageAsPNGSrc(img image.Image) (string, error) {
	data, err := encode(img)
	if err != nil {
		return "", err
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(data), nil
}

// Sync does nothing: what was shown has been sent.
func Sync() {}

// Open does nothing and cannot fail.
func Open() error { return nil }

// Error returns nil: a display that cannot be sent fails the cell.
func Error() error { return nil }

// Logf does nothing.
func Logf(format string, args ...any) {}

// RequestInput asks for a line, which is then read from standard input. It panics if there is
// nobody to answer.
func RequestInput(prompt string, password bool) {
	if err := nb.Announce(prompt, password); err != nil {
		panic(fmt.Errorf("gonbui: %w", err))
	}
}

var lastID atomic.Int64

// UniqueID returns an identifier that no other call returns.
func UniqueID() string { return fmt.Sprintf("gonb_id_%08x", lastID.Add(1)) }

// UniqueId is UniqueID.
func UniqueId() string { return UniqueID() }

func encode(img image.Image) ([]byte, error) {
	if img == nil {
		return nil, errors.New("gonbui: the image is nil")
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("gonbui: %w", err)
	}
	return b.Bytes(), nil
}

// shown has the identifiers in use, so that a first call displays and later ones update.
var shown = struct {
	sync.Mutex
	sink display.Sink
	ids  map[string]bool
}{ids: map[string]bool{}}

// SetSink sets where outputs with an identifier go. It is for the program that runs cells;
// nil shows each update as an output of its own.
func SetSink(s display.Sink) {
	shown.Lock()
	defer shown.Unlock()
	shown.sink = s
}

func send(id, mime string, data any, plain string) {
	b := display.Bundle{Data: map[string]any{mime: data, display.MIMEPlain: plain}}
	if id == "" {
		display.Show(b)
		return
	}
	shown.Lock()
	sink, update := shown.sink, shown.ids[id]
	shown.ids[id] = true
	shown.Unlock()
	if sink == nil {
		display.Show(b)
		return
	}
	if err := sink.Display(b, id, update); err != nil {
		panic(fmt.Errorf("gonbui: %w", err))
	}
}

var tag = regexp.MustCompile(`<[^>]*>`)

// plainText returns HTML without its tags, for front ends that show text alone.
func plainText(text string) string {
	return strings.TrimSpace(html.UnescapeString(tag.ReplaceAllString(text, "")))
}
