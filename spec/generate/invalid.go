package generate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
)

// Invalid gives values that the compiled schema rejects, the most significant first. See the
// package documentation for their kinds. Each differs from its twin only at its path. The twin is
// one of the values of [Valid] with the same apart. There are none if [Valid] gives none.
func Invalid(s *schema.Schema, d schema.Direction, apart ...[]string) iter.Seq[Case] {
	return cases(s, d, apart, func(c *caser) {
		all, goOn := c.firsts()
		for goOn && len(all) > 0 {
			goOn = !slices.ContainsFunc(all, func(one *series) bool { return !c.giveNext(one) })
			all = slices.DeleteFunc(all, func(one *series) bool { return len(one.changes) == 0 })
		}
	})
}

// faults returns the ways to break a value at a place, the most significant first.
func (c *caser) faults() []func(*made) []Case {
	return []func(*made) []Case{
		c.missing, c.mistyped, c.nulled, inParts(c.unlisted), c.narrowed, c.outOfRange, inParts(c.offStep), c.miscounted,
		inParts(c.unmatched), inParts(c.misformed), c.closed, inParts(c.uncontained), inParts(c.repeated), inParts(c.dependent),
		inParts(c.misnamed), c.unchosen, c.twice, inParts(c.forbidden),
	}
}

// inParts returns a function that collects the changes for each schema of a place.
func inParts(changesBy func(*made, *jsonschema.Schema) []Case) func(*made) []Case {
	return func(p *made) []Case {
		return slices.Concat(lists.Map(p.view.parts, func(s *jsonschema.Schema) []Case { return changesBy(p, s) })...)
	}
}

// firsts gives the first case of each series, kind by kind, and reports whether to
// go on.
func (c *caser) firsts() (all []*series, goOn bool) {
	for _, changes := range c.faults() {
		for _, b := range c.bases() {
			for _, place := range b.places {
				for _, one := range seriesOf(b, changes(place)) {
					if !c.giveNext(one) {
						return nil, false
					}
					all = append(all, one)
				}
			}
		}
	}
	return all, true
}

// A series holds the changes of one kind at one place, the most significant first. The first change
// of each series is given before the second of any.
type series struct {
	base
	changes []Case
}

func seriesOf(b base, changes []Case) []*series {
	groups := lists.Groups(changes, func(ch Case) string { return ch.Kind + instance.Pointer(ch.Path) })
	return lists.Map(groups, func(g lists.Group[string, Case]) *series { return &series{b, g.Items} })
}

// giveNext yields the next case of a series that is proven invalid, and reports whether to go on.
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

// change returns a case at the place of a value. says is a predicate of the place, as a format for
// args.
func (m *made) change(kind string, value any, says string, args ...any) Case {
	return Case{Kind: kind, Path: m.path, Value: value, Says: placeName(m.path) + " " + fmt.Sprintf(says, args...)}
}

// as returns the case with a variant, which distinguishes it from others of its kind and place.
func (c Case) as(variant string) Case {
	c.Variant = variant
	return c
}

// at returns the place of a property, for [made.change].
func (m *made) at(name string) *made { return &made{path: instance.Below(m.path, name)} }

// missing leaves out each required property.
func (c *caser) missing(p *made) (changes []Case) {
	object, _ := p.value.(map[string]any)
	for _, name := range sortedKeys(object) {
		if slices.ContainsFunc(p.view.parts, func(s *jsonschema.Schema) bool { return slices.Contains(s.Required, name) }) {
			changes = append(changes, p.at(name).change("required", absent, "is missing"))
		}
	}
	return changes
}

// mistyped gives values of other types. It begins with look-alikes, which lenient readers accept.
func (c *caser) mistyped(p *made) (changes []Case) {
	words := func(value any) string { return schema.DescribeType(instance.TypeOf(value)) }
	add := func(variant string, value any) {
		ch := p.change("type", value, "is %s, %s instead of %s", shown(value), words(value), words(p.value))
		if variant == "fraction" {
			ch.Says = fmt.Sprintf("%s is %s, not an integer", placeName(p.path), shown(value))
		}
		changes = append(changes, ch.as(variant))
	}
	const word, number = "conformance", json.Number("7")
	usual := func(variants ...string) {
		for _, variant := range variants {
			add(variant, map[string]any{
				"string": word, "word": word, "number": number, "boolean": true, "object": map[string]any{}, "array": []any{}, "in-list": []any{p.value},
			}[variant])
		}
	}
	switch value := p.value.(type) {
	case string:
		if instance.IsNumber(value) {
			add("number", json.Number(value))
		}
		usual("number", "boolean", "in-list", "object")
	case json.Number:
		add("string", value.String())
		if x, ok := instance.Rational(value); ok && x.IsInt() && p.isInteger() {
			if fraction, ok := p.fraction(x); ok {
				add("fraction", fraction)
			}
		}
		usual("boolean", "word", "in-list", "object")
	case bool:
		add("string", strconv.FormatBool(value))
		add("number", json.Number("1"))
		usual("word", "in-list", "object")
	case []any:
		if len(value) > 0 {
			add("item", value[0])
		}
		usual("object", "string", "number", "boolean")
	case map[string]any:
		usual("string", "in-list", "array", "number", "boolean")
	}
	return changes
}

// fraction gives a number halfway to the next integer, or to the one before if a bound forbids the
// next. A number beyond a bound does not test the type, because the bound rejects it.
func (m *made) fraction(x *big.Rat) (json.Number, bool) {
	half := big.NewRat(1, 2)
	above, ok := literal(new(big.Rat).Add(x, half))
	below, isBelow := literal(new(big.Rat).Sub(x, half))
	untyped := func(s *jsonschema.Schema) { s.Types, s.Format, s.MultipleOf = nil, nil, nil }
	if isBelow && !m.otherwiseValid(above, untyped) && m.otherwiseValid(below, untyped) {
		return below, true
	}
	return above, ok
}

func (c *caser) nulled(p *made) []Case {
	if p.value == nil {
		return nil
	}
	return []Case{p.change("null", nil, "is null")}
}

// unlisted gives a value of the right type that is not in an enum or is not the
// constant.
func (c *caser) unlisted(p *made, s *jsonschema.Schema) (changes []Case) {
	if s.Const == nil && s.Enum == nil {
		return nil
	}
	further := synthetic()
	further.Not = synthetic()
	further.Not.Enum, further.Not.Const = s.Enum, s.Const
	if p.value != nil { // there is no other null
		further.Types = new(jsonschema.Types)
		further.Types.Add(instance.TypeOf(p.value))
	}
	anyValue := func(s *jsonschema.Schema) { s.Enum, s.Const = nil, nil }
	value, ok := c.remade(p, anyValue, further)
	switch {
	case ok && s.Const != nil:
		changes = append(changes, p.change("const", value, "is %s, not the only allowed value %s", shown(value), shown(*s.Const)).as("other"))
	case ok:
		changes = append(changes, p.change("enum", value, "is %s, which is not in the list of allowed values", shown(value)).as("other"))
	}
	if text, isText := p.value.(string); isText && swapped(text) != text && p.otherwiseValid(swapped(text), anyValue) {
		changes = append(changes, p.change("enum", swapped(text), "is %s, an allowed value in other letters", shown(swapped(text))).as("other-case"))
	}
	return changes
}

// narrowed gives values that only one schema of a place forbids, by its list of values or its
// pattern. A branch may narrow what the schema around it allows. What distinguishes branches does
// not change: a condition, or the only value of an alternative.
func (c *caser) narrowed(p *made) (changes []Case) {
	limiting := lists.Filter(p.view.parts, func(s *jsonschema.Schema) bool { return s.Const != nil || s.Enum != nil || s.Pattern != nil })
	for i, s := range limiting {
		isSingle, isConsequence := s.Const != nil || s.Enum != nil && len(s.Enum.Values) == 1, strings.Contains(s.Location, "/then/") || strings.Contains(s.Location, "/else/")
		if len(limiting) == 1 || strings.Contains(s.Location, "/if/") || isSingle && !isConsequence {
			continue
		}
		kind, further := "enum", synthetic()
		if s.Const == nil && s.Enum == nil {
			kind = "pattern"
		}
		further.Not = &jsonschema.Schema{DraftVersion: further.DraftVersion, Enum: s.Enum, Const: s.Const, Pattern: s.Pattern}
		value, ok := c.remade(p, func(part *jsonschema.Schema) {
			if part.Location == s.Location {
				part.Enum, part.Const, part.Pattern = nil, nil, nil
			}
		}, further)
		if ok {
			changes = append(changes, p.change(kind, value, "is %s, which not all of its schemas allow", shown(value)).as(fmt.Sprint("narrowed-", i+1)))
		}
	}
	return changes
}

// unmatched gives texts that a pattern does not match: with other characters, or with one more
// character before, after, or on a separate line. A reader that forgets to anchor the pattern
// accepts these.
func (c *caser) unmatched(p *made, s *jsonschema.Schema) (changes []Case) {
	text, sampler := textAndSampler(p, s)
	if sampler == nil {
		return nil
	}
	add := func(variant, text string) {
		changes = append(changes, p.change("pattern", text, "is %s, which does not match the pattern %s", shown(text), s.Pattern).as(variant))
	}
	variants := unmatchedBy(text)
	for i, texts := range pattern.Unasserted(s.Pattern.String(), text) {
		variants = append(variants, variant{fmt.Sprintf("asserted-%d", i+1), texts})
	}
	if most := []rune(sampler.Longest()); len(most) > 0 && string(most) != text { // one character more, at an end
		variants = append(variants, variant{"too-long", []string{string(most) + string(most[len(most)-1:]), string(most[:1]) + string(most)}})
	}
	for _, variant := range variants {
		i := slices.IndexFunc(variant.texts, func(text string) bool {
			return !s.Pattern.MatchString(text) && p.otherwiseValid(text, func(s *jsonschema.Schema) { s.Pattern = nil })
		})
		if i >= 0 {
			add(variant.name, variant.texts[i])
		}
	}
	if len(changes) == 0 { // none is otherwise valid
		add("other", "!")
	}
	return changes
}

// textAndSampler returns the text of a place and a sampler of its pattern, or a nil sampler if
// there is no text or no pattern.
func textAndSampler(p *made, s *jsonschema.Schema) (text string, sampler *pattern.Sampler) {
	text, isText := p.value.(string)
	if isText && s.Pattern != nil {
		sampler = pattern.NewSampler(s.Pattern.String())
	}
	return text, sampler
}

// swapped returns a text in upper case, or in lower case if it has no lower-case letters.
func swapped(text string) string {
	if upper := strings.ToUpper(text); upper != text {
		return upper
	}
	return strings.ToLower(text)
}

type variant struct {
	name  string
	texts []string // the first that is otherwise valid is used
}

// unmatchedBy returns texts similar to one that matches a pattern. Where a longer text may be too
// long, there is also one of the same length.
func unmatchedBy(text string) []variant {
	runes := []rune(text)
	but := func(from, to int) string { return string(runes[min(from, len(runes)):max(0, len(runes)-to)]) }
	all := []variant{{name: "other"}, {name: "after"}, {name: "before"}, {"newline", []string{text + "\n", but(0, 1) + "\n"}}, {"empty", []string{""}},
		{"other-case", []string{swapped(text)}}, {"shorter", []string{but(0, 1), but(1, 0)}}, {"longer", []string{text + but(max(0, len(runes)-1), 0), but(0, len(runes)-1) + text}}}
	for _, odd := range []string{"!", " ", "é", "~", "0", "a"} {
		all[0].texts = append(all[0].texts, strings.Repeat(odd, max(1, len(runes))))
		all[1].texts = append(all[1].texts, text+odd, but(0, 1)+odd)
		all[2].texts = append(all[2].texts, odd+text, odd+but(1, 0))
	}
	return all
}

// otherwiseValid reports whether a value meets the schemas of a place if some keywords are ignored.
func (m *made) otherwiseValid(value any, without func(*jsonschema.Schema)) bool {
	return m.partsWithout(without).met(value, m.view.root)
}

// partsWithout returns the parts of a view without some keywords, and without the keywords that
// other parts came from.
func (m *made) partsWithout(without func(*jsonschema.Schema)) (parts conjunction) {
	for _, part := range m.view.parts {
		s := *part
		s.Ref, s.DynamicRef, s.RecursiveRef, s.AllOf, s.AnyOf, s.OneOf, s.If = nil, nil, nil, nil, nil, nil, nil
		if s.UnevaluatedItems != nil && !slices.ContainsFunc(m.view.parts, func(other *jsonschema.Schema) bool {
			return other != part && (other.Items2020 != nil || other.PrefixItems != nil || other.Contains != nil)
		}) {
			s.Items2020 = cmp.Or(s.Items2020, s.UnevaluatedItems)
		}
		s.UnevaluatedProperties, s.UnevaluatedItems = nil, nil
		without(&s)
		parts = append(parts, &s)
	}
	return parts
}

// misformed gives texts that do not have the format.
func (c *caser) misformed(p *made, s *jsonschema.Schema) (changes []Case) {
	if _, ok := p.value.(string); !ok || s.Format == nil {
		return nil
	}
	for _, text := range append(misshapen(s.Format.Name), "conformance, not "+s.Format.Name) {
		changes = append(changes, p.change("format", text, "is %s, not of the format %s", shown(text), s.Format.Name).as(variantOf(text, nil)))
	}
	return changes
}

// forbidden gives a value that meets the schema of not.
func (c *caser) forbidden(p *made, s *jsonschema.Schema) []Case {
	if s.Not == nil {
		return nil
	}
	value, ok := c.remade(p, func(s *jsonschema.Schema) { s.Not = nil }, s.Not)
	if !ok {
		return nil
	}
	return []Case{p.change("not", value, "is %s, which the schema rules out by not", shown(value))}
}
