package generate

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// scalar makes a value of one of the types that hold no other values.
func (m *maker) scalar(one *made, name string, examples []any) bool {
	var candidates []any
	switch name {
	case "null":
		candidates = []any{nil}
	case "boolean":
		candidates = m.rotated(append(ofType[bool](examples), false, true))
	case "string":
		candidates = m.texts(one, examples)
	default:
		candidates = m.numbers(one.view, name == "integer", examples)
	}
	return m.first(one, candidates) != nil
}

func ofType[T any](values []any) (those []any) {
	for _, value := range values {
		if _, ok := value.(T); ok {
			those = append(those, value)
		}
	}
	return those
}

// numbers are candidates for a number: an example, the number nearest to 1, or one
// that is drawn.
func (m *maker) numbers(v *view, integer bool, examples []any) []any {
	var candidates []any
	if m.salt == 0 {
		candidates = ofType[json.Number](examples)
	}
	allowed := v.numbers(integer)
	simplest := allowed.nearest(big.NewRat(int64(1+m.salt), 1))
	if simplest == nil {
		return candidates
	}
	if number, ok := literal(simplest); ok {
		candidates = append(candidates, number)
	}
	if m.careful { // others, if that one is ruled out
		further := big.NewRat(1, 1)
		if allowed.step != nil {
			further.Set(allowed.step)
		}
		distances := []*big.Rat{}
		for range 12 {
			distances = append(distances, new(big.Rat).Set(further), new(big.Rat).Neg(further))
			further.Add(further, further)
		}
		for _, distance := range append(distances, big.NewRat(1, 2), big.NewRat(-1, 2)) {
			if number, ok := literal(distance.Add(distance, simplest)); ok {
				candidates = append(candidates, number)
			}
		}
	}
	const kinds = 5 // the simplest, two bounds, drawn, drawn with a fraction
	target := new(big.Rat).Set(simplest)
	switch m.choose(choice{kind: "value", n: kinds}) {
	case 1:
		if allowed.low.at != nil {
			target.Set(allowed.low.at)
		}
	case 2:
		if allowed.high.at != nil {
			target.Set(allowed.high.at)
		}
	case 3:
		target.Add(target, big.NewRat(m.distance(), 1))
	case 4:
		target.Sub(target, big.NewRat(m.distance(), 1))
		if !integer {
			const parts = 16 // which a double holds exactly
			target.Add(target, big.NewRat(int64(m.choose(choice{kind: "detail", n: parts})), parts))
		}
	default:
		return candidates
	}
	if x := allowed.nearest(target); x != nil {
		if number, ok := literal(x); ok {
			candidates = append([]any{number}, candidates...)
		}
	}
	return candidates
}

// distance is a number of which small ones are as likely as large ones.
func (m *maker) distance() int64 {
	const bits = 31
	size := m.choose(choice{kind: "detail", n: bits}) + 1
	return int64(m.choose(choice{kind: "detail", n: 1 << size}))
}

// texts are candidates for a string, the best first.
func (m *maker) texts(one *made, examples []any) []any {
	v := one.view
	least, _ := v.atLeast(minLength)
	most, _ := v.atMost(maxLength)
	name := nameOf(one.path)
	var candidates []any
	add := func(text string) { candidates = append(candidates, text) }
	if m.salt == 0 {
		for _, example := range ofType[string](examples) {
			if text, ok := example.(string); ok && len(one.path) > 0 && isProse(name) && !strings.HasPrefix(text, marker) {
				candidates = append(candidates, marker+text) // an operator can find it by this
			}
			candidates = append(candidates, example)
		}
	}
	for _, format := range m.formats(v) {
		if example := sampleOf(format); example != nil {
			add(example(m.salt))
			add(fit(shortOf(format), least, most))
		}
	}
	patterns := v.stringPatterns()
	if least > min(most, maxText) || slices.ContainsFunc(patterns, func(s *jsonschema.Schema) bool { return parse(s.Pattern.String()) == nil }) {
		return candidates
	}
	for _, text := range plain(name, m.salt) {
		add(fit(text, least, most))
	}
	for _, s := range patterns {
		for _, text := range samples(s.Pattern.String(), least, m.salt) {
			add(text)
			add(fit(text, least, most))
		}
	}
	const kinds = 4 // a candidate, another candidate, a short one, one drawn by letter
	switch m.choose(choice{kind: "value", path: one.path, n: kinds}) {
	case 1:
		return m.rotated(candidates)
	case 2:
		return append([]any{fit("", least, most)}, candidates...)
	case 3:
		return append([]any{m.spell(patterns, least, most)}, candidates...)
	}
	return candidates
}

// spell draws a text: of a pattern, or letter by letter.
func (m *maker) spell(patterns []*jsonschema.Schema, least, most int) string {
	const mostRepeated = 8
	detail := func(n int) int { return m.choose(choice{kind: "detail", n: n}) }
	if len(patterns) > 0 {
		return sample(parse(patterns[0].Pattern.String()), least, func(n int) int { return detail(min(n, mostRepeated)) })
	}
	const longer = 40
	letters := []rune("abcdefghijklmnopqrstuvwxyz 0123456789ABCXYZ-_.,:/'\"\\<>&%äßé漢😀")
	text := make([]rune, least+detail(max(0, min(most-least, longer))+1)) // limits may contradict each other
	for i := range text {
		text[i] = letters[detail(len(letters))]
	}
	return string(text)
}

func (v *view) stringPatterns() (with []*jsonschema.Schema) {
	for _, s := range v.parts {
		if s.Pattern != nil {
			with = append(with, s)
		}
	}
	return with
}

// formats are those that the document names, also if they are not asserted.
func (m *maker) formats(v *view) (formats []string) {
	for _, s := range v.parts {
		if format := m.source(s).Get("format").Text(); format != "" && !slices.Contains(formats, format) {
			formats = append(formats, format)
		}
	}
	return formats
}

// nameOf is the name of the property that a value, or the list with it, belongs to.
func nameOf(path []string) string {
	for _, step := range slices.Backward(path) {
		if _, err := strconv.Atoi(step); err != nil {
			return step
		}
	}
	return "text"
}
