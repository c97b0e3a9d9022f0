package alteration

import (
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/plantstore/conformance/reference/fault"
)

// refusedValues refuse values of name, tag and id, on which §8 shows no bounds. Each of them
// accepts some plants.
func refusedValues() []Alteration {
	bounds := silent("field-bounds")
	page := fault.Answering(http.StatusForbidden, "text/html", "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Your support ID is: 7</body></html>\n")
	refuses := func(name, what string, part string, holds fault.Condition, body string) Alteration {
		return variation(name+"-refused", bounds, "refuses "+what, rejecting(holds, part, "is not allowed")).shows(body)
	}
	blocks := func(name, what string, expression, shown string) Alteration {
		return variation(name+"-blocked", silent("rejection-conditions"), "has a firewall that answers 403 and a page to "+what,
			fault.When(fault.Both(fault.Accepted, fault.Sent(fault.Matches(expression))), page)).shows(plantWith("name", fault.AsString(shown)))
	}
	names := func(name, what string, such func(string) bool, shown string) Alteration {
		return refuses("names-"+name, "names "+what, "name", fault.SentText("name", such), plantWith("name", fault.AsString(shown)))
	}
	tags := func(name, what string, such func(string) bool, shown string) Alteration {
		return refuses("tags-"+name, "tags "+what, "tag", fault.SentText("tag", such), plantWith("tag", fault.AsString(shown)))
	}
	ids := func(name, what, expression, shown string) Alteration {
		return refuses("ids-"+name, "ids "+what, "id", fault.SentValue("id", fault.Matches(expression)), plantWith("id", shown))
	}
	of := func(n int) string { return strings.Repeat("f", n) }
	beyondLatin := func(text string) bool {
		return strings.ContainsFunc(text, func(c rune) bool {
			return unicode.IsLetter(c) && !unicode.Is(unicode.Latin, c)
		})
	}
	known := []string{"bulb", "climber", "herb", "indoor"}
	return []Alteration{
		names("with-solidus", "with a solidus", fault.Contains("/"), "a/b"),
		names("other-than-letters", "that are more than 20 letters and spaces, or other signs", fault.NoneOf(fault.Matches(`^[\p{L} ]{0,20}$`)), "fern 7"),
		names("over-32", "of more than 32 characters", fault.Longer(32), of(33)),
		names("over-50", "of more than 50 characters", fault.Longer(50), of(51)),
		names("over-64", "of more than 64 characters", fault.Longer(64), of(65)),
		names("over-255-bytes", "of more than 255 bytes in UTF-8", func(t string) bool { return len(t) > 255 }, strings.Repeat("ü", 128)),
		names("blank", "that are white space", func(t string) bool { return strings.TrimSpace(t) == "" }, "  "),
		names("padded", "with white space at their ends", padded, " fern"),
		names("with-two-blanks", "with two blanks in a row", fault.Contains("  "), "a  b"),
		names("with-nul", "with the character U+0000", fault.Contains("\x00"), "a\x00"),
		names("beyond-bmp", "with characters beyond the BMP", fault.BeyondBMP, "a🌵"),
		names("beyond-latin", "with letters that are not Latin", beyondLatin, "папоротник"),
		names("with-combining", "with a combining accent", fault.Contains("\u0301"), "cafe\u0301"),
		names("with-markup", "with angle brackets", fault.Matches(`[<>]`), "<b>"),
		names("with-quotes", "with quotes", fault.Matches("[\"'`]"), "a'b"),
		names("with-invisible", "with characters that nobody sees", fault.Matches(`[\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}\x{FEFF}]`), "a\u200bb"),
		names("reserved", "that are a word of a programming language", fault.Matches(`^(null|undefined|true|false|None|NaN)$`), "null"),
		tags("empty", "that are empty", fault.Equals(""), ""),
		tags("blank", "that are white space", fault.Matches(`^\s+$`), " "),
		tags("unknown", "that are none of a few known ones", func(tag string) bool { return !slices.Contains(known, tag) }, "desert"),
		tags("over-64", "of more than 64 characters", fault.Longer(64), of(65)),
		tags("with-blanks", "with blanks", fault.Contains(" "), "in door"),
		tags("with-capitals", "with capital letters", fault.Matches(`\p{Lu}`), "Indoor"),
		tags("of-digits", "that are digits", fault.Matches(`^\d+$`), "7"),
		tags("beyond-bmp", "with characters beyond the BMP", fault.BeyondBMP, "🌵"),
		ids("negative", "below zero", `^-`, "-7"),
		ids("at-ends", "at the ends of an int64", `^(9223372036854775807|-9223372036854775808)$`, "9223372036854775807"),
		ids("minus-zero", "of minus zero", `^-0`, "-0"),
		refuses("plants-named-like-tag", "plants whose name is their tag", "tag", func(r *fault.Request, _ fault.Answer) bool {
			return r.Property("name") != "" && r.Property("name") == r.Property("tag")
		}, `{"id":7,"name":"fern","tag":"fern"}`),
		blocks("markup", "text like HTML", `(?i)<\s*/?(script|b|img|a|i|svg|h1)\b`, "<b>fern</b>"),
		blocks("sql", "text like SQL", `(?i)('\s*(or|and)\s|;\s*(drop|select|delete)\b|union\s+select|--)`, "a'; DROP TABLE plants; --"),
		blocks("templates", "text like a template", `\$\{|\{\{|<%`, "${jndi:ldap://x}"),
	}
}

// boundVariations: §8 does not show bounds on the values of name, tag and id.
func boundVariations() []Alteration {
	bounds := silent("field-bounds")
	outside := func(low, high int64) fault.Condition {
		return fault.Sent(func(text string) bool {
			id, ok := idIn(text)
			return ok && (id < low || id > high)
		})
	}
	const double = 1 << 53
	return []Alteration{
		variation("empty-names-refused", bounds, "refuses empty names", rejecting(fault.SentText("name", fault.Equals("")), "name", "is out of bounds")),
		variation("long-names-refused", bounds, "refuses names of more than 255 characters",
			rejecting(fault.SentText("name", fault.Longer(255)), "name", "is out of bounds")),
		variation("control-characters-refused", bounds, "refuses names with control characters",
			rejecting(fault.SentText("name", func(name string) bool { return strings.ContainsFunc(name, unicode.IsControl) }), "name", "is out of bounds")),
		variation("non-positive-ids-refused", bounds, "refuses ids of 0 and below", rejecting(outside(1, 1<<63-1), "id", "is out of bounds")),
		variation("ids-beyond-double-refused", bounds, "refuses ids that a double does not hold exactly",
			rejecting(outside(-double, double), "id", "is out of bounds")),
	}
}

// limitVariations: §8 does not show limits on the size of requests or on their rate.
func limitVariations() []Alteration {
	sizes, rates := silent("size-limits"), silent("rate-limits")
	const limit = 64 << 10
	large := func(r *fault.Request, _ fault.Answer) bool { return r.ContentLength > limit }
	once := func(nth int64, answer func() fault.Answer) fault.Change {
		return fault.Sometimes(func(n int64) bool { return n == nth }, fault.Replying(answer))
	}
	return []Alteration{
		variation("large-bodies-413", sizes, "refuses bodies of more than 64 KiB with 413", fault.Replying(func() fault.Answer {
			return refused(http.StatusRequestEntityTooLarge, "body", "is too large")
		}).If(large)),
		variation("large-bodies-accepted", sizes, "accepts bodies of up to 16 MiB",
			fault.Reading(func(r *fault.Request) *fault.Request { return fault.NewRequest(r.Request, 16<<20) })),
		variation("rate-limit-429", rates, "asks once to come again in a second, with 429",
			once(20, func() fault.Answer {
				a := refused(http.StatusTooManyRequests, "rate", "is too high")
				a.Header.Set("Retry-After", "1")
				return a
			})),
		variation("overload-503", rates, "asks once to come again at a time, with 503", once(10, func() fault.Answer {
			a := refused(http.StatusServiceUnavailable, "service", "is overloaded")
			a.Header.Set("Retry-After", time.Now().Add(time.Second).UTC().Format(http.TimeFormat))
			return a
		})),
	}
}
