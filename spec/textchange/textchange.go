// Package textchange names what happened to a text on its way through a service.
package textchange

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Describe says what happened to a text that comes back as another one, as a
// predicate of its place: what the change is called where it is a known one,
// and behind a colon the first characters that differ.
func Describe(sent, got string) string {
	const longest = 4 << 10 // bytes; in a longer text the first difference has to do
	kind := "changed"
	if len(sent) <= longest && len(got) <= 4*longest {
		if known := knownChange(sent, got); known != "" {
			kind = known
		}
	}
	return "comes back " + kind + ": " + firstDifference(sent, got)
}

// knownChange names the change that makes the one text of the other; the
// plainest where several do.
func knownChange(sent, got string) string {
	if got == "" {
		return "empty"
	}
	if cut := cutText(sent, got); cut != "" {
		return cut
	}
	for _, c := range textChanges() {
		if c.change != nil && c.change(sent) == got || c.back != nil && c.back(got) == sent {
			return c.kind
		}
	}
	for _, c := range characterClasses() {
		if kind := c.changed(sent, got); kind != "" {
			return kind
		}
	}
	switch {
	case strings.EqualFold(sent, got):
		return "in other upper and lower case"
	case sent != "" && strings.Contains(got, sent):
		return "with more text"
	}
	return ""
}

// cutText names the change where the end of a text is missing.
func cutText(sent, got string) string {
	kept := strings.TrimSuffix(got, string(utf8.RuneError))
	inside := kept != got
	if !inside {
		kept = strings.TrimSuffix(strings.TrimSuffix(got, "..."), "…")
	}
	rest, isPrefix := strings.CutPrefix(sent, kept)
	switch {
	case !isPrefix || kept == "" || rest == "":
		return ""
	case kept == got && rest[0] == 0:
		return "cut at the character U+0000"
	case strings.TrimFunc(rest, isBlank) == "":
		return "" // it was trimmed
	case inside && utf8.RuneCountInString(rest) == 1:
		return "" // a character was replaced, and it is the last
	case inside:
		return fmt.Sprintf("cut inside a character, after %d", utf8.RuneCountInString(kept))
	}
	if characters := utf8.RuneCountInString(kept); characters > 1 {
		return fmt.Sprintf("cut after %d characters", characters)
	}
	return "cut after 1 character"
}

// aTextChange is a way in which services change texts. It was this one where
// change makes what came back from what was sent, or back the opposite. Either
// may be nil.
type aTextChange struct {
	kind         string
	change, back func(string) string
}

// textChanges are those that are common, the plainest first.
func textChanges() []aTextChange {
	replacing := func(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }
	return []aTextChange{
		{"trimmed", strings.TrimSpace, nil},
		{"trimmed", func(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }, nil},
		{"trimmed", func(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }, nil},
		{"trimmed", func(s string) string { return strings.TrimFunc(s, isBlank) }, nil},
		{"with other line breaks", replacing("\r\n", "\n", "\r", "\n"), replacing("\r\n", "\n")},
		{"with its white space collapsed", func(s string) string { return whiteSpace.ReplaceAllString(s, " ") }, nil},
		{"with its white space collapsed", func(s string) string { return strings.Join(strings.Fields(s), " ") }, nil},
		{"without its white space", func(s string) string { return strings.Join(strings.Fields(s), "") }, nil},
		{"with plain spaces for other white space", func(s string) string { return mapped(s, unicode.IsSpace, ' ') }, nil},
		{"HTML-escaped", html.EscapeString, html.UnescapeString}, // some escape slashes, or all beyond ASCII
		{"HTML-escaped twice", nil, func(s string) string { return html.UnescapeString(html.UnescapeString(s)) }},
		{"HTML-unescaped", html.UnescapeString, nil},
		{"without what looks like a tag", func(s string) string { return tag.ReplaceAllString(s, "") }, nil},
		{"with its backslashes doubled", replacing(`\`, `\\`), nil},
		{"without its backslashes", replacing(`\`, ``), nil},
		{"with backslashes before its quotes", replacing(`\`, `\\`, `'`, `\'`, `"`, `\"`), replacing(`\'`, `'`, `\"`, `"`)},
		{"with its apostrophes doubled", replacing(`'`, `''`), nil},
		{"without its quotes", replacing(`'`, ``, `"`, ``), nil},
		{"with other quotes", replacing("‘", "'", "’", "'", "“", `"`, "”", `"`), replacing("‘", "'", "’", "'", "“", `"`, "”", `"`)},
		{"JSON-escaped", jsonEscaped, nil},
		{"with its escapes decoded", jsonUnescaped, nil},
		{"percent-decoded", decoded(url.PathUnescape), nil},
		{"percent-decoded, with spaces for plus signs", decoded(url.QueryUnescape), nil},
		{"with spaces for its plus signs", replacing("+", " "), nil},
		{"percent-encoded", url.PathEscape, decoded(url.PathUnescape)},
		{"percent-encoded", url.QueryEscape, decoded(url.QueryUnescape)},
		{"normalized to NFC", norm.NFC.String, nil},
		{"normalized to NFD", norm.NFD.String, nil},
		{"normalized to NFKC", norm.NFKC.String, nil},
		{"normalized to NFKD", norm.NFKD.String, nil},
		{"without its accents", withoutAccents, nil},
		{"in upper case", strings.ToUpper, nil},
		{"in lower case", strings.ToLower, nil},
		{"as UTF-8 that was read as Latin-1", latin1, nil},
		{"as UTF-8 that was read as Windows-1252", windows1252, nil},
		{"as Latin-1 that was read as UTF-8", nil, latin1},
	}
}

func isBlank(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

func mapped(text string, in func(rune) bool, to rune) string {
	return strings.Map(func(r rune) rune {
		if in(r) {
			return to
		}
		return r
	}, text)
}

var (
	whiteSpace = regexp.MustCompile(`[\s\p{Z}]+`)
	tag        = regexp.MustCompile(`<[^>]*>`)
)

// decoded undoes an encoding, and leaves a text alone that has none.
func decoded(undo func(string) (string, error)) func(string) string {
	return func(text string) string {
		if plain, err := undo(text); err == nil {
			return plain
		}
		return text
	}
}

func jsonEscaped(text string) string {
	literal, _ := json.Marshal(text) // a string always can be
	return string(literal[1 : len(literal)-1])
}

func jsonUnescaped(text string) string {
	var plain string
	if json.Unmarshal([]byte(`"`+strings.ReplaceAll(text, `"`, `\"`)+`"`), &plain) != nil {
		return text
	}
	return plain
}

func withoutAccents(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}

// latin1 is what becomes of a text whose bytes are taken for characters.
func latin1(text string) string {
	runes := make([]rune, len(text))
	for i := range len(text) {
		runes[i] = rune(text[i])
	}
	return string(runes)
}

// windows1252 is latin1 with that encoding's characters from 0x80 to 0x9F.
func windows1252(text string) string {
	high := []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")
	return strings.Map(func(r rune) rune {
		if r >= 0x80 && r < 0xa0 {
			return high[r-0x80]
		}
		return r
	}, latin1(text))
}

// characterClass is a kind of characters that services drop or replace.
type characterClass struct {
	name string
	has  func(rune) bool
}

// characterClasses are ordered so that a narrow one comes before a wider one.
func characterClasses() []characterClass {
	const (
		joiner   = '\u200d'
		selector = '\ufe0f'
	)
	invisible := func(r rune) bool { return unicode.Is(unicode.Cf, r) }
	return []characterClass{
		{"U+0000", func(r rune) bool { return r == 0 }},
		{"control characters", unicode.IsControl},
		{"invisible characters", invisible},
		{"invisible characters", func(r rune) bool { return invisible(r) || unicode.Is(unicode.Variation_Selector, r) }},
		{"control and invisible characters", func(r rune) bool { return unicode.IsControl(r) || invisible(r) }},
		{"combining characters", func(r rune) bool { return unicode.Is(unicode.M, r) }},
		{"characters beyond U+FFFF", func(r rune) bool { return r > 0xffff }},
		{"emoji", func(r rune) bool {
			return r > 0xffff || unicode.Is(unicode.So, r) || r == joiner || r == selector
		}},
		{"characters beyond Latin-1", func(r rune) bool { return r > 0xff }},
		{"characters beyond ASCII", func(r rune) bool { return r > 0x7f }},
		{"punctuation and symbols", func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsSpace(r)
		}},
	}
}

// changed names the change where characters of the class are missing, or stand
// replaced: one for each, or as many as it has code units in UTF-16 or bytes in
// UTF-8.
func (c characterClass) changed(sent, got string) string {
	for _, mark := range []string{"", "?", "\ufffd", " ", "_"} {
		for _, length := range []func(rune) int{func(rune) int { return 1 }, utf16Length, utf8.RuneLen} {
			var b strings.Builder
			for _, r := range sent {
				if c.has(r) {
					b.WriteString(strings.Repeat(mark, length(r)))
				} else {
					b.WriteRune(r)
				}
			}
			switch {
			case b.String() != got:
			case mark == "":
				return "without its " + c.name
			case mark == "\ufffd":
				return "with U+FFFD for its " + c.name
			default:
				return fmt.Sprintf("with “%s” for its %s", mark, c.name)
			}
		}
	}
	return ""
}

func utf16Length(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// firstDifference tells where two texts begin to differ, and what stands there
// in each.
func firstDifference(sent, got string) string {
	a, b := []rune(sent), []rune(got)
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	same := 0 // at the end
	for same < min(len(a), len(b))-from && a[len(a)-1-same] == b[len(b)-1-same] {
		same++
	}
	return fmt.Sprintf("at character %d, sent %s, got %s", from+1, shownRunes(a[from:len(a)-same]), shownRunes(b[from:len(b)-same]))
}

// shownRunes shows what differs: all of it where it is short, or else how it
// begins, and the code points of what cannot be read well.
func shownRunes(runes []rune) string {
	const (
		most  = 12 // characters that are shown whole
		named = 4  // characters whose code points are given
	)
	more := ""
	if len(runes) > most {
		runes, more = runes[:1], fmt.Sprintf(" and %d more", len(runes)-1)
	}
	if len(runes) == 0 {
		return "nothing"
	}
	text, blank := "“"+string(runes)+"”", true
	odd := len(runes) == 1 && !unicode.IsLetter(runes[0]) && !unicode.IsDigit(runes[0])
	var points []string
	for _, r := range runes {
		odd = odd || r >= utf8.RuneSelf || unicode.IsControl(r)
		blank = blank && isBlank(r)
		points = append(points, fmt.Sprintf("%U", r))
	}
	switch {
	case blank:
		text = strings.Join(points, " ")
	case odd && len(runes) <= named:
		text += " (" + strings.Join(points, " ") + ")"
	}
	return text + more
}
