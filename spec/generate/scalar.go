package generate

import (
	"cmp"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/pattern"
)

// scalar makes a value of a type that holds no other values.
func (m *maker) scalar(one *made, name string, examples []any) bool {
	var candidates []any
	switch name {
	case "null":
		candidates = []any{nil}
	case "boolean":
		candidates = m.rotated(one.path, append(ofType[bool](examples), false, true))
	case "string":
		candidates = m.texts(one, examples)
	default:
		candidates = m.numbers(one, name == "integer", examples)
	}
	return m.first(one, candidates) != nil
}

func ofType[T any](values []any) []any {
	return lists.Filter(values, func(value any) bool {
		_, is := value.(T)
		return is
	})
}

// numbers returns candidates for a number: a drawn number, examples, and the number nearest to 1.
func (m *maker) numbers(one *made, integer bool, examples []any) []any {
	var candidates, given []any
	if m.salt == 0 || m.keepsExamples {
		given = ofType[json.Number](examples)
	}
	allowed := one.view.numbers(integer)
	simplest := allowed.nearest(big.NewRat(int64(1+m.salt), 1))
	if simplest == nil {
		return given
	}
	add := func(x *big.Rat) {
		if number, ok := literal(x); ok {
			candidates = append(candidates, number)
		}
	}
	if target := m.target(one.path, allowed, integer); target != nil {
		if x := allowed.nearest(target); x != nil {
			add(x)
		}
	}
	candidates = append(candidates, given...)
	add(simplest)
	if m.careful { // others, in case that one is forbidden
		around := func(distance *big.Rat) {
			add(new(big.Rat).Add(simplest, distance))
			add(new(big.Rat).Sub(simplest, distance))
		}
		further := cmp.Or(allowed.step, big.NewRat(1, 1))
		for range 12 {
			around(further)
			further = new(big.Rat).Add(further, further)
		}
		around(big.NewRat(1, 2))
	}
	return candidates
}

// target draws a number: up from 0 or from the lower bound, or down from 0 or from the upper bound.
// It returns nil for the simplest number.
func (m *maker) target(path []string, allowed numbers, integer bool) *big.Rat {
	detail := func(n int) int { return m.choose(choice{kind: "detail", path: path, n: n}) }
	start, end, sign := allowed.low.at, allowed.high.at, int64(1)
	down := m.choose(choice{kind: "value", path: path, n: 2}) == 1
	if down {
		start, end, sign = end, start, -1
	}
	from := new(big.Rat)
	if start != nil && start.Cmp(big.NewRat(sign, 1)) == int(sign) {
		from.Set(start)
	}
	distance := int64(detail(distanceTo(from, end)))
	if distance == 0 && !down {
		return nil
	}
	x := from.Add(from, big.NewRat(sign*distance, 1))
	if !integer {
		const parts = 16 // a double holds sixteenths exactly
		x.Add(x, big.NewRat(int64(detail(parts)), parts))
	}
	return x
}

// distanceTo returns the number of integers from a number to an end, which may be nil.
func distanceTo(from, end *big.Rat) int {
	if end == nil {
		return math.MaxInt
	}
	d := new(big.Rat).Sub(end, from)
	n := new(big.Int).Quo(d.Abs(d).Num(), d.Denom())
	if !n.IsInt64() || n.Int64() == math.MaxInt64 {
		return math.MaxInt
	}
	return int(n.Int64()) + 1
}

// texts returns candidates for a string, the best first.
func (m *maker) texts(one *made, examples []any) (candidates []any) {
	v := one.view
	least, _ := v.atLeast(minLength)
	most, _ := v.atMost(maxLength)
	name := nameOf(one.path)
	add := func(text string) { candidates = append(candidates, text) }
	if m.salt == 0 || m.keepsExamples {
		for _, example := range ofType[string](examples) {
			if text, ok := example.(string); ok && len(one.path) > 0 && isProse(name) && !strings.HasPrefix(text, "conformance") {
				candidates = append(candidates, marked(name, text)) // so that an operator can find it
			}
			candidates = append(candidates, example)
		}
	}
	candidates = append(candidates, m.spelled(v)...)
	formats := m.formats(v)
	for _, format := range formats {
		if example := sampleOf(format, m.salt); example != "" {
			add(example)
			add(longOf(format, least, m.salt))
			add(fit(shortOf(format), least, most))
		}
	}
	samplers, looksAhead := v.samplers()
	if least > min(most, pattern.MaxText) || slices.Contains(samplers, nil) {
		return candidates
	}
	candidates = append(candidates, knownOf(name, m.salt)...)
	for _, text := range plain(name, m.salt) {
		add(fit(text, least, most))
	}
	if looksAhead {
		add(fit(Password+"conformance", least, most))
	}
	candidates = append(candidates, m.matched(samplers, least, most)...)
	const kinds = 3 // the first candidate, one that is drawn letter by letter, another candidate
	kind, free := 1, m.letters && len(samplers)+len(formats) == 0
	if !free || len(examples) > 0 {
		kind = m.choose(choice{kind: "value", path: one.path, n: kinds})
	}
	if free && len(examples) > 0 {
		kind = (kind + 1) % kinds
	}
	switch kind {
	case 1:
		return append([]any{m.spell(one.path, samplers, least, most)}, candidates...)
	case 2:
		return m.rotated(one.path, candidates)
	}
	return candidates
}

// spelled returns the text of a number for each alternative of the text that is a number. A service
// that takes a price as 1 or "1" may reject other texts, even if the contract has no pattern for them.
func (m *maker) spelled(v *view) (texts []any) {
	for _, f := range v.forks {
		for _, b := range f.branches {
			other := m.newView(b.schemas, firstBranch)
			types := other.types()
			if len(types) == 0 || types[0] != "number" && types[0] != "integer" {
				continue
			}
			if x := other.numbers(types[0] == "integer").nearest(big.NewRat(int64(1+m.salt), 1)); x != nil {
				number, _ := literal(x)
				texts = append(texts, number.String())
			}
		}
	}
	return texts
}

// matched returns texts that one of the patterns matches. If such a text looks like a format, it
// adds a text of that format.
func (m *maker) matched(samplers []*pattern.Sampler, least, most int) (texts []any) {
	for _, s := range samplers {
		others := lists.Filter(samplers, func(other *pattern.Sampler) bool { return other != s })
		for _, text := range s.Texts(least, m.salt) {
			if format := likeness(text); format != "" {
				texts = append(texts, longOf(format, least, m.salt))
			}
			texts = append(append(texts, continued(text, least, others)...), text, fit(text, least, most))
		}
	}
	return texts
}

// continued returns a text of one pattern, extended by the rest of a text of another. A pattern may
// only say how a text begins.
func continued(text string, least int, others []*pattern.Sampler) (texts []any) {
	for _, other := range others {
		whole := other.Text(least, func(int) int { return 0 })
		if len(whole) > len(text) && utf8.ValidString(whole[len(text):]) {
			texts = append(texts, text+whole[len(text):])
		}
	}
	return texts
}

// alphabet holds the characters of texts, the plainest first: ASCII, Latin-1, others of the Basic
// Multilingual Plane, characters beyond it, a combining mark, and characters that some readers
// strip or stop at.
const alphabet = "abcxyzABZ019 -_.,:;/'\"\\<>&%${}[]#+*?!@\t\n" + "éßÿ\u00a0" + "łЖא漢€\u2028\ufeff" + "😀𝒳𠀀" + "\u0301" + "\x7f\x00"

// spell draws a text from a pattern, or letter by letter. The number of choices does not depend on
// the length, so that a text can be cut without a change to what follows it.
func (m *maker) spell(path []string, samplers []*pattern.Sampler, least, most int) string {
	const mostRepeated = 8
	detail := func(n int) int { return m.choose(choice{kind: "detail", path: path, n: n}) }
	if len(samplers) > 0 {
		return samplers[0].Text(least, func(n int) int { return detail(min(n, mostRepeated)) })
	}
	const longer, chosen = 1024, 5
	letters := []rune(alphabet)
	text := []rune(strings.Repeat("a", least+detail(max(0, min(most-least, longer))+1))) // limits may contradict each other
	for i := range chosen {
		if letter := letters[detail(len(letters))]; i < len(text) {
			text[i] = letter
		}
	}
	return string(text)
}

// samplers returns a sampler for each pattern, which is nil if the pattern cannot be read.
// looksAhead reports whether one of the patterns has a lookahead.
func (v *view) samplers() (all []*pattern.Sampler, looksAhead bool) {
	for _, s := range v.parts {
		if s.Pattern != nil {
			all = append(all, pattern.NewSampler(s.Pattern.String()))
			looksAhead = looksAhead || strings.Contains(s.Pattern.String(), "(?=")
		}
	}
	return all, looksAhead
}

// formats returns the formats of a text, and the encoding and media type of its content. Encoding
// and media type limit nothing, but a service that reads the content may reject others.
func (s *subject) formats(v *view) (formats []string) {
	for _, part := range v.parts {
		for _, keyword := range []string{"format", "contentEncoding", "contentMediaType"} {
			format := s.source(part).Get(keyword).Text()
			if format != "" && (keyword == "format" || sampleOf(format, 0) != "") && !slices.Contains(formats, format) {
				formats = append(formats, format)
			}
		}
	}
	return formats
}

// nameOf returns the name of the property that holds a value, or holds the list with the value.
func nameOf(path []string) string {
	for _, step := range slices.Backward(path) {
		if _, err := strconv.Atoi(step); err != nil {
			return step
		}
	}
	return "text"
}
