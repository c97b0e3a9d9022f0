package generate

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
)

// UUIDStart is the start of each UUID that is made.
const UUIDStart = "c0f02a6e-5c1d-4b7e-9a3f-"

// marker is the start of the free texts, so that an operator can find what was created.
const marker = "conformance "

// Password is the start of the texts for patterns with a lookahead, which may require a letter of
// each case, a digit and a special character.
const Password = "Aa1!"

// marked adds the marker to an example of a free-text property. A name without a space may be part
// of a URL, so the marker uses the same separator.
func marked(name, example string) string {
	switch {
	case strings.Contains(example, " "):
	case strings.Contains(example, "-"), slices.Contains([]string{"name", "label"}, strings.ToLower(name)) && !strings.Contains(example, "_"):
		return "conformance-" + example
	case strings.Contains(example, "_"):
		return "conformance_" + example
	}
	return marker + example
}

// isProse reports whether a property with that name is free text, with any example.
func isProse(name string) bool {
	return slices.Contains([]string{"name", "title", "description", "summary", "comment", "note", "notes", "text", "message", "label", "subject"}, strings.ToLower(name))
}

// plain returns texts for a property: one with a space, and others in case a pattern allows none.
func plain(name string, salt int) []string {
	name = cmp.Or(slug(name), "text") // safe in any place of a request
	words := []string{marker + name, "conformance-" + strings.ToLower(name), "conformance", name, "a", "A", "1"}
	if salt > 0 {
		words[0] += fmt.Sprint(" ", salt+1)
		words[1] += fmt.Sprint("-", salt+1)
		words[2] += strings.Repeat("x", salt)
	}
	return words
}

// known returns values from public lists, such as currencies, by a word in the name of a property
// or parameter. A service may reject a value that is not in its list.
func known() [][3]string {
	return [][3]string{
		{"currency", "EUR", "USD"}, {"country", "DE", "US"}, {"country", "DEU", "USA"}, {"locale", "en", "de"}, {"locale", "en-US", "de-DE"}, {"language", "en", "de"},
		{"timezone", "UTC", "Europe/Berlin"}, {"iban", "DE89370400440532013000", "GB82WEST12345698765432"},
	}
}

// IsKnown reports whether a text is from a public list, so that no other text can replace it.
func IsKnown(text string) bool {
	return slices.ContainsFunc(known(), func(row [3]string) bool { return row[1] == text || row[2] == text })
}

// knownOf returns the texts of [known] for a name.
func knownOf(name string, salt int) (texts []any) {
	low := schema.PlainName(name)
	for _, row := range known() {
		if strings.Contains(low, row[0]) {
			texts = append(texts, row[1+salt%2])
		}
	}
	return texts
}

// fit cuts a text to a length in characters, or extends it.
func fit(text string, least, most int) string {
	n := utf8.RuneCountInString(text)
	switch {
	case n > most && text[len(text)-1] <= '9': // the number tells items apart
		return string([]rune(text)[n-most:])
	case n > most:
		cut := string([]rune(text)[:most])
		if strings.HasSuffix(cut, " ") {
			cut = cut[:len(cut)-1] + "s" // many services trim texts
		}
		return cut
	case n < least && least <= pattern.MaxText:
		return text + strings.Repeat("a", least-n)
	}
	return text
}

// sampleOf returns a text of a format, or "" if the format is not known. All addresses are reserved
// for documentation (RFC 2606, RFC 5737, RFC 3849).
func sampleOf(format string, salt int) string {
	const day, hour = 28, 24
	switch format {
	case "date":
		return fmt.Sprintf("20%02d-01-%02d", 26+salt/day%50, 1+salt%day)
	case "date-time":
		return fmt.Sprintf("2026-01-%02dT%02d:00:00Z", 15+salt/hour%10, 12+salt%12)
	case "time":
		return fmt.Sprintf("12:%02d:00Z", salt%60)
	case "duration":
		return fmt.Sprintf("P%dD", salt+1)
	case "email", "idn-email":
		return suffixed("conformance", salt, "@example.com")
	case "hostname", "idn-hostname", "host", "fqdn":
		return suffixed("conformance", salt, ".example.com")
	case "ipv4", "ip":
		return fmt.Sprintf("192.0.2.%d", 1+salt%250)
	case "ipv6":
		return fmt.Sprintf("2001:db8::%x", 1+salt%0xffff)
	case "cidr":
		return fmt.Sprintf("192.0.2.%d/32", salt)
	case "uri", "url", "iri":
		return suffixed("https://example.com/conformance", salt, "")
	case "uri-reference", "iri-reference", "json-pointer":
		return suffixed("/conformance", salt, "")
	case "uri-template":
		return suffixed("https://example.com/conformance", salt, "/{id}")
	case "uuid", "guid":
		return fmt.Sprintf(UUIDStart+"%012x", salt)
	case "byte", "base64":
		return []string{"Y29uZm9ybWFuY2U=", "Y29uZm9ybWFuY2Uy", "Y29uZm9ybWFuY2Uz"}[salt%3]
	case "base64url", "base32", "base16": // the texts are valid in all three
		return []string{"ABCDEF22", "22334455", "ABCD2345"}[salt%3]
	case "application/json":
		return fmt.Sprintf(`{"conformance":%d}`, salt)
	case "int32", "int64", "uint32", "uint64", "integer", "decimal", "double", "float":
		return strconv.Itoa(salt + 1)
	}
	return ""
}

// suffixed returns a text with a number in it. The first text has no number.
func suffixed(before string, salt int, after string) string {
	if salt == 0 {
		return before + after
	}
	return fmt.Sprint(before, salt+1, after)
}

// longOf returns a text of a format with at least the given number of characters, if the format
// allows it. An address keeps its host, and no label of a host name exceeds its limit (RFC 1035
// §2.3.4), because a service may check these, too.
func longOf(format string, least, salt int) string {
	const label = 63
	text := sampleOf(format, salt)
	missing := least - len(text)
	switch format {
	case "uri", "url", "iri", "uri-reference", "iri-reference":
		return fit(text, least, pattern.MaxText)
	case "byte", "base64":
		whole := max(1, (min(least, pattern.MaxText)+base64Step-1)/base64Step)
		text = strings.Repeat("YWFh", whole) + text
		return text[len(text)-base64Step*whole:]
	case "email", "idn-email", "hostname", "idn-hostname", "host", "fqdn":
		local, domain, isEmail := strings.Cut(text, "@")
		if !isEmail {
			local, domain = "", text
		}
		for missing > 1 && missing < maxHost {
			n := min(label, missing-1)
			if missing-n == 2 { // too few for a dot and a label
				n--
			}
			domain, missing = strings.Repeat("a", n)+"."+domain, missing-n-1
		}
		if missing == 1 {
			domain = "a" + domain
		}
		if isEmail {
			return local + "@" + domain
		}
		return domain
	}
	return text
}

// base64Step divides the length of each text in base64.
const base64Step = 4

// likeness returns the format that a text looks like, or "". The text need not be valid: the texts
// that a pattern for dates matches are often not dates.
func likeness(text string) string {
	switch {
	case strings.Contains(text, "://"):
		return "uri"
	case strings.Contains(text, "@"):
		return "email"
	case likeUUID.MatchString(text):
		return "uuid"
	case likeTime.MatchString(text):
		return "date-time"
	case likeDate.MatchString(text):
		return "date"
	}
	return ""
}

var (
	likeUUID = regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)
	likeDate = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	likeTime = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}`)
)

// maxHost is the maximum length of a host name, in characters (RFC 1035 §2.3.4).
const maxHost = 253

// shortOf returns a text of a format that is as short as possible, or nearly. A service may reject
// schemes that nobody uses.
func shortOf(format string) string {
	return cmp.Or(map[string]string{"email": "a@b.c", "ipv4": "8.8.8.8", "ipv6": "::1", "uri": "http://a", "byte": "YQ=="}[format], "a")
}

// misshapen returns texts that do not have the format. The first ones nearly do.
func misshapen(format string) []string {
	base64 := []string{"Y29uZm9ybWFuY2U", "!!!!"}
	return map[string][]string{
		"date":          {"2026-02-30", "2026-1-5", "2026-01-15T12:00:00Z", "15.01.2026"},
		"date-time":     {"2026-01-15T12:00:00", "2026-01-15 12:00:00", "2026-02-30T12:00:00Z", "2026-01-15"},
		"email":         {"conformance@", "@example.com", "conformance.example.com"},
		"hostname":      {"-conformance.example.com", "conformance_.example.com", "conformance..example.com"},
		"ipv4":          {"192.0.2.256", "192.0.2", "192.0.2.1.1", "2001:db8::1"},
		"ipv6":          {"2001:db8::g", "2001:db8:::1", "192.0.2.1"},
		"uri":           {"/conformance", "example.com/conformance", "https://example.com/a b"},
		"uri-reference": {"/conformance a", "/conformance%zz"},
		"uuid":          {"c0f02a6e-5c1d-4b7e-9a3f-00000000000", "c0f02a6e-5c1d-4b7e-9a3f-00000000000g", "c0f02a6e5c1d4b7e9a3f000000000000"},
		"byte":          base64,
		"base64":        base64,
	}[format]
}
