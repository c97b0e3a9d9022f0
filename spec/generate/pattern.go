package generate

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/spec/schema"
)

// samples are texts of a pattern: the simplest, and the shortest of at least a
// length. Nearly all of them match it. Salt makes other ones.
func samples(pattern string, least, salt int) (texts []string) {
	parsed := parse(pattern)
	if parsed == nil {
		return nil
	}
	for extra := 0; extra <= maxExtra; extra = max(extra+1, extra*5/4) {
		rest := salt
		text := sample(parsed, least, func(n int) int {
			if n == maxRepeat { // a number of repetitions
				return extra
			}
			one := rest % n
			rest /= n
			return one
		})
		longEnough := utf8.RuneCountInString(text) >= least
		if (extra == 0 || longEnough) && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		if extra > 0 && (longEnough || text == texts[0]) {
			break
		}
	}
	return texts
}

// longest is a text of a pattern in which each part with a limited number of repetitions
// is repeated as often as the pattern states.
func longest(parsed *syntax.Regexp) string {
	g := &speller{choose: func(int) int { return 0 }, most: maxText, longest: true}
	g.spell(parsed)
	return g.String()
}

const (
	maxRepeat = 1 << 12 // of a part that may be repeated without end
	maxExtra  = 1 << 11
)

// parse reads a pattern; nil if it cannot be read, or if it is so large that each
// match takes long.
func parse(pattern string) *syntax.Regexp {
	const largest = 5000
	parsed, err := syntax.Parse(schema.GoPattern(pattern), syntax.Perl)
	if err != nil || sizeOf(parsed) > largest {
		return nil
	}
	return parsed
}

// sizeOf is about how many states a pattern has at once. A character that may be
// repeated adds few, however often.
func sizeOf(re *syntax.Regexp) int {
	size := 1
	if re.Op == syntax.OpLiteral {
		size = len(re.Rune)
	}
	for _, sub := range re.Sub {
		size += sizeOf(sub)
	}
	if re.Op == syntax.OpRepeat && len(re.Sub[0].Sub) > 0 {
		size *= max(1, re.Min, re.Max)
	}
	return size
}

// sample makes a text of a pattern. choose answers with any number from 0; it gets
// maxRepeat where it is asked how often to repeat. A text that gets much longer than
// least is cut off.
func sample(parsed *syntax.Regexp, least int, choose func(n int) int) string {
	const usual = 1000
	g := &speller{choose: choose, most: min(max(usual, 4*least), maxText)}
	g.spell(parsed)
	return g.String()
}

type speller struct {
	strings.Builder
	choose func(int) int
	most   int // bytes, after which no part is begun

	longest bool
}

func (g *speller) spell(re *syntax.Regexp) {
	if g.Len() > g.most {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		g.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		g.WriteRune(g.member(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		g.WriteByte('a')
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			g.spell(sub)
		}
	case syntax.OpAlternate:
		g.spell(re.Sub[g.choose(len(re.Sub))%len(re.Sub)])
	case syntax.OpStar:
		g.repeat(re.Sub[0], 0, -1)
	case syntax.OpPlus:
		g.repeat(re.Sub[0], 1, -1)
	case syntax.OpQuest:
		g.repeat(re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		g.repeat(re.Sub[0], re.Min, re.Max)
	default: // what matches no characters
	}
}

func (g *speller) repeat(re *syntax.Regexp, least, most int) {
	n := least
	switch {
	case !g.longest:
		n += g.choose(maxRepeat)
		if most >= 0 {
			n = min(n, most)
		}
	case most >= 0:
		n = most
	}
	for range n {
		g.spell(re)
	}
}

// member is a character of a class: a letter or a digit, if it has one. Ranges are
// pairs of first and last characters.
func (g *speller) member(ranges []rune) rune {
	var best []rune
	for _, usual := range []string{"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "123456789", "0", "-_ .,:;!?/()[]{}<>@#$%&*+=|~^'`\"\\"} {
		for _, r := range usual {
			for i := 0; i+1 < len(ranges); i += 2 {
				if ranges[i] <= r && r <= ranges[i+1] {
					best = append(best, r)
				}
			}
		}
		if len(best) > 0 {
			return best[g.choose(len(best))%len(best)]
		}
	}
	if len(ranges) == 0 {
		return 'a' // nothing matches
	}
	return ranges[0]
}
