package dataset

import (
	"fmt"
	"strings"
)

// An arffToken is a value in a list; in a sparse row it has an index before it.
type arffToken struct {
	index  string
	text   string
	quoted bool
}

// arffTokens splits a list at commas, up to the closing byte or, if that is 0, to the end or a comment. It
// returns what follows the closing byte. With indexed, each value has a word before it.
func arffTokens(s string, closing byte, indexed bool) (tokens []arffToken, rest string, err error) {
	s = trimLeft(s)
	if closing != 0 && s != "" && s[0] == closing {
		return nil, s[1:], nil
	}
	for {
		var t arffToken
		s = trimLeft(s)
		if indexed {
			k := strings.IndexAny(s, " \t")
			if k < 0 {
				return nil, "", fmt.Errorf("%w: %q, want an index, space and a value", ErrFormat, clip(s))
			}
			t.index, s = s[:k], trimLeft(s[k:])
		}
		if t.text, t.quoted, s, err = arffValue(s, closing); err != nil {
			return nil, "", err
		}
		tokens = append(tokens, t)
		s = trimLeft(s)
		switch {
		case closing == 0 && (s == "" || s[0] == '%'):
			return tokens, "", nil
		case s == "":
			return nil, "", fmt.Errorf("%w: the list ends without %q", ErrFormat, string(closing))
		case closing != 0 && s[0] == closing:
			return tokens, s[1:], nil
		case s[0] != ',':
			return nil, "", fmt.Errorf("%w: %q where a comma is due", ErrFormat, clip(s))
		}
		s = s[1:]
	}
}

// arffValue reads one value, quoted or up to a comma, a comment or the closing byte.
func arffValue(s string, closing byte) (value string, quoted bool, rest string, err error) {
	if s != "" && (s[0] == '\'' || s[0] == '"') {
		value, rest, err = unquote(s)
		return value, true, rest, err
	}
	end := 0
	for end < len(s) && s[end] != ',' && s[end] != '%' && (closing == 0 || s[end] != closing) {
		end++
	}
	value = strings.TrimRight(s[:end], " \t")
	if value == "" {
		return "", false, "", fmt.Errorf("%w: an empty value before %q", ErrFormat, clip(s[end:]))
	}
	return strings.Clone(value), false, s[end:], nil
}

// arffName reads a name, quoted or up to space or a brace, and returns what follows.
func arffName(s string) (name, rest string, err error) {
	if s != "" && (s[0] == '\'' || s[0] == '"') {
		name, rest, err = unquote(s)
	} else {
		end := strings.IndexAny(s, " \t{")
		if end < 0 {
			end = len(s)
		}
		name, rest = s[:end], s[end:]
	}
	if err == nil && name == "" {
		err = fmt.Errorf("%w: a name is missing before %q", ErrFormat, clip(s))
	}
	return strings.Clone(name), trimLeft(rest), err
}

// unquote reads a string between the quotes it begins with; a backslash protects the next byte.
func unquote(s string) (value, rest string, err error) {
	var b strings.Builder
	for k := 1; k < len(s); k++ {
		switch {
		case s[k] == s[0]:
			return b.String(), s[k+1:], nil
		case s[k] == '\\' && k+1 < len(s):
			k++
			b.WriteByte(s[k])
		default:
			b.WriteByte(s[k])
		}
	}
	return "", "", fmt.Errorf("%w: the quote in %q is not closed", ErrFormat, clip(s))
}

func trimLeft(s string) string { return strings.TrimLeft(s, " \t") }

// cutComment drops a comment and the space around what is left.
func cutComment(s string) string {
	s, _, _ = strings.Cut(s, "%")
	return strings.TrimSpace(s)
}

// clip shortens input for a message.
func clip(s string) string {
	const most = 40
	if r := []rune(s[:min(len(s), 4*most)]); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
