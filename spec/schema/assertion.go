package schema

import "strings"

// Assertion is what a pattern says of a text beside what it is made of: a lookahead at the
// beginning or a lookbehind at the end (ECMA-262 §22.2.1, Assertion), as names and passwords
// have them.
type Assertion struct {
	Pattern string // in the syntax of package regexp, tied to that end of the text
	Not     bool   // the text must not match it
	AtEnd   bool
}

// Assertions takes the lookaheads behind the ^ of a pattern of a document and the lookbehinds
// before its $ off. Package regexp knows neither; but at an end of the text each is a pattern
// of its own. rest is the pattern without them, in the syntax of package regexp. What stands
// elsewhere stays in it, and is refused.
func Assertions(pattern string) (rest string, list []Assertion) {
	rest = goSyntax(pattern)
	if !strings.Contains(rest, "(?=") && !strings.Contains(rest, "(?!") && !strings.Contains(rest, "(?<") {
		return rest, nil
	}
	groups, alternatives := outermost(rest)
	if alternatives {
		return rest, nil
	}
	first, last := 0, len(rest) // what stands between ^ and $
	if strings.HasPrefix(rest, "^") {
		first = 1
	}
	if strings.HasSuffix(rest, "$") {
		last--
	}
	from, to := first, last
	for ; first > 0 && len(groups) > 0 && groups[0].from == from; groups = groups[1:] {
		inner, not, ok := cutAssertion(rest[from:groups[0].to], "(?=", "(?!")
		if !ok {
			break
		}
		list = append(list, Assertion{Pattern: "^(?:" + inner + ")", Not: not})
		from = groups[0].to
	}
	for ; last < len(rest) && len(groups) > 0 && groups[len(groups)-1].to == to; groups = groups[:len(groups)-1] {
		at := groups[len(groups)-1].from
		inner, not, ok := cutAssertion(rest[at:to], "(?<=", "(?<!")
		if !ok {
			break
		}
		list = append(list, Assertion{Pattern: "(?:" + inner + ")$", Not: not, AtEnd: true})
		to = at
	}
	return rest[:first] + rest[from:to] + rest[last:], list
}

// cutAssertion is what stands in a group that begins with one of two signs.
func cutAssertion(group, is, isNot string) (inner string, not, ok bool) {
	if inner, ok = strings.CutPrefix(group, is); !ok {
		inner, not = strings.CutPrefix(group, isNot)
	}
	return strings.TrimSuffix(inner, ")"), not, ok || not
}

type span struct{ from, to int }

// outermost are the groups of a pattern that stand in no other, and whether it has
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
