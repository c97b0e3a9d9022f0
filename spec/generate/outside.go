package generate

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/instance"
)

// outOfRange gives numbers just outside each limit that the document states, and
// where a reader with double precision would round one into the range, also the
// nearest that it would not.
func (c *caser) outOfRange(p *made) (changes []change) {
	if jsonType(p.value) != "number" {
		return nil
	}
	step := p.numbers().step
	if step == nil {
		const cent = 100
		step = big.NewRat(1, cent)
	}
	for _, s := range p.view.parts {
		for _, b := range limitsOf(s) {
			x := roundTo(b.at, step, b.sign < 0)
			if x.Cmp(b.at) == 0 && !b.open {
				x.Add(x, new(big.Rat).Mul(step, big.NewRat(int64(b.sign), 1)))
			}
			variant := "outside"
			if b.open && x.Cmp(b.at) == 0 {
				variant = "at"
			}
			if b.keyword == "int32" || b.keyword == "int64" {
				variant = map[int]string{-1: "below", 1: "above"}[b.sign]
			}
			if beyond := beyondDoubles(x, b, step); beyond != nil {
				changes = appendNumber(changes, p, b, strings.TrimPrefix(variant+"-beyond", "outside-"), beyond, false)
				changes = appendNumber(changes, p, b, variant, x, true)
			} else {
				changes = appendNumber(changes, p, b, variant, x, false)
			}
		}
	}
	return changes
}

// signed is a bound with the direction that leads outside: -1 or 1.
type signed struct {
	bound
	sign int
}

func limitsOf(s *jsonschema.Schema) (limits []signed) {
	one := &view{parts: []*jsonschema.Schema{s}}
	for _, b := range []signed{
		{bound{s.Minimum, false, s, "minimum"}, -1}, {bound{s.ExclusiveMinimum, true, s, "exclusiveMinimum"}, -1},
		{bound{s.Maximum, false, s, "maximum"}, 1}, {bound{s.ExclusiveMaximum, true, s, "exclusiveMaximum"}, 1},
	} {
		if b.at != nil {
			limits = append(limits, b)
		}
	}
	if s.Format != nil && (s.Format.Name == "int32" || s.Format.Name == "int64") {
		one.parts[0] = &jsonschema.Schema{Format: s.Format}
		low, high := one.bounds()
		low.by, high.by = s, s
		limits = append(limits, signed{low, -1}, signed{high, 1})
	}
	return limits
}

func appendNumber(changes []change, p *made, b signed, variant string, x *big.Rat, rounds bool) []change {
	number, ok := literal(x)
	if !ok {
		return changes
	}
	limit, _ := literal(b.at)
	words := map[int]string{-1: "below the minimum ", 1: "above the maximum "}[b.sign] + string(limit)
	switch {
	case b.keyword == "int32" || b.keyword == "int64":
		words = "out of the range of an " + b.keyword
	case b.open:
		words = map[int]string{-1: "not more than ", 1: "not less than "}[b.sign] + string(limit)
	}
	return append(changes, change{
		kind: b.keyword, path: p.path, variant: variant, value: number, by: b.by, keyword: sourceKeyword(b.keyword), rounds: rounds,
		says: fmt.Sprintf("%s is %s, %s", placeName(p.path), shown(number), words),
	})
}

// beyondDoubles is the first number from x outwards that is outside also when it is
// read as a double; nil if x is.
func beyondDoubles(x *big.Rat, b signed, step *big.Rat) *big.Rat {
	limit, _ := b.at.Float64()
	outside := func(x *big.Rat) bool {
		read, _ := x.Float64()
		return b.sign < 0 && read < limit || b.sign > 0 && read > limit || b.open && read == limit
	}
	if outside(x) {
		return nil
	}
	const doublings = 1100 // a double has 52 bits and 2,048 exponents
	distance := new(big.Rat).Set(step)
	for range doublings {
		further := new(big.Rat).Add(b.at, new(big.Rat).Mul(distance, big.NewRat(int64(b.sign), 1)))
		if outside(further) {
			return further
		}
		distance.Add(distance, distance)
	}
	return nil
}

// offStep gives a number that is not a multiple.
func (c *caser) offStep(p *made) (changes []change) {
	if jsonType(p.value) != "number" {
		return nil
	}
	value, _ := instance.Rational(p.value)
	integer := slices.Contains(p.view.types(), "integer")
	for _, s := range p.view.parts {
		if s.MultipleOf == nil {
			continue
		}
		off := new(big.Rat).Quo(s.MultipleOf, big.NewRat(2, 1))
		if integer {
			off = big.NewRat(1, 1)
		}
		for _, sign := range []int64{1, -1} {
			x := new(big.Rat).Add(value, new(big.Rat).Mul(off, big.NewRat(sign, 1)))
			number, ok := literal(x)
			if ok && c.otherwiseValid(p, number, func(s *jsonschema.Schema) { s.MultipleOf = nil }) {
				of, _ := literal(s.MultipleOf)
				changes = append(changes, change{
					kind: "multipleOf", path: p.path, value: number, by: s, keyword: "multipleOf",
					says: fmt.Sprintf("%s is %s, not a multiple of %s", placeName(p.path), shown(number), of),
				})
				break
			}
		}
	}
	return changes
}

// wrongLength gives texts that are one character too short or too long, and
// otherwise right if possible.
func (c *caser) wrongLength(p *made) (changes []change) {
	text, ok := p.value.(string)
	if !ok {
		return nil
	}
	add := func(kind string, n, limitIs int, by *jsonschema.Schema) {
		value, ok := c.remade(p, func(s *jsonschema.Schema) { s.MinLength, s.MaxLength = nil, nil }, limit(n, func(s *jsonschema.Schema, n *int) { s.MinLength, s.MaxLength = n, n }))
		if !ok {
			value = fit(text, n, n)
		}
		s, _ := value.(string)
		changes = append(changes, change{
			kind: kind, path: p.path, value: value, by: by, keyword: kind,
			says: fmt.Sprintf("%s has %s, and %s is %d", placeName(p.path), count(utf8.RuneCountInString(s), "character"), kind, limitIs),
		})
	}
	if n, by := p.view.atLeast(minLength); by != nil && n > 0 && n <= maxText {
		add("minLength", n-1, n, by)
	}
	if n, by := p.view.atMost(maxLength); by != nil && n < maxText {
		add("maxLength", n+1, n, by)
	}
	return changes
}

// closed adds a property to an object that allows no others.
func (c *caser) closed(p *made) (changes []change) {
	if _, ok := p.value.(map[string]any); !ok {
		return nil
	}
	path := below(p.path, undeclared)
	for _, s := range p.view.parts {
		rest, isBool := s.AdditionalProperties.(bool)
		schema, _ := s.AdditionalProperties.(*jsonschema.Schema)
		keyword := "additionalProperties"
		switch {
		case isBool && !rest, schema != nil && isNever(schema):
		case s.UnevaluatedProperties != nil && isNever(s.UnevaluatedProperties):
			keyword = "unevaluatedProperties"
		default:
			continue
		}
		changes = append(changes, change{
			kind: keyword, path: path, value: marker + "undeclared", by: s, keyword: keyword,
			says: fmt.Sprintf("%s is not a declared property, and no others are allowed", placeName(path)),
		})
	}
	return changes
}

// miscounted gives lists and objects with too few or too many entries.
func (c *caser) miscounted(p *made) (changes []change) {
	const most = 500
	add := func(kind, unit string, n, limitIs int, by *jsonschema.Schema, without func(*jsonschema.Schema), set func(*jsonschema.Schema, *int)) {
		value, ok := c.remade(p, without, limit(n, set))
		if !ok {
			return
		}
		changes = append(changes, change{
			kind: kind, path: p.path, value: value, by: by, keyword: kind,
			says: fmt.Sprintf("%s has %s, and %s is %d", placeName(p.path), count(n, unit), kind, limitIs),
		})
	}
	switch p.value.(type) {
	case []any:
		without := func(s *jsonschema.Schema) { s.MinItems, s.MaxItems = nil, nil }
		if n, by := p.view.atLeast(minItems); by != nil && n > 0 && n < most {
			add("minItems", "item", n-1, n, by, without, setItems)
		}
		if n, by := p.view.atMost(maxItems); by != nil && n < most {
			add("maxItems", "item", n+1, n, by, without, setItems)
		}
		for _, s := range p.view.parts {
			if s.Contains != nil {
				changes = append(changes, change{
					kind: "contains", path: p.path, value: []any{}, by: s, keyword: "contains",
					says: placeName(p.path) + " has no item of the kind that it must contain",
				})
			}
		}
	case map[string]any:
		without := func(s *jsonschema.Schema) { s.MinProperties, s.MaxProperties = nil, nil }
		set := func(s *jsonschema.Schema, n *int) { s.MinProperties, s.MaxProperties = n, n }
		if n, by := p.view.atLeast(minProperties); by != nil && n > 0 && n < most {
			add("minProperties", "property", n-1, n, by, without, set)
		}
		if n, by := p.view.atMost(maxProperties); by != nil && n < most {
			add("maxProperties", "property", n+1, n, by, without, set)
		}
	}
	return changes
}

// repeated gives a list in which an item occurs twice.
func (c *caser) repeated(p *made) (changes []change) {
	list, _ := p.value.([]any)
	for _, s := range p.view.parts {
		if !s.UniqueItems {
			continue
		}
		value := slices.Clone(list)
		if most, _ := p.view.atMost(maxItems); len(value) > 0 && len(value) < most {
			value = append(value, value[0])
		} else if len(value) > 1 {
			value[len(value)-1] = value[0]
		} else {
			continue
		}
		changes = append(changes, change{
			kind: "uniqueItems", path: p.path, value: value, by: s, keyword: "uniqueItems",
			says: placeName(p.path) + " has the same item twice",
		})
	}
	return changes
}

// dependent leaves out what another property asks for.
func (c *caser) dependent(p *made) (changes []change) {
	object, _ := p.value.(map[string]any)
	for _, s := range p.view.parts {
		for _, name := range sortedKeys(s.DependentRequired) {
			if _, there := object[name]; !there {
				continue
			}
			for _, other := range s.DependentRequired[name] {
				if _, there := object[other]; there {
					path := below(p.path, other)
					changes = append(changes, change{
						kind: "dependentRequired", path: path, variant: slug(name), remove: true, by: s, keyword: "dependentRequired",
						says: fmt.Sprintf("%s is missing, though %s is there", placeName(path), name),
					})
				}
			}
		}
	}
	return changes
}

// misnamed adds a property whose name is not allowed.
func (c *caser) misnamed(p *made) (changes []change) {
	if _, ok := p.value.(map[string]any); !ok {
		return nil
	}
	for _, s := range p.view.parts {
		if s.PropertyNames == nil {
			continue
		}
		for _, name := range []string{undeclared, "conformance undeclared", "!", "0", "a"} {
			if s.PropertyNames.Validate(name) == nil {
				continue
			}
			path := below(p.path, name)
			value := any(marker + "undeclared")
			if object, _ := p.value.(map[string]any); len(object) > 0 {
				value = object[sortedKeys(object)[0]] // which the other properties of a map are like
			}
			changes = append(changes, change{
				kind: "propertyNames", path: path, value: value, by: s, keyword: "propertyNames",
				says: fmt.Sprintf("%s is a name that is not allowed", placeName(path)),
			})
			break
		}
	}
	return changes
}

// twice adds a property so that a second branch of oneOf is met.
func (c *caser) twice(p *made) (changes []change) {
	object, _ := p.value.(map[string]any)
	if object == nil {
		return nil
	}
	m := c.maker(full(nil))
	for _, f := range p.view.forks {
		if f.keyword != "oneOf" {
			continue
		}
		for i, b := range f.branches {
			if i == f.chosen {
				continue
			}
			v := m.newView(b.schemas, func(fork) int { return 0 })
			required, optional := v.names()
			for _, name := range slices.Concat(required, optional) {
				if _, there := object[name]; there {
					continue
				}
				own, _ := p.view.property(name)
				other, _ := v.property(name)
				path := below(p.path, name)
				if one := m.make(path, append(own, other...), nil, 1); one != nil {
					changes = append(changes, change{
						kind: "oneOf", path: path, variant: b.label, value: one.value, by: f.of, keyword: "oneOf",
						says: fmt.Sprintf("%s is there, so that two branches of oneOf are met", placeName(path)),
					})
				}
			}
		}
	}
	return changes
}
