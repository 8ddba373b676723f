package display

import (
	"math"
	"strconv"
)

// maxInteractive bounds the points of a Vega-Lite form, which stores them as text.
const maxInteractive = 5000

// vegaLite returns the embedding as a Vega-Lite chart with tooltips and zoom. Coordinates are
// rounded to five digits.
func (e *embedding) vegaLite() map[string]any {
	rows := make([]any, len(e.x))
	for i := range rows {
		row := map[string]any{"x": fiveDigits(e.x[i]), "y": fiveDigits(e.y[i])}
		switch {
		case len(e.Values) > 0:
			row["c"] = fiveDigits(e.Values[i])
		case len(e.Labels) > 0:
			row["c"] = className(e.ClassNames, e.class(i))
		}
		if len(e.PointNames) > 0 {
			row["name"] = e.PointNames[i]
		} else {
			row["name"] = strconv.Itoa(i)
		}
		rows[i] = row
	}
	field := func(name, kind, title string) map[string]any {
		return map[string]any{"field": name, "type": kind, "title": title}
	}
	axis := func(name, title string) map[string]any {
		channel := field(name, "quantitative", title)
		channel["scale"] = map[string]any{"zero": false}
		return channel
	}
	encoding := map[string]any{"x": axis("x", e.xName()), "y": axis("y", e.yName())}
	tooltips := []any{field("name", "nominal", "row"), field("x", "quantitative", e.xName()), field("y", "quantitative", e.yName())}
	switch {
	case len(e.Values) > 0:
		encoding["color"] = field("c", "quantitative", e.ValueName)
		tooltips = append(tooltips, field("c", "quantitative", e.ValueName))
	case len(e.Labels) > 0:
		var names, colors []any
		for _, c := range e.classes {
			rgb := classColor(c)
			names = append(names, className(e.ClassNames, c))
			colors = append(colors, "#"+hex(rgb.R)+hex(rgb.G)+hex(rgb.B))
		}
		channel := field("c", "nominal", "class")
		channel["scale"] = map[string]any{"domain": names, "range": colors}
		encoding["color"], encoding["shape"] = channel, field("c", "nominal", "class")
		tooltips = append(tooltips, field("c", "nominal", "class"))
	}
	encoding["tooltip"] = tooltips
	return map[string]any{
		"$schema":     "https://vega.github.io/schema/vega-lite/v5.json",
		"description": e.String(),
		"width":       560, "height": 420,
		"data":     map[string]any{"values": rows},
		"mark":     map[string]any{"type": "point", "filled": true, "opacity": 0.8},
		"params":   []any{map[string]any{"name": "zoom", "select": "interval", "bind": "scales"}},
		"encoding": encoding,
	}
}

// fiveDigits rounds to five significant digits.
func fiveDigits(v float64) float64 {
	if v == 0 {
		return 0
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 4, 64), 64)
	if err != nil || math.IsInf(short, 0) {
		return v
	}
	return short
}

// hex returns a byte in two hexadecimal digits.
func hex(b uint8) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[b>>4], digits[b&15]})
}
