package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	stdhtml "html"
	"mime"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// maxPicture is the size in bytes of the largest file that is put into the page.
const maxPicture = 20 << 20

// A heading is an entry of the table of contents.
type heading struct {
	level int
	id    string
	inner string // HTML
	text  string // without elements
}

var converter = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	// The text is the user's own, and notebooks use HTML in it. The page's policy keeps
	// scripts from running.
	goldmark.WithRendererOptions(html.WithUnsafe()),
)

var (
	headingTag = regexp.MustCompile(`(?s)<h([1-6]) id="([^"]*)">(.*?)</h[1-6]>`)
	goBlock    = regexp.MustCompile(`(?s)<pre><code class="language-go">(.*?)</code></pre>`)
	anyTag     = regexp.MustCompile(`(?s)<annotation.*?</annotation>|<[^>]*>`)
	linkTag    = regexp.MustCompile(`</?a\b[^>]*>`)
)

// markdown renders a Markdown text. Pictures come from the attachments or from files below
// dir. Identifiers of headings are kept apart by used.
func markdown(source string, attachments map[string]any, dir string, used map[string]bool) (string, []heading) {
	source, found := takeMath(source)
	src := []byte(source)
	doc := converter.Parser().Parse(text.NewReader(src), parser.WithContext(parser.NewContext(parser.WithIDs(anchors(used)))))
	embedPictures(doc, src, attachments, dir)
	var b bytes.Buffer
	if err := converter.Renderer().Render(&b, src, doc); err != nil {
		return "<pre>" + stdhtml.EscapeString(source) + "</pre>\n", nil
	}
	page := putMath(contain(b.String()), found)
	page = goBlock.ReplaceAllStringFunc(page, func(block string) string {
		code := stdhtml.UnescapeString(goBlock.FindStringSubmatch(block)[1])
		return `<pre class="code"><code>` + highlight(strings.TrimRight(code, "\n")) + `</code></pre>`
	})
	var headings []heading
	for _, m := range headingTag.FindAllStringSubmatch(page, -1) {
		inner := linkTag.ReplaceAllString(m[3], "")
		plain := strings.TrimSpace(stdhtml.UnescapeString(anyTag.ReplaceAllString(inner, "")))
		headings = append(headings, heading{int(m[1][0] - '0'), stdhtml.UnescapeString(m[2]), inner, plain})
	}
	return page, headings
}

// anchors makes identifiers of headings as Jupyter does, so that links in a notebook work in
// the page: the heading's text with a hyphen for every blank.
type anchors map[string]bool

func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	name := marks.ReplaceAllString(string(value), "")
	name = strings.Join(strings.Fields(strings.NewReplacer("`", "", "*", "").Replace(name)), "-")
	if name == "" {
		name = "heading"
	}
	id := name
	for n := 2; a[id]; n++ {
		id = fmt.Sprintf("%s-%d", name, n)
	}
	a[id] = true
	return []byte(stdhtml.EscapeString(id))
}

func (a anchors) Put(value []byte) { a[string(value)] = true }

// embedPictures puts the contents of pictures into their addresses. A picture that would have
// to be fetched becomes a link.
func embedPictures(doc ast.Node, src []byte, attachments map[string]any, dir string) {
	var pictures []*ast.Image
	// The walker returns no error.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if image, ok := n.(*ast.Image); ok && entering {
			pictures = append(pictures, image)
		}
		return ast.WalkContinue, nil
	})
	for _, image := range pictures {
		address := string(image.Destination)
		if name, ok := strings.CutPrefix(address, "attachment:"); ok {
			if data := attached(attachments, name); data != "" {
				image.Destination = []byte(data)
			}
			continue
		}
		if u, err := url.Parse(address); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
			link := ast.NewLink()
			link.Destination = image.Destination
			for child := image.FirstChild(); child != nil; child = image.FirstChild() {
				link.AppendChild(link, child)
			}
			if link.ChildCount() == 0 {
				link.AppendChild(link, ast.NewString(image.Destination))
			}
			image.Parent().ReplaceChild(image.Parent(), image, link)
			continue
		}
		if data := pictureFile(dir, address); data != "" {
			image.Destination = []byte(data)
		}
	}
}

// attached returns an attachment as a data address, or "".
func attached(attachments map[string]any, name string) string {
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	bundle, _ := attachments[name].(map[string]any)
	for _, kind := range []string{"image/png", "image/jpeg", "image/gif", "image/webp"} {
		if data, ok := bundle[kind].(string); ok {
			return "data:" + kind + ";base64," + strings.Join(strings.Fields(data), "")
		}
	}
	if data, ok := bundle["image/svg+xml"].(string); ok {
		return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(data))
	}
	return ""
}

// pictureFile returns the picture in a file below dir as a data address, or "".
func pictureFile(dir, name string) string {
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	kind := mime.TypeByExtension(filepath.Ext(name))
	if !filepath.IsLocal(name) || !strings.HasPrefix(kind, "image/") {
		return ""
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxPicture {
		return ""
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)
}
