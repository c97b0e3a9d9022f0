package pattern

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// assertion is a lookahead at the beginning or a lookbehind at the end of a pattern (ECMA-262
// §22.2.1, Assertion), as in patterns for names and passwords.
type assertion struct {
	*regexp.Regexp        // nil until it is compiled
	text           string // in the syntax of package regexp, anchored at that end of the text
	not            bool   // the text must not match it
	atEnd          bool
}

// holdAll reports whether a text meets all assertions.
func holdAll(asserted []assertion, text string) bool {
	return !slices.ContainsFunc(asserted, func(a assertion) bool { return a.MatchString(text) == a.not })
}

// assertions separates the lookaheads after the ^ of a pattern and the lookbehinds before its $.
// Package regexp supports neither, but at an end of the text each works as a separate pattern. rest
// is the pattern without them, in the syntax of package regexp. Assertions at other places stay in
// it, and package regexp rejects them.
func assertions(pattern string) (rest string, list []assertion) {
	rest = goSyntax(pattern)
	if !strings.Contains(rest, "(?=") && !strings.Contains(rest, "(?!") && !strings.Contains(rest, "(?<") {
		return rest, nil
	}
	groups, alternatives := outermost(rest)
	if alternatives {
		return rest, nil
	}
	first, last := 0, len(rest) // what is between ^ and $
	if strings.HasPrefix(rest, "^") {
		first = 1
	}
	if strings.HasSuffix(rest, "$") {
		last--
	}
	from, to := first, last
	take := func(group span, sign, before, after string) bool { // "(?=" and "(?!" are at the beginning, "(?<=" and "(?<!" at the end
		text := rest[group.from:group.to]
		is, not := strings.HasPrefix(text, sign+"="), strings.HasPrefix(text, sign+"!")
		if is || not {
			list = append(list, assertion{text: before + "(?:" + text[len(sign)+1:] + after, not: not, atEnd: after != ""})
		}
		return is || not
	}
	for ; first > 0 && len(groups) > 0 && groups[0].from == from && take(groups[0], "(?", "^", ""); groups = groups[1:] {
		from = groups[0].to
	}
	for ; last < len(rest) && len(groups) > 0 && groups[len(groups)-1].to == to && take(groups[len(groups)-1], "(?<", "", "$"); groups = groups[:len(groups)-1] {
		to = groups[len(groups)-1].from
	}
	return rest[:first] + rest[from:to] + rest[last:], list
}

type span struct{ from, to int }

// outermost returns the groups of a pattern that are not in another group, and whether it has
// alternatives outside of groups.
func outermost(text string) (groups []span, alternatives bool) {
	depth := 0
	for i := 0; i < len(text); {
		size := 1
		switch text[i] {
		case '\\':
			size = escapeLength(text[i:])
		case '[':
			size = classLength(text[i:])
		case '|':
			alternatives = alternatives || depth == 0
		case '(':
			if depth == 0 {
				groups = append(groups, span{from: i})
			}
			depth++
		case ')':
			if depth--; depth == 0 {
				groups[len(groups)-1].to = i + 1
			}
		}
		i += size
	}
	return groups, alternatives || depth != 0
}

// Unasserted returns, for each assertion of a pattern, texts that break only this assertion, such
// as a password without a digit. The best text comes first. text must match the pattern.
func Unasserted(pattern, text string) [][]string {
	p, err := compile(pattern)
	if err != nil {
		return nil
	}
	all := make([][]string, len(p.asserted))
	for i, a := range p.asserted {
		others := slices.Concat(p.asserted[:i], p.asserted[i+1:])
		all[i] = slices.DeleteFunc(a.against(text), func(candidate string) bool {
			return !p.Regexp.MatchString(candidate) || a.MatchString(candidate) != a.not || !holdAll(others, candidate)
		})
	}
	return all
}

// against returns variants of a text that meets the assertion. Some of them break it: they contain
// what it forbids at that end of the text, or lack a kind of character.
func (a assertion) against(text string) (texts []string) {
	if a.not {
		parsed, _ := syntax.Parse(a.text, syntax.Perl) // it was compiled before
		for repeated := range 2 {
			found := (&Sampler{parsed}).Text(0, func(n int) int { return min(n-1, repeated) })
			runes := []rune(text)
			over := min(len(runes), len([]rune(found)))
			if a.atEnd {
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
