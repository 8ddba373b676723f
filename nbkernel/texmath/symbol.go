package texmath

// letters are shown as identifiers.
var letters = map[token]rune{
	`\alpha`: 'α', `\beta`: 'β', `\gamma`: 'γ', `\delta`: 'δ', `\epsilon`: 'ϵ', `\varepsilon`: 'ε',
	`\zeta`: 'ζ', `\eta`: 'η', `\theta`: 'θ', `\vartheta`: 'ϑ', `\iota`: 'ι', `\kappa`: 'κ',
	`\varkappa`: 'ϰ', `\lambda`: 'λ', `\mu`: 'μ', `\nu`: 'ν', `\xi`: 'ξ', `\omicron`: 'ο', `\pi`: 'π',
	`\varpi`: 'ϖ', `\rho`: 'ρ', `\varrho`: 'ϱ', `\sigma`: 'σ', `\varsigma`: 'ς', `\tau`: 'τ',
	`\upsilon`: 'υ', `\phi`: 'ϕ', `\varphi`: 'φ', `\chi`: 'χ', `\psi`: 'ψ', `\omega`: 'ω',
	`\ell`: 'ℓ', `\imath`: 'ı', `\jmath`: 'ȷ', `\partial`: '∂', `\hbar`: 'ℏ',
}

// uprights are shown as upright identifiers.
var uprights = map[token]rune{
	`\Gamma`: 'Γ', `\Delta`: 'Δ', `\Theta`: 'Θ', `\Lambda`: 'Λ', `\Xi`: 'Ξ', `\Pi`: 'Π', `\Sigma`: 'Σ',
	`\Upsilon`: 'Υ', `\Phi`: 'Φ', `\Psi`: 'Ψ', `\Omega`: 'Ω', `\nabla`: '∇', `\infty`: '∞',
	`\emptyset`: '∅', `\varnothing`: '∅', `\top`: '⊤', `\bot`: '⊥', `\forall`: '∀', `\exists`: '∃',
	`\nexists`: '∄', `\Re`: 'ℜ', `\Im`: 'ℑ', `\wp`: '℘', `\aleph`: 'ℵ', `\angle`: '∠', `\prime`: '′',
	`\degree`: '°', `\checkmark`: '✓', `\square`: '□', `\Box`: '□', `\blacksquare`: '■', `\triangle`: '△',
	`\dagger`: '†', `\ddagger`: '‡', `\S`: '§', `\P`: '¶', `\copyright`: '©', `\pounds`: '£',
	`\%`: '%', `\#`: '#', `\&`: '&', `\$`: '$', `\_`: '_',
	`\ldots`: '…', `\dots`: '…', `\dotsc`: '…', `\dotso`: '…', `\cdots`: '⋯', `\dotsb`: '⋯', `\dotsm`: '⋯',
	`\dotsi`: '⋯', `\vdots`: '⋮', `\ddots`: '⋱',
}

// operators are shown as operators, with the spaces that MathML gives them.
var operators = map[token]rune{
	`\le`: '≤', `\leq`: '≤', `\leqslant`: '⩽', `\ge`: '≥', `\geq`: '≥', `\geqslant`: '⩾', `\ne`: '≠', `\neq`: '≠',
	`\ll`: '≪', `\gg`: '≫', `\lt`: '<', `\gt`: '>', `\equiv`: '≡', `\approx`: '≈', `\sim`: '∼', `\simeq`: '≃',
	`\cong`: '≅', `\propto`: '∝', `\asymp`: '≍', `\doteq`: '≐', `\triangleq`: '≜', `\coloneqq`: '≔', `\prec`: '≺',
	`\succ`: '≻', `\preceq`: '⪯', `\succeq`: '⪰', `\lesssim`: '≲', `\gtrsim`: '≳', `\models`: '⊨', `\vdash`: '⊢',
	`\in`: '∈', `\notin`: '∉', `\ni`: '∋', `\subset`: '⊂', `\subseteq`: '⊆', `\subsetneq`: '⊊', `\supset`: '⊃',
	`\supseteq`: '⊇', `\perp`: '⟂', `\parallel`: '∥', `\mid`: '∣', `\nmid`: '∤', `\bowtie`: '⋈',
	`\to`: '→', `\rightarrow`: '→', `\leftarrow`: '←', `\gets`: '←', `\leftrightarrow`: '↔', `\mapsto`: '↦',
	`\longrightarrow`: '⟶', `\longleftarrow`: '⟵', `\longmapsto`: '⟼', `\Rightarrow`: '⇒', `\Leftarrow`: '⇐',
	`\Leftrightarrow`: '⇔', `\iff`: '⟺', `\implies`: '⟹', `\impliedby`: '⟸', `\Longrightarrow`: '⟹',
	`\uparrow`: '↑', `\downarrow`: '↓', `\updownarrow`: '↕', `\nearrow`: '↗', `\searrow`: '↘',
	`\hookrightarrow`: '↪', `\rightharpoonup`: '⇀', `\rightleftharpoons`: '⇌', `\leadsto`: '⇝',
	`\pm`: '±', `\mp`: '∓', `\times`: '×', `\div`: '÷', `\cdot`: '⋅', `\ast`: '∗', `\star`: '⋆', `\circ`: '∘',
	`\bullet`: '∙', `\oplus`: '⊕', `\ominus`: '⊖', `\otimes`: '⊗', `\odot`: '⊙', `\oslash`: '⊘', `\cup`: '∪',
	`\cap`: '∩', `\sqcup`: '⊔', `\sqcap`: '⊓', `\setminus`: '∖', `\smallsetminus`: '∖', `\wedge`: '∧',
	`\land`: '∧', `\vee`: '∨', `\lor`: '∨', `\neg`: '¬', `\lnot`: '¬', `\wr`: '≀', `\diamond`: '⋄', `\amalg`: '⨿',
	`\therefore`: '∴', `\because`: '∵', `\colon`: ':', `\backslash`: '\\',
}

// bigs are operators that grow in displays and carry limits (the integrals beside them).
var bigs = map[token]rune{
	`\sum`: '∑', `\prod`: '∏', `\coprod`: '∐', `\bigcup`: '⋃', `\bigcap`: '⋂', `\bigoplus`: '⨁',
	`\bigotimes`: '⨂', `\bigodot`: '⨀', `\bigvee`: '⋁', `\bigwedge`: '⋀', `\bigsqcup`: '⨆',
	`\int`: '∫', `\iint`: '∬', `\iiint`: '∭', `\oint`: '∮',
}

// functions are set upright, and true says that scripts go below in displays.
var functions = map[token]bool{
	`\log`: false, `\ln`: false, `\lg`: false, `\exp`: false, `\sin`: false, `\cos`: false, `\tan`: false,
	`\cot`: false, `\sec`: false, `\csc`: false, `\sinh`: false, `\cosh`: false, `\tanh`: false, `\coth`: false,
	`\arcsin`: false, `\arccos`: false, `\arctan`: false, `\arg`: false, `\deg`: false, `\dim`: false,
	`\hom`: false, `\ker`: false, `\det`: true, `\gcd`: true, `\lim`: true, `\max`: true, `\min`: true,
	`\sup`: true, `\inf`: true, `\Pr`: true, `\liminf`: true, `\limsup`: true, `\argmax`: true, `\argmin`: true,
}

// delimiters may follow \left, \right, \big; "" is the empty one.
var delimiters = map[token]string{
	"(": "(", ")": ")", "[": "[", "]": "]", "|": "|", "/": "/", ".": "", "<": "⟨", ">": "⟩",
	`\{`: "{", `\}`: "}", `\lbrace`: "{", `\rbrace`: "}", `\lbrack`: "[", `\rbrack`: "]",
	`\langle`: "⟨", `\rangle`: "⟩", `\|`: "‖", `\Vert`: "‖", `\lVert`: "‖", `\rVert`: "‖",
	`\vert`: "|", `\lvert`: "|", `\rvert`: "|", `\lfloor`: "⌊", `\rfloor`: "⌋", `\lceil`: "⌈", `\rceil`: "⌉",
	`\llbracket`: "⟦", `\rrbracket`: "⟧", `\lgroup`: "⟮", `\rgroup`: "⟯", `\backslash`: "\\",
	`\uparrow`: "↑", `\downarrow`: "↓", `\Uparrow`: "⇑", `\Downarrow`: "⇓",
}

// accents stand above (or below) their argument; wide ones grow with it.
var accents = map[token]struct {
	mark  string
	wide  bool
	below bool
}{
	`\hat`: {mark: "^"}, `\bar`: {mark: "‾"}, `\tilde`: {mark: "~"}, `\vec`: {mark: "→"}, `\dot`: {mark: "˙"},
	`\ddot`: {mark: "¨"}, `\check`: {mark: "ˇ"}, `\breve`: {mark: "˘"}, `\acute`: {mark: "´"}, `\grave`: {mark: "`"},
	`\mathring`: {mark: "˚"}, `\widehat`: {mark: "^", wide: true}, `\widetilde`: {mark: "~", wide: true},
	`\overrightarrow`: {mark: "→", wide: true}, `\overleftarrow`: {mark: "←", wide: true},
	`\overbrace`:  {mark: "⏞", wide: true},
	`\underbrace`: {mark: "⏟", wide: true, below: true},
}

// spaces are widths in em.
var spaces = map[token]string{
	`\,`: "0.167em", `\thinspace`: "0.167em", `\:`: "0.222em", `\>`: "0.222em", `\medspace`: "0.222em",
	`\;`: "0.278em", `\thickspace`: "0.278em", `\!`: "-0.167em", `\negthinspace`: "-0.167em", `\ `: "0.333em",
	`\enspace`: "0.5em", `\quad`: "1em", `\qquad`: "2em", "\\\n": "0.333em", "\\\t": "0.333em",
}

// sizes are how tall \big and its like make a delimiter.
var sizes = map[string]string{`\big`: "1.2em", `\Big`: "1.8em", `\bigg`: "2.4em", `\Bigg`: "3em"}
