package alteration

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/runes"
	"golang.org/x/text/unicode/norm"

	"github.com/plantstore/conformance/reference/fault"
)

// changedText is a change that a service makes to a text between request and answer.
type changedText struct {
	name, summary string
	edit          fault.TextEdit
	shown         string // a text that it changes
}

// changedTexts change the name in the ways of escaping, normalising, sanitising and storing. The
// plant is still valid (§2), but it is not the one that was sent.
func changedTexts() []Alteration {
	both, names := changesOfText()
	return changed("name", append(slices.Concat(both, names), []changedText{
		{"with-number-sign-cut", "up to the first #", fault.Replacing(`(?s)#.*$`, ""), "fern #7"},
		{"with-quotes-straightened", "with plain quotes for typographic ones", strings.NewReplacer("“", `"`, "”", `"`, "’", "'").Replace, "the “fern”"},
	}...))
}

// changedTags make such changes to the tag.
func changedTags() []Alteration {
	both, _ := changesOfText()
	rows := changed("tag", append(both, []changedText{
		{"split-at-comma", "up to the first comma", fault.Replacing(`(?s),.*$`, ""), "indoor,shade"},
		{"as-slug", "as it may stand in an address", func(text string) string {
			return strings.Trim(fault.Replacing(`[^a-z0-9]+`, "-")(strings.ToLower(text)), "-")
		}, "In door!"},
	}...))
	shown := func(name string, clauses []string, property, summary string, such func(value string) bool, edit fault.TextEdit, value string) Alteration {
		change := shownPlant(fault.Property(property, fault.AString, fault.Where(such, edit)))
		return deviation(name, clauses, summary, change).warns(plantEcho).shows(plantWith(property, value))
	}
	number := fault.Matches(`^"-?(0|[1-9]\d{0,15})(\.\d+)?"$`)
	return append(rows,
		shown("tag-null-word-dropped", nil, "tag", "shows no tag if it is the word null",
			fault.Equals(`"null"`), fault.Nothing, `"null"`),
		shown("tag-undefined-word-dropped", nil, "tag", "shows no tag if it is the word undefined or None",
			fault.Matches(`^"(undefined|None|nil)"$`), fault.Nothing, `"undefined"`),
		shown("blank-tag-dropped", nil, "tag", "shows no tag if it is white space",
			fault.Matches(`^"\s+"$`), fault.Nothing, `" "`),
		shown("tag-zero-dropped", nil, "tag", "shows no tag if it is the digit 0",
			fault.Equals(`"0"`), fault.Nothing, `"0"`),
		shown("tag-false-dropped", nil, "tag", "shows no tag if it is the word false",
			fault.Equals(`"false"`), fault.Nothing, `"false"`),
		shown("number-for-name-of-digits", ids(plantName), "name", "shows a number for a name of digits",
			number, fault.FromString, `"12"`),
		shown("number-for-decimal-tag", ids(plantTag), "tag", "shows a number for a tag with a decimal point",
			fault.Matches(`^"\d+\.\d+"$`), fault.FromString, `"1.5"`),
		shown("boolean-for-tag-true", ids(plantTag), "tag", "shows a boolean for a tag that is the word true or false",
			fault.Matches(`^"(true|false)"$`), fault.FromString, `"true"`),
		shown("null-for-tag-null", ids(plantTag), "tag", "shows null for a tag that is the word null",
			fault.Equals(`"null"`), fault.FromString, `"null"`),
		shown("json-for-tag-of-json", ids(plantTag), "tag", "shows the list that is written in a tag",
			fault.AllOf(fault.Matches(`^"\[`), func(v string) bool { return fault.IsJSON(fault.FromString(v)) }), fault.FromString, `"[1]"`),
		deviation("tag-of-another-case-shown", nil, "shows what is in the property Tag for a missing tag",
			fault.When(fault.Both(fault.Accepted, fault.SentText("Tag", fault.NotEmpty)), func(r *fault.Request, a fault.Answer) fault.Answer {
				return fault.Body(fault.Add("tag", fault.AsString(r.Property("Tag"))))(r, a)
			})).warns(plantEcho).shows(`{"id":7,"name":"fern","Tag":"indoor"}`),
		deviation("name-cut-inside-character", ids(plantForm), "shows the first 40 bytes of a name, be it inside of a character",
			fault.When(fault.Accepted, func(r *fault.Request, a fault.Answer) fault.Answer {
				if name := r.Property("name"); len(name) > 40 && !utf8.ValidString(name[:40]) {
					return a.WithBody(`{"name":"` + name[:40] + `"}`)
				}
				return a
			})).shows(plantWith("name", `"`+strings.Repeat("ü", 10)+"x"+strings.Repeat("ü", 20)+`"`)),
	)
}

// changed returns the rows of a property.
func changed(of string, changes []changedText) []Alteration {
	var rows []Alteration
	for _, c := range changes {
		edit := func(value string) string { return fault.AsString(c.edit(fault.FromString(value))) }
		rows = append(rows, deviation(of+"-"+c.name, nil, "shows the "+of+" "+c.summary,
			shownPlant(fault.Property(of, fault.AString, edit))).warns(plantEcho).shows(plantWith(of, fault.AsString(c.shown))))
	}
	return rows
}

// changesOfText returns the changes for both names and tags, and those for names only.
func changesOfText() (both, names []changedText) {
	characters := func(n int) string { return strings.Repeat("f", n+1) }
	without := func(such func(c rune) bool) fault.TextEdit { return runes.Remove(runes.Predicate(such)).String }
	both = []changedText{
		{"with-apostrophes-escaped", "with &#39; for apostrophes", fault.Replacing(`'`, "&#39;"), "a'b"},
		{"with-apostrophes-doubled", "with two apostrophes for one", fault.Replacing(`'`, "''"), "a'b"},
		{"without-markup", "without what looks like markup", fault.Replacing(`<[^>]*>`, ""), "a<b>c"},
		{"without-zero-width", "without zero-width characters", fault.Replacing(`[\x{200B}-\x{200D}\x{2060}\x{FEFF}]`, ""), "a\u200bb"},
		{"without-control-characters", "without control characters", without(unicode.IsControl), "a\tb"},
		{"cut-at-nul", "up to U+0000", fault.Replacing(`(?s)\x00.*$`, ""), "a\x00b"},
		{"trimmed-everywhere", "without anything invisible at its ends", func(t string) string {
			return strings.TrimFunc(t, func(c rune) bool { return unicode.IsSpace(c) || unicode.Is(unicode.Cf, c) || unicode.IsControl(c) })
		}, "\u200ba "},
		{"in-nfc", "in normal form C", norm.NFC.String, "e\u0301"},
		{"without-accents", "without accents", func(t string) string {
			return norm.NFC.String(without(func(c rune) bool { return unicode.Is(unicode.Mn, c) })(norm.NFD.String(t)))
		}, "é"},
		{"in-lower-case", "in small letters", strings.ToLower, "A"},
		{"cut-at-astral", "up to the first character beyond the BMP, as MySQL's utf8 does", fault.Replacing(`(?s)[\x{10000}-\x{10FFFF}].*$`, ""), "a🌵b"},
		{"cut-at-32", "cut after 32 characters", fault.Replacing(`(?s)^(.{32}).+$`, "$1"), characters(32)},
		{"cut-at-255-bytes", "cut after 255 bytes, with U+FFFD for half a character", func(t string) string {
			return strings.ToValidUTF8(t[:min(len(t), 255)], "\ufffd")
		}, strings.Repeat("ü", 200)},
	}
	names = []changedText{
		{"with-quotes-escaped", "with &quot; for quotes", fault.Replacing(`"`, "&quot;"), `a"b`},
		{"with-apostrophes-slashed", "with a backslash before apostrophes", fault.Replacing(`'`, `\'`), "a'b"},
		{"with-references-decoded", "with characters for references of HTML", html.UnescapeString, "a &amp; b"},
		{"with-placeholders-filled", "with placeholders filled in", fault.Replacing(`\$\{[^}]*\}|\{\{[^}]*\}\}|%s`, ""), "a ${b} {{c}} %s"},
		{"without-direction-marks", "without marks of direction", fault.Replacing(`[\x{200E}\x{200F}\x{202A}-\x{202E}\x{2066}-\x{2069}]`, ""), "a\u200fb"},
		{"without-nul", "without U+0000", fault.Replacing(`\x00`, ""), "a\x00b"},
		{"without-last-line-break", "without a line break at its end", func(t string) string { return strings.TrimSuffix(t, "\n") }, "a\n"},
		{"trimmed-at-start", "without white space at its start", func(t string) string { return strings.TrimLeftFunc(t, unicode.IsSpace) }, " a"},
		{"with-astral-replaced", "with U+FFFD for characters beyond the BMP", fault.Replacing(`[\x{10000}-\x{10FFFF}]`, "\ufffd"), "a🌵"},
		{"cut-at-100", "cut after 100 characters", fault.Replacing(`(?s)^(.{100}).+$`, "$1"), characters(100)},
		{"with-formula-disarmed", "with an apostrophe before what a spreadsheet would calculate", fault.Where(fault.Matches(`^[=+@-]`), fault.Prefixed("'")), "=1+1"},
	}
	return both, names
}
