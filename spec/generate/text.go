package generate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/schema"
)

// UUIDStart begins each UUID that stands for any.
const UUIDStart = "c0f02a6e-5c1d-4b7e-9a3f-"

// marker begins the free texts, so that an operator can find what was created.
const marker = "conformance "

// isProse reports whether a property of that name is free text, whatever its example.
func isProse(name string) bool {
	return slices.Contains([]string{"name", "title", "description", "summary", "comment", "note", "notes", "text", "message", "label", "subject"}, strings.ToLower(name))
}

// plain are texts for a property: with a space, or without if a pattern has none.
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
	case n < least && least <= maxText:
		return text + strings.Repeat("a", least-n)
	}
	return text
}

// maxText is the length of the longest text that is made, in characters.
const maxText = 20_000

// sampleOf makes texts of a format; nil if the format is not known. All addresses
// are reserved for documentation (RFC 2606, RFC 5737, RFC 3849).
func sampleOf(format string) func(salt int) string {
	number := func(layout string) func(int) string {
		return func(salt int) string { return fmt.Sprintf(layout, salt) }
	}
	const day, hour = 28, 24
	switch format {
	case "date":
		return func(salt int) string { return fmt.Sprintf("20%02d-01-%02d", 26+salt/day%50, 1+salt%day) }
	case "date-time":
		return func(salt int) string { return fmt.Sprintf("2026-01-%02dT%02d:00:00Z", 15+salt/hour%10, 12+salt%12) }
	case "time":
		return func(salt int) string { return fmt.Sprintf("12:%02d:00Z", salt%60) }
	case "duration":
		return func(salt int) string { return fmt.Sprintf("P%dD", salt+1) }
	case "email", "idn-email":
		return suffixed("conformance", "@example.com")
	case "hostname", "idn-hostname", "host", "fqdn":
		return suffixed("conformance", ".example.com")
	case "ipv4", "ip":
		return func(salt int) string { return fmt.Sprintf("192.0.2.%d", 1+salt%250) }
	case "ipv6":
		return func(salt int) string { return fmt.Sprintf("2001:db8::%x", 1+salt%0xffff) }
	case "cidr":
		return number("192.0.2.%d/32")
	case "uri", "url", "iri":
		return suffixed("https://example.com/conformance", "")
	case "uri-reference", "iri-reference", "json-pointer":
		return suffixed("/conformance", "")
	case "uri-template":
		return suffixed("https://example.com/conformance", "/{id}")
	case "uuid", "guid":
		return number(UUIDStart + "%012x")
	case "byte", "base64":
		return func(salt int) string {
			return []string{"Y29uZm9ybWFuY2U=", "Y29uZm9ybWFuY2Uy", "Y29uZm9ybWFuY2Uz"}[salt%3]
		}
	case "base64url", "base32", "base16": // of which all three are
		return func(salt int) string { return []string{"ABCDEF22", "22334455", "ABCD2345"}[salt%3] }
	case "application/json":
		return func(salt int) string { return fmt.Sprintf(`{"conformance":%d}`, salt) }
	case "int32", "int64", "uint32", "uint64", "integer", "decimal", "double", "float":
		return func(salt int) string { return strconv.Itoa(salt + 1) }
	}
	return nil
}

// shortOf is a text of a format that is as short as it can be, or nearly.
func shortOf(format string) string {
	switch format {
	case "email":
		return "a@b.c"
	case "ipv4":
		return "8.8.8.8"
	case "ipv6":
		return "::1"
	case "uri":
		return "a:b"
	case "byte":
		return "YQ=="
	}
	return "a"
}

func suffixed(before, after string) func(int) string {
	return func(salt int) string {
		if salt == 0 {
			return before + after
		}
		return fmt.Sprint(before, salt+1, after)
	}
}

// misshapen are texts that are not of a format: the first ones nearly are.
func misshapen(format string) []string {
	switch format {
	case "date":
		return []string{"2026-02-30", "2026-1-5", "2026-01-15T12:00:00Z", "15.01.2026"}
	case "date-time":
		return []string{"2026-01-15T12:00:00", "2026-01-15 12:00:00", "2026-02-30T12:00:00Z", "2026-01-15"}
	case "email":
		return []string{"conformance@", "@example.com", "conformance.example.com"}
	case "hostname":
		return []string{"-conformance.example.com", "conformance_.example.com", "conformance..example.com"}
	case "ipv4":
		return []string{"192.0.2.256", "192.0.2", "192.0.2.1.1", "2001:db8::1"}
	case "ipv6":
		return []string{"2001:db8::g", "2001:db8:::1", "192.0.2.1"}
	case "uri":
		return []string{"/conformance", "example.com/conformance", "https://example.com/a b"}
	case "uri-reference":
		return []string{"/conformance a", "/conformance%zz"}
	case "uuid":
		return []string{"c0f02a6e-5c1d-4b7e-9a3f-00000000000", "c0f02a6e-5c1d-4b7e-9a3f-00000000000g", "c0f02a6e5c1d4b7e9a3f000000000000"}
	case "byte", "base64":
		return []string{"Y29uZm9ybWFuY2U", "!!!!"}
	}
	return nil
}

// IsOpen reports whether a valid value of a request holds a text with a rule that nothing
// here judges (see [schema.IsOpenText]), and that is not an example of the document. A
// service may have a reason to refuse it.
func IsOpen(s *schema.Schema, value any) bool {
	of, err := newSubject(s, schema.Request)
	return err == nil && of.compiled != nil && of.isOpen(conjunction{of.compiled}, value)
}

func (s *subject) isOpen(c conjunction, value any) bool {
	m := s.maker(plainest)
	v := m.newView(c, func(f fork) int {
		return slices.IndexFunc(f.branches, func(b branch) bool {
			return !slices.ContainsFunc(b.schemas, func(part *jsonschema.Schema) bool { return part != nil && !schema.Meets(part, s.root(), value) })
		})
	})
	switch value := value.(type) {
	case string:
		_, listed := v.values()
		return !listed && !slices.Contains(m.examples(v), any(value)) &&
			slices.ContainsFunc(v.parts, func(part *jsonschema.Schema) bool { return schema.IsOpenText(s.source(part)) })
	case []any:
		for i, item := range value {
			if s.isOpen(v.item(i), item) {
				return true
			}
		}
	case map[string]any:
		for name, inner := range value {
			if s.isOpen(v.property(name), inner) {
				return true
			}
		}
	}
	return false
}
