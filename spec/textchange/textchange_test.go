package textchange_test

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/textchange"
)

// TestTextChanges: what services do to a text is called by its name, and the
// place of the first difference is given.
func TestTextChanges(t *testing.T) {
	long := strings.Repeat("abcdefgh", 40)
	for _, row := range []struct{ sent, got, want string }{
		{"conformance d'or", "conformance d&#39;or", "HTML-escaped: at character 14, sent “'” (U+0027), got “&#39;”"},
		{"conformance d'or", "conformance d&apos;or", "HTML-escaped: at character 14, sent “'” (U+0027), got “&apos;”"},
		{"a/é", "a&#x2F;&eacute;", "HTML-escaped: at character 2, sent “/é” (U+002F U+00E9), got “&” (U+0026) and 13 more"},
		{"a & b", "a &amp;amp; b", "HTML-escaped twice: at character 4, sent nothing, got “amp;amp;”"},
		{"a &amp; b", "a & b", "HTML-unescaped: at character 4, sent “amp;”, got nothing"},
		{"a <b>bold</b>", "a bold", "without what looks like a tag: at character 3, sent “<b>bold</b>”, got “bold”"},
		{" a ", "a", "trimmed: at character 1, sent “ a ”, got “a”"},
		{"a\u00a0\u200b", "a", "trimmed: at character 2, sent U+00A0 U+200B, got nothing"},
		{"a", "a ", "with more text: at character 2, sent nothing, got U+0020"},
		{"a  \t b", "a b", "with its white space collapsed: at character 3, sent U+0020 U+0009 U+0020, got nothing"},
		{"a\u00a0b", "a b", "with its white space collapsed: at character 2, sent U+00A0, got U+0020"},
		{"a\r\nb", "a\nb", "with other line breaks: at character 2, sent U+000D, got nothing"},
		{"a\nb", "a\r\nb", "with other line breaks: at character 2, sent nothing, got U+000D"},
		{"a\u200bb", "ab", "without its invisible characters: at character 2, sent U+200B, got nothing"},
		{"a\u0007b", "ab", "without its control characters: at character 2, sent U+0007, got nothing"},
		{"a\u0000b", "a", "cut at the character U+0000: at character 2, sent “\x00b” (U+0000 U+0062), got nothing"},
		{"a\u0000b", "ab", "without its U+0000: at character 2, sent U+0000, got nothing"},
		{long, long[:255], "cut after 255 characters: at character 256, sent “h” and 64 more, got nothing"},
		{long, long[:20] + "...", "cut after 20 characters: at character 21, sent “e” and 299 more, got “...”"},
		{long, long[:1], "cut after 1 character: at character 2, sent “b” and 318 more, got nothing"},
		{"aéé", "aé\ufffd", "changed: at character 3, sent “é” (U+00E9), got “\ufffd” (U+FFFD)"},
		{"aééb", "a\ufffd", "cut inside a character, after 1: at character 2, sent “ééb” (U+00E9 U+00E9 U+0062), got “\ufffd” (U+FFFD)"},
		{"e\u0301", "\u00e9", "normalized to NFC: at character 1, sent “e\u0301” (U+0065 U+0301), got “é” (U+00E9)"},
		{"\u00e9", "e\u0301", "normalized to NFD: at character 1, sent “é” (U+00E9), got “e\u0301” (U+0065 U+0301)"},
		{"ﬁn ²", "fin 2", "normalized to NFKC: at character 1, sent “ﬁn ²” (U+FB01 U+006E U+0020 U+00B2), got “fin 2”"},
		{"é", "e", "without its accents: at character 1, sent “é” (U+00E9), got “e”"},
		{"Añu", "AÑU", "in upper case: at character 2, sent “ñu” (U+00F1 U+0075), got “ÑU” (U+00D1 U+0055)"},
		{"ABc", "abc", "in lower case: at character 1, sent “AB”, got “ab”"},
		{"abc Def", "Abc def", "in other upper and lower case: at character 1, sent “abc D”, got “Abc d”"},
		{"a🌱", "a", "cut after 1 character: at character 2, sent “🌱” (U+1F331), got nothing"},
		{"a🌱b", "ab", "without its characters beyond U+FFFF: at character 2, sent “🌱” (U+1F331), got nothing"},
		{"a☀\ufe0fb", "ab", "without its emoji: at character 2, sent “☀\ufe0f” (U+2600 U+FE0F), got nothing"},
		{"a🌱b", "a?b", "with “?” for its characters beyond U+FFFF: at character 2, sent “🌱” (U+1F331), got “?” (U+003F)"},
		{"a🌱b", "a??b", "with “?” for its characters beyond U+FFFF: at character 2, sent “🌱” (U+1F331), got “??”"},
		{"a🌱é", "a????é", "with “?” for its characters beyond U+FFFF: at character 2, sent “🌱” (U+1F331), got “????”"},
		{"aéb", "a?b", "with “?” for its characters beyond ASCII: at character 2, sent “é” (U+00E9), got “?” (U+003F)"},
		{"aé🌱b", "a\ufffd\ufffdb", "with U+FFFD for its characters beyond ASCII: at character 2, sent “é🌱” (U+00E9 U+1F331), got “\ufffd\ufffd” (U+FFFD U+FFFD)"},
		{`a\b`, `a\\b`, "with its backslashes doubled: at character 3, sent nothing, got “\\” (U+005C)"},
		{`a\b`, `ab`, "without its backslashes: at character 2, sent “\\” (U+005C), got nothing"},
		{`a'b"`, `a\'b\"`, `with backslashes before its quotes: at character 2, sent “'b”, got “\'b\”`},
		{`a'b`, `a''b`, "with its apostrophes doubled: at character 3, sent nothing, got “'” (U+0027)"},
		{`a'b`, "a’b", "with other quotes: at character 2, sent “'” (U+0027), got “’” (U+2019)"},
		{"a’b", "a'b", "with other quotes: at character 2, sent “’” (U+2019), got “'” (U+0027)"},
		{"a%20b", "a b", "percent-decoded: at character 2, sent “%20”, got U+0020"},
		{"a+b", "a b", "percent-decoded, with spaces for plus signs: at character 2, sent “+” (U+002B), got U+0020"},
		{"a b%", "a%20b%25", "percent-encoded: at character 2, sent “ b%”, got “%20b%25”"},
		{`a\u0041`, "aA", "with its escapes decoded: at character 2, sent “\\u0041”, got “A”"},
		{"aé", "aÃ©", "as UTF-8 that was read as Latin-1: at character 2, sent “é” (U+00E9), got “Ã©” (U+00C3 U+00A9)"},
		{"a’b", "aâ€™b", "as UTF-8 that was read as Windows-1252: at character 2, sent “’” (U+2019), got “â€™” (U+00E2 U+20AC U+2122)"},
		{"aÃ©", "aé", "as Latin-1 that was read as UTF-8: at character 2, sent “Ã©” (U+00C3 U+00A9), got “é” (U+00E9)"},
		{"a", "", "empty: at character 1, sent “a”, got nothing"},
		{"", "x", "changed: at character 1, sent nothing, got “x”"},
		{"fern", "moss", "changed: at character 1, sent “fern”, got “moss”"},
		{"a plant of one client", "the other's", "changed: at character 1, sent “a” and 20 more, got “the other's”"},
		{long + long + strings.Repeat(long, 20), "x", "changed: at character 1"},
	} {
		t.Run(row.want, func(t *testing.T) {
			if got := textchange.Describe(row.sent, row.got); !strings.HasPrefix(got, "comes back "+row.want) {
				t.Errorf("%q, %q\ngot  %s\nwant comes back %s", row.sent, row.got, got, row.want)
			}
		})
	}
}
