package generate

import (
	"fmt"
	"regexp"
	"regexp/syntax"

	"github.com/plantstore/conformance/spec/schema"
)

// unasserted are texts that a pattern matches but for one thing that it looks ahead or behind
// for, as a password without a digit is. text is one that it matches.
func unasserted(pattern, text string) (all []variant) {
	rest, asserted := schema.Assertions(pattern)
	for i, a := range asserted {
		v := variant{name: fmt.Sprintf("asserted-%d", i+1)}
		for _, candidate := range against(a, text) {
			if regexp.MustCompile(rest).MatchString(candidate) && keepAll(asserted[:i], candidate) && keepAll(asserted[i+1:], candidate) {
				v.texts = append(v.texts, candidate)
			}
		}
		all = append(all, v)
	}
	return all
}

// keepAll reports whether a text is as assertions say.
func keepAll(asserted []schema.Assertion, text string) bool {
	for _, a := range asserted {
		if regexp.MustCompile(a.Pattern).MatchString(text) == a.Not {
			return false
		}
	}
	return true
}

// against are texts like one that an assertion holds for, of which some are not as it says:
// what it rules out at that end of the text, or the text without a kind of character.
func against(a schema.Assertion, text string) (texts []string) {
	if a.Not {
		parsed, err := syntax.Parse(a.Pattern, syntax.Perl)
		if err != nil {
			return nil
		}
		for repeated := range 2 {
			found := sample(parsed, 0, func(n int) int { return min(n-1, repeated) })
			runes := []rune(text)
			over := min(len(runes), len([]rune(found)))
			if a.AtEnd {
				texts = append(texts, found, string(runes[:len(runes)-over])+found, text+found)
			} else {
				texts = append(texts, found, found+string(runes[over:]), found+text)
			}
		}
		return texts
	}
	for _, kind := range []string{`[0-9]`, `[A-Z]`, `[a-z]`, `[A-Za-z]`, `[^A-Za-z0-9]`} {
		for _, other := range []string{"a", "A", "1"} {
			texts = append(texts, regexp.MustCompile(kind).ReplaceAllString(text, other))
		}
	}
	return append(texts, string([]rune(text)[:min(1, len(text))]), text+text+text)
}
