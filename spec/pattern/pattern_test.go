package pattern_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/pattern"
)

// TestCompile checks that patterns are read by ECMA-262, whose white space and ends of lines differ
// from Go.
func TestCompile(t *testing.T) {
	for _, row := range []struct{ pattern, matches, fails string }{
		{`^\s$`, "\u00a0", "x"},
		{`^[\sx]+$`, "\v\ufeffx\u2003", "y"},
		{`^\S+$`, "aé", "a\u3000"},
		{`^[\S]$`, "é", "\u2029"},
		{`^.$`, "𝄞", "\u2028"},
		{`^[.]$`, ".", "a"},
		{`^\u00e9$`, "é", "e"},
		{`^\ud834\udd1e$`, "𝄞", "x"},
		{`^\cJ$`, "\n", "J"},
		{`^\.\\\/$`, `.\/`, `a\/`},
		{`^\d\w$`, "1a", "٣a"},
		{`^é\é$`, "éé", "é"},
		{`^a{1001}$`, strings.Repeat("a", 1001), strings.Repeat("a", 1000)},
		{`^b[a\]]{2,2001}b$`, "b" + strings.Repeat("]", 2001) + "b", "b" + strings.Repeat("a", 2002) + "b"},
		{`^(?:ab){1500,}$`, strings.Repeat("ab", 1600), strings.Repeat("ab", 1499)},
		{`^\u0078.{0,2500}é{2}$`, "x" + strings.Repeat("é", 2502), "x" + strings.Repeat("é", 2503)},
		{`^[{1001}]{2}$`, "{1", "{1{"},
		{`^[^]a]$`, "\na]", "b"},
		{`^(a|[])$`, "a", "]"},
		{`^[[:alpha:]]$`, "[]", "b"},
		{`^[[a]$`, "[", "[a"},
		{`^(?!admin|root)[a-z]{3,12}$`, "user", "administer"},
		{`^(?=.*[A-Z])(?=.*\d)(?!.*[)\s]).{8,}$`, "Passw0rd(", "Passw0rd)"},
		{`^(?!-)[a-z-]+(?<!-)(?<=b|c)$`, "a-b", "a-"},
		{`^(?=(a|\)))\S+$`, ")b", "b)"},
	} {
		p, err := pattern.Compile(row.pattern)
		if err != nil || !p.MatchString(row.matches) || p.MatchString(row.fails) {
			t.Errorf("%s: %v", row.pattern, err)
		}
	}
}

// TestSampler checks that texts match their pattern and have the required length.
func TestSampler(t *testing.T) {
	for _, text := range []string{`^[A-Z]{3}-\d{2,}$`, `^(a|bc)*x?$`, `^\s$`, `^[^a]+$`, `^a{1001}$`} {
		p, err := pattern.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, made := range append(pattern.NewSampler(text).Texts(0, 1), pattern.NewSampler(text).Longest()) {
			if !p.MatchString(made) {
				t.Errorf("%s: %q does not match", text, made)
			}
		}
	}
	if texts := pattern.NewSampler("^[a-z]+$").Texts(40, 0); !slices.ContainsFunc(texts, func(text string) bool { return len(text) >= 40 }) {
		t.Errorf("none has 40 characters or more: %q", texts)
	}
	if pattern.NewSampler("(").Texts(0, 0) != nil || pattern.NewSampler("^(?:[ab]c){1000}(?:[ab]c){1000}$").Longest() != "" {
		t.Error("texts of what cannot be read, or is too large")
	}
}

// TestUnasserted checks that texts break only one assertion.
func TestUnasserted(t *testing.T) {
	got := pattern.Unasserted(`^(?=.*[A-Z])(?=.*[0-9]).{8,16}$`, "Aa1!conformance")
	if len(got) != 2 || got[0][0] != "aa1!conformance" || got[1][0] != "Aaa!conformance" {
		t.Errorf("%q", got)
	}
}
