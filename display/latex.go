package display

import (
	"strings"
	"unicode"
)

// latexSymbols are commands with a character of their own.
var latexSymbols = map[string]string{
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ",
	"eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π",
	"rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
	"Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ",
	"Psi": "Ψ", "Omega": "Ω", "ell": "ℓ", "partial": "∂", "nabla": "∇", "infty": "∞", "sum": "Σ", "prod": "Π",
	"int": "∫", "cdot": "·", "times": "×", "otimes": "⊗", "oplus": "⊕", "circ": "∘", "pm": "±", "le": "≤",
	"leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "ll": "≪", "gg": "≫", "approx": "≈", "sim": "~",
	"simeq": "≃", "equiv": "≡", "propto": "∝", "to": "→", "rightarrow": "→", "Rightarrow": "⇒", "mapsto": "↦",
	"in": "∈", "notin": "∉", "subset": "⊂", "cup": "∪", "cap": "∩", "perp": "⊥", "parallel": "∥", "langle": "⟨",
	"rangle": "⟩", "dots": "…", "ldots": "…", "cdots": "…", "top": "ᵀ", "dagger": "†", "mid": "|", "lVert": "‖",
	"rVert": "‖", "Vert": "‖", "forall": "∀", "exists": "∃", "quad": "  ", "qquad": "    ", "mathbb": "",
	"mathbf": "", "mathrm": "", "mathcal": "", "boldsymbol": "", "text": "", "operatorname": "", "left": "",
	"right": "", "big": "", "Big": "", "bigl": "", "bigr": "", "displaystyle": "",
}

// superscriptRunes and subscriptRunes have the characters that can stand above and below
// the line in plain text.
var (
	superscriptRunes = scriptRunes("0123456789+-=()niTᵀ*†", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀᵀ*†")
	subscriptRunes   = scriptRunes("0123456789+-=()aeijknoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₙₒₚᵣₛₜᵤᵥₓ")
)

// scriptRunes pairs the characters of two strings.
func scriptRunes(from, to string) map[rune]rune {
	target := []rune(to)
	out := make(map[rune]rune)
	for i, r := range []rune(from) {
		out[r] = target[i]
	}
	return out
}

// plainMath returns a formula as readable text: σ² for \sigma^2, (a)/(b) for a fraction.
// What it does not know stays as it is.
func plainMath(latex string) string {
	p := mathParser{rest: []rune(latex)}
	text := p.sequence(false)
	return strings.Join(strings.Fields(text), " ")
}

// A mathParser reads a formula from left to right.
type mathParser struct{ rest []rune }

// sequence reads to the end or, inside braces, to the brace that closes.
func (p *mathParser) sequence(inside bool) string {
	var b strings.Builder
	for len(p.rest) > 0 {
		if p.rest[0] == '}' {
			p.rest = p.rest[1:]
			if inside {
				break
			}
			continue
		}
		b.WriteString(p.item())
	}
	return b.String()
}

// item reads one character, command, group or script.
func (p *mathParser) item() string {
	r := p.rest[0]
	p.rest = p.rest[1:]
	switch r {
	case '{':
		return p.sequence(true)
	case '\\':
		return p.command()
	case '^':
		return script(p.argument(), "^", superscriptRunes)
	case '_':
		return script(p.argument(), "_", subscriptRunes)
	case '&':
		return " "
	}
	return string(r)
}

// argument reads the next group or item.
func (p *mathParser) argument() string {
	for len(p.rest) > 0 && unicode.IsSpace(p.rest[0]) {
		p.rest = p.rest[1:]
	}
	if len(p.rest) == 0 {
		return ""
	}
	return p.item()
}

// command reads what follows a backslash.
func (p *mathParser) command() string {
	if len(p.rest) == 0 {
		return ""
	}
	if !unicode.IsLetter(p.rest[0]) {
		r := p.rest[0]
		p.rest = p.rest[1:]
		switch r {
		case '\\':
			return "; "
		case '|':
			return "‖"
		case ',', ';', ':', '!', ' ':
			return " "
		}
		return string(r)
	}
	n := 0
	for n < len(p.rest) && unicode.IsLetter(p.rest[n]) {
		n++
	}
	name := string(p.rest[:n])
	p.rest = p.rest[n:]
	switch name {
	case "frac", "tfrac", "dfrac":
		top, bottom := p.argument(), p.argument()
		return bracket(top) + "/" + bracket(bottom)
	case "sqrt":
		return "√" + bracket(p.argument())
	case "begin", "end":
		p.argument()
		return " "
	case "hat", "tilde", "bar":
		return p.argument() + map[string]string{"hat": "\u0302", "tilde": "\u0303", "bar": "\u0304"}[name]
	}
	if symbol, known := latexSymbols[name]; known {
		return symbol
	}
	if len(name) > 1 && unicode.IsLetter(rune(name[0])) {
		return name + " "
	}
	return name
}

// bracket puts a longer expression in brackets.
func bracket(text string) string {
	if len([]rune(text)) <= 1 {
		return text
	}
	return "(" + text + ")"
}

// script raises or lowers text, or marks it where there are no such characters.
func script(text, sign string, runes map[rune]rune) string {
	var b strings.Builder
	for _, r := range text {
		raised, known := runes[r]
		if !known {
			return sign + bracket(text)
		}
		b.WriteRune(raised)
	}
	return b.String()
}
