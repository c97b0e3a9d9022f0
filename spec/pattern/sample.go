package pattern

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxText is the maximum length of a text that is made, in characters.
const MaxText = 132_000

// Sampler makes texts for a pattern. Nearly all of them match, unless the pattern has lookaheads or
// lookbehinds.
type Sampler struct{ parsed *syntax.Regexp }

// NewSampler reads a pattern as the document writes it. It returns nil if the pattern cannot be
// read, or is so large that each match is slow.
func NewSampler(pattern string) *Sampler {
	const largest = 5000
	rest, _ := assertions(pattern)
	parsed, err := syntax.Parse(rest, syntax.Perl)
	if err != nil || sizeOf(parsed) > largest {
		return nil
	}
	return &Sampler{parsed}
}

// sizeOf estimates how many states a pattern has at once. A repeated character adds few, even for a
// high count.
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

const (
	endless  = 1 << 12 // number of choices for a number of repetitions
	maxExtra = 1 << 11
)

// Text returns a text for the pattern. choose returns any number from 0 to n-1, where 0 is the
// simplest choice. A text that becomes much longer than least is cut off.
func (s *Sampler) Text(least int, choose func(n int) int) string {
	const usual = 1000
	g := &speller{choose: choose, most: min(max(usual, 4*least), MaxText)}
	g.spell(s.parsed)
	return g.String()
}

// Texts returns the simplest text, and the shortest with at least a length. Another salt makes
// other texts. s may be nil.
func (s *Sampler) Texts(least, salt int) (texts []string) {
	if s == nil {
		return nil
	}
	for extra := 0; extra <= maxExtra; extra = max(extra+1, extra*5/4) {
		rest := salt
		text := s.Text(least, func(n int) int {
			if n == endless { // a number of repetitions
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

// Longest returns a text in which each part with a limited number of repetitions is repeated as
// often as the pattern allows. It returns "" if s is nil.
func (s *Sampler) Longest() string {
	if s == nil {
		return ""
	}
	g := &speller{choose: func(int) int { return 0 }, most: MaxText, longest: true}
	g.spell(s.parsed)
	return g.String()
}

// Listed returns all texts that a pattern matches, such as asc and desc for ^(asc|desc)$. It returns
// nil if these are many, or if the pattern also matches longer texts.
func Listed(pattern string) []string {
	s := NewSampler(pattern)
	if _, alternatives := outermost(pattern); s == nil || alternatives || !strings.HasPrefix(pattern, "^") || !strings.HasSuffix(pattern, "$") {
		return nil
	}
	return listed(s.parsed)
}

func listed(re *syntax.Regexp) (texts []string) {
	const most = 40
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpBeginText, syntax.OpEndText, syntax.OpEmptyMatch:
		return []string{""}
	case syntax.OpCapture:
		return listed(re.Sub[0])
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1] && len(texts) <= most; r++ {
				texts = append(texts, string(r))
			}
		}
	case syntax.OpQuest, syntax.OpAlternate:
		for _, sub := range re.Sub {
			some := listed(sub)
			if some == nil {
				return nil
			}
			texts = append(texts, some...)
		}
		if re.Op == syntax.OpQuest {
			texts = append(texts, "")
		}
	case syntax.OpConcat:
		texts = []string{""}
		for _, sub := range re.Sub {
			var longer []string
			for _, end := range listed(sub) {
				for _, start := range texts {
					longer = append(longer, start+end)
				}
			}
			texts = longer[:min(len(longer), most+1)]
		}
	}
	if len(texts) > most {
		return nil
	}
	return texts
}

type speller struct {
	strings.Builder
	choose func(int) int
	most   int // length in bytes after which no part is added

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
	default: // matches no characters
	}
}

func (g *speller) repeat(re *syntax.Regexp, least, most int) {
	n := least
	switch {
	case !g.longest:
		n += g.choose(endless)
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

// member returns a character of a class: a letter or a digit, if it has one. ranges are pairs of
// first and last characters.
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
