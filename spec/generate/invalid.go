package generate

import (
	"encoding/json"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// Invalid gives values that the compiled schema refuses, the most telling first: see
// the package's documentation for their kinds. Each differs from its twin, which is
// one of the values of [Valid], in its path alone. There are none where [Valid]
// gives none.
func Invalid(s *schema.Schema, d schema.Direction) iter.Seq[Case] {
	return func(yield func(Case) bool) {
		c := newCaser(s, d, yield)
		if c == nil {
			return
		}
		var all []*series
		for _, changes := range []func(*made) []change{
			c.missing, c.mistyped, c.nulled, c.unlisted, c.outOfRange, c.offStep, c.wrongLength,
			c.unmatched, c.misformed, c.closed, c.miscounted, c.repeated, c.dependent, c.misnamed, c.twice, c.forbidden,
		} {
			for b := range c.bases() {
				for _, place := range b.places {
					for _, one := range seriesOf(b, changes(place)) {
						if !c.giveNext(one) {
							return
						}
						all = append(all, one)
					}
				}
			}
		}
		for len(all) > 0 {
			all = slices.DeleteFunc(all, func(one *series) bool { return len(one.changes) == 0 })
			for _, one := range all {
				if !c.giveNext(one) {
					return
				}
			}
		}
	}
}

// series are the changes of one kind at one place, the most telling first. The first
// of each series is given before the second of any.
type series struct {
	base
	changes []change
}

func seriesOf(b base, changes []change) (all []*series) {
	for _, ch := range changes {
		i := slices.IndexFunc(all, func(one *series) bool {
			return one.changes[0].kind == ch.kind && slices.Equal(one.changes[0].path, ch.path)
		})
		if i < 0 {
			i, all = len(all), append(all, &series{base: b})
		}
		all[i].changes = append(all[i].changes, ch)
	}
	return all
}

// giveNext yields the next case of a series that is proven, and reports whether to
// go on.
func (c *caser) giveNext(one *series) bool {
	for len(one.changes) > 0 {
		ch := one.changes[0]
		one.changes = one.changes[1:]
		if goOn, given := c.give(one.base, ch, false); given || !goOn {
			return goOn
		}
	}
	return true
}

// missing leaves out each property that is required.
func (c *caser) missing(p *made) (changes []change) {
	object, _ := p.value.(map[string]any)
	for _, name := range sortedKeys(object) {
		for _, s := range p.view.parts {
			if slices.Contains(s.Required, name) {
				path := below(p.path, name)
				changes = append(changes, change{kind: "required", path: path, remove: true, by: s, keyword: "required", says: placeName(path) + " is missing"})
				break
			}
		}
	}
	return changes
}

// mistyped gives values of other types: look-alikes first, which lenient readers
// take for the right type.
func (c *caser) mistyped(p *made) (changes []change) {
	by, keyword := typeKeyword(p)
	add := func(variant string, value any, words string) {
		changes = append(changes, change{
			kind: "type", path: p.path, variant: variant, value: value, by: by, keyword: keyword,
			says: fmt.Sprintf("%s is %s, %s", placeName(p.path), shown(value), words),
		})
	}
	const word = "conformance"
	switch value := p.value.(type) {
	case string:
		if instance.IsNumber(value) {
			add("number", json.Number(value), "a number instead of a text")
		} else {
			add("number", json.Number("7"), "a number instead of a text")
		}
		add("boolean", true, "a boolean instead of a text")
		add("in-list", []any{value}, "a list instead of a text")
		add("object", map[string]any{}, "an object instead of a text")
	case json.Number:
		add("string", value.String(), "a text instead of a number")
		if x, ok := instance.Rational(value); ok && x.IsInt() {
			if fraction, ok := literal(x.Add(x, big.NewRat(1, 2))); ok {
				add("fraction", fraction, "not an integer")
			}
		}
		add("boolean", true, "a boolean instead of a number")
		add("word", word, "a text instead of a number")
		add("in-list", []any{value}, "a list instead of a number")
		add("object", map[string]any{}, "an object instead of a number")
	case bool:
		add("string", fmt.Sprint(value), "a text instead of a boolean")
		add("number", json.Number("1"), "a number instead of a boolean")
		add("word", word, "a text instead of a boolean")
		add("in-list", []any{value}, "a list instead of a boolean")
		add("object", map[string]any{}, "an object instead of a boolean")
	case []any:
		if len(value) > 0 {
			add("item", value[0], "its item instead of a list")
		}
		add("object", map[string]any{}, "an object instead of a list")
		add("string", word, "a text instead of a list")
		add("number", json.Number("7"), "a number instead of a list")
		add("boolean", true, "a boolean instead of a list")
	case map[string]any:
		add("string", word, "a text instead of an object")
		add("in-list", []any{value}, "a list instead of an object")
		add("array", []any{}, "a list instead of an object")
		add("number", json.Number("7"), "a number instead of an object")
		add("boolean", true, "a boolean instead of an object")
	}
	return changes
}

func (c *caser) nulled(p *made) []change {
	if p.value == nil {
		return nil
	}
	by, keyword := typeKeyword(p)
	return []change{{kind: "null", path: p.path, by: by, keyword: keyword, says: placeName(p.path) + " is null"}}
}

// typeKeyword is the keyword that limits the types of a place.
func typeKeyword(p *made) (by *jsonschema.Schema, keyword string) {
	for _, s := range p.view.parts {
		switch {
		case s.Types != nil:
			return s, "type"
		case s.Const != nil:
			by, keyword = s, "const"
		case s.Enum != nil:
			by, keyword = s, "enum"
		}
	}
	if by == nil && len(p.view.forks) > 0 {
		by, keyword = p.view.forks[0].of, p.view.forks[0].keyword
	}
	return by, keyword
}

// unlisted gives a value of the right type that is not in an enum or is not the
// constant.
func (c *caser) unlisted(p *made) (changes []change) {
	for _, s := range p.view.parts {
		kind := "enum"
		switch {
		case s.Const != nil:
			kind = "const"
		case s.Enum == nil:
			continue
		}
		list := synthetic()
		list.Enum, list.Const = s.Enum, s.Const
		further := synthetic()
		further.Not = list
		further.Types = new(jsonschema.Types)
		further.Types.Add(jsonType(p.value))
		value, ok := c.remade(p, func(s *jsonschema.Schema) { s.Enum, s.Const = nil, nil }, further)
		if !ok {
			continue
		}
		says := fmt.Sprintf("%s is %s, which is not in the list of allowed values", placeName(p.path), shown(value))
		if kind == "const" {
			says = fmt.Sprintf("%s is %s, not the only allowed value %s", placeName(p.path), shown(value), shown(*s.Const))
		}
		changes = append(changes, change{kind: kind, path: p.path, variant: "other", value: value, by: s, keyword: kind, says: says})
	}
	return changes
}

// unmatched gives texts that a pattern does not match: of other characters, and with
// one more before, after, or on a line of its own, which a reader that forgets to
// anchor the pattern would take.
func (c *caser) unmatched(p *made) (changes []change) {
	text, ok := p.value.(string)
	if !ok {
		return nil
	}
	for _, s := range p.view.stringPatterns() {
		add := func(variant, text string) bool {
			if s.Pattern.MatchString(text) || !c.otherwiseValid(p, text, func(s *jsonschema.Schema) { s.Pattern = nil }) {
				return false
			}
			changes = append(changes, change{
				kind: "pattern", path: p.path, variant: variant, value: text, by: s, keyword: "pattern",
				says: fmt.Sprintf("%s is %s, which does not match the pattern %s", placeName(p.path), shown(text), s.Pattern),
			})
			return true
		}
		runes := []rune(text)
		for _, odd := range []string{"!", " ", "é", "~", "a", "0"} {
			if add("other", strings.Repeat(odd, max(1, len(runes)))) {
				break
			}
		}
		for _, odd := range []string{"!", " ", "é", "0", "a"} {
			if add("after", text+odd) || len(runes) > 0 && add("after", string(runes[:len(runes)-1])+odd) {
				break
			}
		}
		for _, odd := range []string{"!", " ", "é", "0", "a"} {
			if add("before", odd+text) || len(runes) > 0 && add("before", odd+string(runes[1:])) {
				break
			}
		}
		_ = add("newline", text+"\n") || len(runes) > 0 && add("newline", string(runes[:len(runes)-1])+"\n")
		_ = add("empty", "")
		if len(changes) == 0 { // none is otherwise valid
			changes = append(changes, change{
				kind: "pattern", path: p.path, variant: "other", value: "!", by: s, keyword: "pattern",
				says: fmt.Sprintf("%s is \"!\", which does not match the pattern %s", placeName(p.path), s.Pattern),
			})
		}
	}
	return changes
}

// otherwiseValid says whether a value meets the schemas of a place without some
// keywords.
func (c *caser) otherwiseValid(p *made, value any, without func(*jsonschema.Schema)) bool {
	return !slices.ContainsFunc(p.view.parts, func(part *jsonschema.Schema) bool {
		if part.Bool != nil {
			return !*part.Bool
		}
		s := *part
		s.Ref, s.DynamicRef, s.RecursiveRef, s.AllOf, s.AnyOf, s.OneOf, s.If = nil, nil, nil, nil, nil, nil, nil
		without(&s)
		return s.Validate(value) != nil
	})
}

// misformed gives texts that are not of a format.
func (c *caser) misformed(p *made) (changes []change) {
	if _, ok := p.value.(string); !ok {
		return nil
	}
	for _, s := range p.view.parts {
		if s.Format == nil {
			continue
		}
		for _, text := range append(misshapen(s.Format.Name), "conformance, not "+s.Format.Name) {
			changes = append(changes, change{
				kind: "format", path: p.path, variant: variantOf(text, nil), value: text, by: s, keyword: "format",
				says: fmt.Sprintf("%s is %s, not of the format %s", placeName(p.path), shown(text), s.Format.Name),
			})
		}
	}
	return changes
}

// forbidden gives a value of the schema that must not be met.
func (c *caser) forbidden(p *made) (changes []change) {
	for _, s := range p.view.parts {
		if s.Not == nil {
			continue
		}
		if value, ok := c.remade(p, func(s *jsonschema.Schema) { s.Not = nil }, s.Not); ok {
			changes = append(changes, change{
				kind: "not", path: p.path, value: value, by: s, keyword: "not",
				says: fmt.Sprintf("%s is %s, which the schema rules out by not", placeName(p.path), shown(value)),
			})
		}
	}
	return changes
}
