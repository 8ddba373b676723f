package texmath

import "strings"

// A font is one of the alphabets of mathematics. MathML has them as characters of their own.
type font int

const (
	italic font = iota // what MathML does with a lone letter
	upright
	bold
	boldItalic
	script
	fraktur
	double
	sans
	mono
)

// fontCommands maps commands that take an argument to the font it is set in.
var fontCommands = map[token]font{
	`\mathrm`: upright, `\mathup`: upright, `\mathbf`: bold, `\mathit`: italic, `\mathnormal`: italic,
	`\boldsymbol`: boldItalic, `\bm`: boldItalic, `\pmb`: boldItalic, `\mathbfit`: boldItalic,
	`\mathcal`: script, `\mathscr`: script, `\mathfrak`: fraktur, `\mathbb`: double, `\mathds`: double,
	`\mathsf`: sans, `\mathtt`: mono,
}

// The first letters and digits of the alphabets: A, a, 0, Α, α; 0 where there is none.
var alphabets = map[font][5]rune{
	bold:       {0x1d400, 0x1d41a, 0x1d7ce, 0x1d6a8, 0x1d6c2},
	boldItalic: {0x1d468, 0x1d482, 0x1d7ce, 0x1d71c, 0x1d736},
	script:     {0x1d49c, 0x1d4b6, 0, 0, 0},
	fraktur:    {0x1d504, 0x1d51e, 0, 0, 0},
	double:     {0x1d538, 0x1d552, 0x1d7d8, 0, 0},
	sans:       {0x1d5a0, 0x1d5ba, 0x1d7e2, 0, 0},
	mono:       {0x1d670, 0x1d68a, 0x1d7f6, 0, 0},
}

// The letters that had a place in Unicode before the alphabets came.
var oldLetters = map[font]map[rune]rune{
	script: {'B': 'ℬ', 'E': 'ℰ', 'F': 'ℱ', 'H': 'ℋ', 'I': 'ℐ', 'L': 'ℒ', 'M': 'ℳ', 'R': 'ℛ',
		'e': 'ℯ', 'g': 'ℊ', 'o': 'ℴ'},
	fraktur: {'C': 'ℭ', 'H': 'ℌ', 'I': 'ℑ', 'R': 'ℜ', 'Z': 'ℨ'},
	double:  {'C': 'ℂ', 'H': 'ℍ', 'N': 'ℕ', 'P': 'ℙ', 'Q': 'ℚ', 'R': 'ℝ', 'Z': 'ℤ'},
}

// convert returns s in the font; characters the font does not have stay.
func (f font) convert(s string) string {
	starts, ok := alphabets[f]
	if !ok {
		return s
	}
	return strings.Map(func(r rune) rune {
		if old, ok := oldLetters[f][r]; ok {
			return old
		}
		for i, span := range [5][2]rune{{'A', 'Z'}, {'a', 'z'}, {'0', '9'}, {'Α', 'Ω'}, {'α', 'ω'}} {
			if span[0] <= r && r <= span[1] && starts[i] != 0 {
				return starts[i] + r - span[0]
			}
		}
		return r
	}, s)
}
