package display

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"
)

// Sizes of the palette of a picture.
const (
	paletteSize = 256
	exactColors = 32 // most frequent colours, which are kept as they are
)

// A colorCount is a colour and the number of its pixels.
type colorCount struct {
	rgb   uint32
	count int
}

// channel returns red, green or blue.
func (c colorCount) channel(k int) int { return int(c.rgb >> (16 - 8*k) & 0xff) }

// compact returns the finished picture with a palette of at most 256 colours: a third of
// the bytes of full colour and, for lines, text and markers, no visible difference.
func (s *surface) compact() image.Image {
	counts := countColors(s.img)
	palette, index := choosePalette(counts)
	out := image.NewPaletted(s.img.Rect, palette)
	last, lastIndex := uint32(math.MaxUint32), uint8(0)
	for i := range out.Pix {
		p := s.img.Pix[4*i : 4*i+3 : 4*i+3]
		rgb := uint32(p[0])<<16 | uint32(p[1])<<8 | uint32(p[2])
		if rgb != last {
			last, lastIndex = rgb, index[rgb]
		}
		out.Pix[i] = lastIndex
	}
	return out
}

// countColors returns the colours of an opaque picture, the most frequent first.
func countColors(img *image.RGBA) []colorCount {
	counts := make(map[uint32]int)
	last, run := uint32(math.MaxUint32), 0
	for i := 0; i < len(img.Pix); i += 4 {
		rgb := uint32(img.Pix[i])<<16 | uint32(img.Pix[i+1])<<8 | uint32(img.Pix[i+2])
		if rgb != last && run > 0 {
			counts[last] += run
			run = 0
		}
		last = rgb
		run++
	}
	counts[last] += run
	out := make([]colorCount, 0, len(counts))
	for rgb, n := range counts {
		out = append(out, colorCount{rgb, n})
	}
	slices.SortFunc(out, func(a, b colorCount) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.rgb, b.rgb))
	})
	return out
}

// choosePalette returns the palette and the place of each colour in it: the most frequent
// colours themselves, the others grouped by median cut.
func choosePalette(counts []colorCount) (color.Palette, map[uint32]uint8) {
	var palette color.Palette
	index := make(map[uint32]uint8, len(counts))
	exact := len(counts)
	if exact > paletteSize {
		exact = exactColors
	}
	boxes := make([][]colorCount, 0, paletteSize)
	for i := range exact {
		boxes = append(boxes, counts[i:i+1])
	}
	if exact < len(counts) {
		boxes = append(boxes, medianCut(counts[exact:], paletteSize-exact)...)
	}
	for i, box := range boxes {
		palette = append(palette, average(box))
		for _, c := range box {
			index[c.rgb] = uint8(i)
		}
	}
	return palette, index
}

// medianCut divides colours into at most n groups of similar ones.
func medianCut(colors []colorCount, n int) [][]colorCount {
	boxes := [][]colorCount{colors}
	for len(boxes) < n {
		widest, channel, width := -1, 0, 0.0
		for i, box := range boxes {
			if k, w := spread(box); w > width {
				widest, channel, width = i, k, w
			}
		}
		if widest < 0 {
			break
		}
		low, high := cut(boxes[widest], channel)
		boxes[widest] = low
		boxes = append(boxes, high)
	}
	return boxes
}

// spread returns the channel in which a group varies most, and how much that matters.
func spread(box []colorCount) (channel int, width float64) {
	for k := range 3 {
		low, high, pixels := 255, 0, 0
		for _, c := range box {
			low, high = min(low, c.channel(k)), max(high, c.channel(k))
			pixels += c.count
		}
		if w := float64(high-low) * math.Sqrt(math.Sqrt(float64(pixels))); high > low && w > width {
			channel, width = k, w
		}
	}
	return channel, width
}

// cut divides a group at the median of its pixels in one channel.
func cut(box []colorCount, channel int) (low, high []colorCount) {
	slices.SortFunc(box, func(a, b colorCount) int {
		return cmp.Or(cmp.Compare(a.channel(channel), b.channel(channel)), cmp.Compare(a.rgb, b.rgb))
	})
	total, seen := 0, 0
	for _, c := range box {
		total += c.count
	}
	at := 0
	for at < len(box)-1 && seen+box[at].count <= total/2 {
		seen += box[at].count
		at++
	}
	at = max(1, at)
	return box[:at], box[at:]
}

// average returns the mean colour of the pixels of a group.
func average(box []colorCount) color.RGBA {
	var sum [3]int
	total := 0
	for _, c := range box {
		total += c.count
		for k := range sum {
			sum[k] += c.count * c.channel(k)
		}
	}
	mean := func(k int) uint8 { return uint8((sum[k] + total/2) / total) }
	return color.RGBA{mean(0), mean(1), mean(2), 0xff}
}
