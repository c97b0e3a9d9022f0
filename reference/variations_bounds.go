package reference

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
)

// refusedValues are bounds on the values of name, tag and id, which §8 does
// not show. None refuses every plant.
func refusedValues() []Alteration {
	bounds := silent("field-bounds")
	page := answering(http.StatusForbidden, "text/html", "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Your support ID is: 7</body></html>\n")
	refuses := func(name, what string, part string, holds condition, body string) Alteration {
		return variation(name+"-refused", bounds, "refuses "+what, when(both(acceptance, holds), refuse(http.StatusBadRequest, part, "is not allowed"))).shows(body)
	}
	blocks := func(name, what string, expression, shown string) Alteration {
		return variation(name+"-blocked", silent("rejection-conditions"), "has a firewall that answers 403 and a page to "+what,
			when(both(acceptance, sent(matches(expression))), page)).shows(plantWith("name", asString(shown)))
	}
	names := func(name, what string, such func(string) bool, shown string) Alteration {
		return refuses("names-"+name, "names "+what, "name", sentName(such), plantWith("name", asString(shown)))
	}
	tags := func(name, what string, such func(string) bool, shown string) Alteration {
		return refuses("tags-"+name, "tags "+what, "tag", sentTagText(such), plantWith("tag", asString(shown)))
	}
	ids := func(name, what, expression, shown string) Alteration {
		return refuses("ids-"+name, "ids "+what, "id", sentID(matches(expression)), plantWith("id", shown))
	}
	of := func(n int) string { return strings.Repeat("f", n) }
	padded := func(text string) bool { return strings.TrimSpace(text) != text }
	beyondLatin := func(text string) bool {
		return strings.ContainsFunc(text, func(c rune) bool {
			return unicode.IsLetter(c) && !unicode.Is(unicode.Latin, c)
		})
	}
	known := []string{"indoor", "outdoor", "herb", "tree", "shrub", "succulent", "climber", "bulb"}
	return []Alteration{
		names("over-32", "of more than 32 characters", longer(32), of(33)),
		names("over-50", "of more than 50 characters", longer(50), of(51)),
		names("over-64", "of more than 64 characters", longer(64), of(65)),
		names("over-255-bytes", "of more than 255 bytes in UTF-8", func(t string) bool { return len(t) > 255 }, strings.Repeat("ü", 128)),
		names("blank", "that are white space", func(t string) bool { return strings.TrimSpace(t) == "" }, "  "),
		names("padded", "with white space at their ends", padded, " fern"),
		names("with-two-blanks", "with two blanks in a row", contains("  "), "a  b"),
		names("with-nul", "with the character U+0000", contains("\x00"), "a\x00"),
		names("beyond-bmp", "with characters beyond the BMP", beyondBMP, "a🌵"),
		names("beyond-latin", "with letters that are not Latin", beyondLatin, "папоротник"),
		names("with-combining", "with a combining accent", contains("\u0301"), "cafe\u0301"),
		names("with-markup", "with angle brackets", matches(`[<>]`), "<b>"),
		names("with-quotes", "with quotes", matches("[\"'`]"), "a'b"),
		names("with-invisible", "with characters that nobody sees", matches(`[\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}\x{FEFF}]`), "a\u200bb"),
		names("reserved", "that are a word of a programming language", matches(`^(null|undefined|true|false|None|NaN)$`), "null"),
		tags("empty", "that are empty", equals(""), ""),
		tags("blank", "that are white space", matches(`^\s+$`), " "),
		tags("unknown", "that are none of a few known ones", func(tag string) bool { return !slices.Contains(known, tag) }, "desert"),
		tags("over-64", "of more than 64 characters", longer(64), of(65)),
		tags("with-blanks", "with blanks", contains(" "), "in door"),
		tags("with-capitals", "with capital letters", matches(`\p{Lu}`), "Indoor"),
		tags("of-digits", "that are digits", matches(`^\d+$`), "7"),
		tags("beyond-bmp", "with characters beyond the BMP", beyondBMP, "🌵"),
		ids("negative", "below zero", `^-`, "-7"),
		ids("at-ends", "at the ends of an int64", `^(9223372036854775807|-9223372036854775808)$`, "9223372036854775807"),
		ids("minus-zero", "of minus zero", `^-0`, "-0"),
		refuses("plants-named-like-tag", "plants whose name is their tag", "tag", func(r *request, _ answer) bool {
			return nameIn(r) != "" && nameIn(r) == bodyProperty(r, "tag")
		}, `{"id":7,"name":"fern","tag":"fern"}`),
		blocks("markup", "text like HTML", `(?i)<\s*/?(script|b|img|a|i|svg|h1)\b`, "<b>fern</b>"),
		blocks("sql", "text like SQL", `(?i)('\s*(or|and)\s|;\s*(drop|select|delete)\b|union\s+select|--)`, "a'; DROP TABLE plants; --"),
		blocks("templates", "text like a template", `\$\{|\{\{|<%`, "${jndi:ldap://x}"),
	}
}

// sentTagText: the request has such a tag.
func sentTagText(such func(tag string) bool) condition {
	return sent(func(text string) bool {
		o, _ := parseObject(text)
		tag := string(o["tag"])
		return tag != "" && aString.include(tag) && such(fromString(tag))
	})
}
