package report

import (
	"html"
	"strings"
)

// HTML that a cell has shown, or that stands in its Markdown, is somebody else's text in the
// middle of ours. It must end where its output ends: without what follows here, a comment or
// a </section> too many would hide the cells behind it.

// removed lists elements whose tags are left out: those that make no sense inside a page, that
// reach beyond their place or that turn what follows into text.
var removed = set("applet base body embed form frame frameset head html link meta noscript object param plaintext template textarea title xmp")

// silenced lists elements that are left out with their content.
var silenced = set("iframe noembed noframes script")

// void lists elements that have no content.
var void = set("area br col hr img input source track wbr")

// maxOpen bounds how deep elements may stand in each other, as browsers do.
const maxOpen = 512

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(names) {
		m[name] = true
	}
	return m
}

// contain returns markup in which every element ends and none is closed that was not opened,
// without comments, scripts and what acts on the page as a whole.
func contain(markup string) string {
	c := container{src: markup}
	for c.pos < len(c.src) {
		c.step()
	}
	c.closeTo(0)
	return c.out.String()
}

// A container copies markup.
type container struct {
	src     string
	pos     int
	out     strings.Builder
	open    []string // names of the elements that are open
	foreign int      // how many of them are svg or math
}

// step copies the text up to a tag and the tag.
func (c *container) step() {
	at := strings.IndexByte(c.src[c.pos:], '<')
	if at < 0 {
		c.out.WriteString(c.src[c.pos:])
		c.pos = len(c.src)
		return
	}
	c.out.WriteString(c.src[c.pos : c.pos+at])
	c.pos += at
	rest := c.src[c.pos:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		c.skipPast("-->", 4)
	case strings.HasPrefix(rest, "<!"), strings.HasPrefix(rest, "<?"):
		c.skipPast(">", 2)
	default:
		c.tag()
	}
}

// skipPast leaves out everything to the end of mark.
func (c *container) skipPast(mark string, from int) {
	if at := strings.Index(c.src[c.pos+from:], mark); at >= 0 {
		c.pos += from + at + len(mark)
		return
	}
	c.rest()
}

// rest shows what is left as text. A browser would leave out a tag or a comment without end,
// and all that follows with it.
func (c *container) rest() {
	c.out.WriteString(html.EscapeString(c.src[c.pos:]))
	c.pos = len(c.src)
}

// tag copies a tag and keeps account of what is open.
func (c *container) tag() {
	begin := c.pos + 1
	closing := begin < len(c.src) && c.src[begin] == '/'
	if closing {
		begin++
	}
	after := begin
	for after < len(c.src) && nameByte(c.src[after], after == begin) {
		after++
	}
	if after == begin || after < len(c.src) && strings.IndexByte(delimiters, c.src[after]) < 0 { // a < that begins no tag
		c.out.WriteString("&lt;")
		c.pos++
		return
	}
	end := tagEnd(c.src, after)
	if end < 0 {
		c.rest()
		return
	}
	whole := c.src[c.pos:end]
	name := strings.ToLower(c.src[begin:after])
	c.pos = end
	foreign := c.foreign > 0
	switch {
	case silenced[name] && !closing:
		c.skipContent(name)
	case silenced[name], removed[name] && !foreign:
	case closing:
		if at := lastIndex(c.open, name); at >= 0 {
			c.closeTo(at)
		}
	case name == "style":
		start := end
		if c.skipContent(name) {
			c.out.WriteString(whole + c.src[start:c.pos])
		}
	case void[name] || foreign && strings.HasSuffix(whole, "/>"):
		c.out.WriteString(whole)
	case len(c.open) == maxOpen:
	default:
		c.out.WriteString(whole)
		c.open = append(c.open, name)
		if isForeign(name) {
			c.foreign++
		}
	}
}

// isForeign reports whether other rules hold inside the element: there is <title>, and <path/>
// ends at once.
func isForeign(name string) bool { return name == "svg" || name == "math" }

// skipContent passes over everything to the end tag of an element that was opened. It returns
// false if there is none; then the rest of the source was passed over, as a browser does.
func (c *container) skipContent(name string) bool {
	for at := c.pos; ; {
		next := strings.Index(c.src[at:], "</")
		if next < 0 {
			c.pos = len(c.src)
			return false
		}
		at += next + 2
		after := at + len(name)
		if after >= len(c.src) || !strings.EqualFold(c.src[at:after], name) || !strings.Contains(delimiters, c.src[after:after+1]) {
			continue
		}
		end := tagEnd(c.src, after)
		if end < 0 {
			c.pos = len(c.src)
			return false
		}
		c.pos = end
		return true
	}
}

// closeTo ends the elements that are open from the index on.
func (c *container) closeTo(index int) {
	for i := len(c.open) - 1; i >= index; i-- {
		c.out.WriteString("</" + c.open[i] + ">")
		if isForeign(c.open[i]) {
			c.foreign--
		}
	}
	c.open = c.open[:index]
}

func lastIndex(list []string, s string) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == s {
			return i
		}
	}
	return -1
}

// tagEnd returns the index behind the > of the tag whose name ends at i, or -1 if it does not
// end. Inside a quoted value a > is text.
func tagEnd(s string, i int) int {
	until := func(stop string) {
		if at := strings.IndexAny(s[i:], stop); at >= 0 {
			i += at
		} else {
			i = len(s)
		}
	}
	blanks := func() {
		for i < len(s) && strings.IndexByte(" \t\n\f\r", s[i]) >= 0 {
			i++
		}
	}
	for i < len(s) {
		blanks()
		switch {
		case i >= len(s):
			return -1
		case s[i] == '>':
			return i + 1
		case s[i] == '/':
			i++
			continue
		}
		i++ // an attribute's name may begin with =
		until(delimiters + "=")
		blanks()
		if i >= len(s) || s[i] != '=' {
			continue
		}
		i++
		blanks()
		switch {
		case i < len(s) && (s[i] == '"' || s[i] == '\''):
			quote := s[i : i+1]
			i++
			until(quote)
			i = min(i+1, len(s))
		default:
			until(" \t\n\f\r>")
		}
	}
	return -1
}

// delimiters end the name of an element or attribute.
const delimiters = " \t\n\f\r/>"

// nameByte reports whether b may stand in the name of an element, or begin it.
func nameByte(b byte, first bool) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || !first && ('0' <= b && b <= '9' || b == '-' || b == ':' || b == '_')
}
