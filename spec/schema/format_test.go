package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/schema"
)

// TestFormats tests a sample of the JSON Schema Test Suite, and values that the suite leaves out.
func TestFormats(t *testing.T) {
	for format, rows := range map[string]struct{ valid, invalid []string }{
		"uri": {
			[]string{"https://a:b@example.org:80/x;y?q=%C3%A9#f", "urn:isbn:0", "http://[::1]/", "http://[v1.a]", "mailto:a@b", "file:///a", "a:"},
			[]string{"", "/a", "//a", "http://a b", "http://a/é", `http://a/"`, "http://a/{x}", "http://[::1", "http://[::g]", "http://[fe80::1%25a]", "http://a/%zz", "http://a@b@c/", "1a:b"},
		},
		"uri-reference": {
			[]string{"", "a", "/a/b", "//a/b", "?q", "#f", "./a:b", "a/b:c", "http://a"},
			[]string{"1:b", "a b", "/[::1]", `\\a`, "#a#b"},
		},
		"hostname": {
			[]string{"a", "example.org", "1.2", "xn--nxasmm1c.example", "XN--l-fda", strings.Repeat("a", 63)},
			[]string{"", "a.", ".a", "a..b", "-a", "a-", "a_b", "xn--", "aa--b", strings.Repeat("a", 64), strings.Repeat("a.", 127)},
		},
		"email": {
			[]string{"a@b", "a.b+c@example.org", `"a b"@c`, `"a\"b"@c`, "a@[127.0.0.1]", "a@[IPv6:::1]"},
			[]string{"", "a", "@b", "a@", "a..b@c", ".a@b", "a b@c", `"a"b"@c`, "a@[127.0.0.1", "a@[::1]", "é@b", strings.Repeat("a", 65) + "@b"},
		},
		"ipv4":         {[]string{"0.0.0.0", "255.255.255.255"}, []string{"1.2.3", "1.2.3.256", "+1.2.3.4", "01.2.3.4", "::1"}},
		"not-an-rfc":   {[]string{"", "anything"}, nil},
		"json-pointer": {[]string{"not asserted"}, nil},
		"uuid":         {[]string{"2eb8aa08-aa98-11ea-b4aa-73b441d16380"}, []string{"2eb8aa08aa9811eab4aa73b441d16380"}},
		"date-time":    {[]string{"2026-02-28T23:59:59.1+01:00", "1998-12-31T23:59:60Z"}, []string{"2026-02-30T00:00:00Z", "2026-02-28 00:00:00Z"}},
	} {
		s := at(t, "3.1.0", "{A: {type: string, format: "+format+"}}", "/A")
		for _, text := range rows.valid {
			if got := judged(t, s, schema.Response, quoted(t, text)); got != "" {
				t.Errorf("%s: %q %s", format, text, got)
			}
		}
		for _, text := range rows.invalid {
			if got := judged(t, s, schema.Response, quoted(t, text)); got != "has the wrong format" {
				t.Errorf("%s: %q is accepted", format, text)
			}
		}
	}
}

// TestNumericFormats: these formats limit the range of numbers, and nothing else.
func TestNumericFormats(t *testing.T) {
	for format, rows := range map[string]struct{ valid, invalid []string }{
		"int32":  {[]string{"-2147483648", "2147483647"}, []string{"-2147483649", "2147483648"}},
		"int64":  {[]string{"-9223372036854775808", "9223372036854775807"}, []string{"-9223372036854775809", "9223372036854775808"}},
		"float":  {[]string{"0.1", "3.4028234e38", "-3.4028234e38", "1e-400", "16777217"}, []string{"3.5e38", "-1e39"}},
		"double": {[]string{"0.1", "1.7976931348623157e308", "-1e308", "1e-400", "9007199254740993"}, []string{"1.8e308", "-1e400"}},
	} {
		s := at(t, "3.0.3", "{A: {type: number, format: "+format+"}}", "/A")
		for _, text := range rows.valid {
			if got := judged(t, s, schema.Response, text); got != "" {
				t.Errorf("%s: %s %s", format, text, got)
			}
		}
		for _, text := range rows.invalid {
			if got := judged(t, s, schema.Response, text); got != "is out of range" {
				t.Errorf("%s: %s: %q", format, text, got)
			}
		}
	}
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	data, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
