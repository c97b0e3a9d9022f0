package generate

import (
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
)

// outOfRange gives numbers just outside each limit that the document states. If a reader with
// double precision rounds one into the range, it also gives a number further out that is not.
func (c *caser) outOfRange(p *made) (changes []Case) {
	if instance.TypeOf(p.value) != "number" {
		return nil
	}
	step := p.numbers().step
	if step == nil {
		const cent = 100
		step = big.NewRat(1, cent)
	}
	low, high := p.view.bounds()
	for _, s := range p.view.parts {
		for _, b := range limitsOf(s) {
			tightest := map[int]bound{-1: low, 1: high}[b.sign]
			if tightest.at.Cmp(b.at) != 0 {
				continue // a number beyond it breaks another limit as well
			}
			x, outwards := roundTo(b.at, step, b.sign < 0), new(big.Rat).Mul(step, big.NewRat(int64(b.sign), 1))
			if x.Cmp(b.at) == 0 && !b.open {
				x.Add(x, outwards)
			}
			x = p.withoutOtherFault(x, outwards)
			variant := "outside"
			if b.open && x.Cmp(b.at) == 0 {
				variant = "at"
			}
			if isIntFormat(b.keyword) {
				variant = map[int]string{-1: "below", 1: "above"}[b.sign]
			}
			beyond := beyondDoubles(x, b, step)
			if beyond != nil {
				changes = appendNumber(changes, p, b, strings.TrimPrefix(variant+"-beyond", "outside-"), beyond, false)
			}
			changes = appendNumber(changes, p, b, variant, x, beyond != nil)
		}
	}
	return changes
}

// withoutOtherFault returns the first of x and the next two numbers that breaks no other keyword of
// its place, such as not. It returns x if all three do.
func (m *made) withoutOtherFault(x, step *big.Rat) *big.Rat {
	unlimited := func(s *jsonschema.Schema) {
		s.Minimum, s.ExclusiveMinimum, s.Maximum, s.ExclusiveMaximum = nil, nil, nil, nil
	}
	for next, tries := x, 3; tries > 0; tries-- {
		if number, ok := literal(next); ok && m.otherwiseValid(number, unlimited) {
			return next
		}
		next = new(big.Rat).Add(next, step)
	}
	return x
}

// A signed is a bound with the direction that leads outside: -1 or 1.
type signed struct {
	bound
	sign int
}

func isIntFormat(name string) bool { return name == "int32" || name == "int64" }

// limitsOf returns the limits of numbers that a schema states, including those of the formats int32
// and int64.
func limitsOf(s *jsonschema.Schema) []signed {
	limits := []signed{
		{bound{s.Minimum, false, "minimum"}, -1}, {bound{s.ExclusiveMinimum, true, "exclusiveMinimum"}, -1},
		{bound{s.Maximum, false, "maximum"}, 1}, {bound{s.ExclusiveMaximum, true, "exclusiveMaximum"}, 1},
	}
	if s.Format != nil && isIntFormat(s.Format.Name) {
		limit := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), map[string]uint{"int32": 31, "int64": 63}[s.Format.Name]))
		limits = append(limits, signed{bound{new(big.Rat).Neg(limit), false, s.Format.Name}, -1}, signed{bound{limit.Sub(limit, big.NewRat(1, 1)), false, s.Format.Name}, 1})
	}
	return slices.DeleteFunc(limits, func(b signed) bool { return b.at == nil || isHuge(b.at) })
}

func appendNumber(changes []Case, p *made, b signed, variant string, x *big.Rat, rounds bool) []Case {
	number, ok := literal(x)
	if !ok {
		return changes
	}
	limit, _ := literal(b.at)
	words := map[int]string{-1: "below the minimum ", 1: "above the maximum "}[b.sign] + string(limit)
	switch {
	case isIntFormat(b.keyword):
		words = "out of the range of an " + b.keyword
	case b.open:
		words = map[int]string{-1: "not more than ", 1: "not less than "}[b.sign] + string(limit)
	}
	ch := p.change(b.keyword, number, "is %s, %s", shown(number), words).as(variant)
	ch.Rounds = rounds
	return append(changes, ch)
}

// beyondDoubles returns a number further out than x that is outside even if it is read as a double.
// It returns nil if x is, or if it finds none. A limit in the document is read as a double, too,
// but the limits of int32 and int64 are exact.
func beyondDoubles(x *big.Rat, b signed, step *big.Rat) *big.Rat {
	limit := b.at
	if float, _ := b.at.Float64(); !isIntFormat(b.keyword) {
		limit = new(big.Rat).SetFloat64(float)
	}
	outside := func(x *big.Rat) bool {
		float, _ := x.Float64()
		read := new(big.Rat).SetFloat64(float)
		if read == nil || limit == nil { // infinite
			return read == nil && limit != nil
		}
		order := read.Cmp(limit) * b.sign
		return order > 0 || b.open && order == 0
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

// offStep gives a number that is not a multiple of multipleOf.
func (c *caser) offStep(p *made, s *jsonschema.Schema) []Case {
	value, isNumber := instance.Rational(p.value)
	if !isNumber || s.MultipleOf == nil || isHuge(s.MultipleOf) {
		return nil
	}
	off := new(big.Rat).Quo(s.MultipleOf, big.NewRat(2, 1))
	if p.isInteger() {
		off = big.NewRat(1, 1)
	}
	for _, sign := range []int64{1, -1} {
		x := new(big.Rat).Add(value, new(big.Rat).Mul(off, big.NewRat(sign, 1)))
		number, ok := literal(x)
		if ok && p.otherwiseValid(number, func(s *jsonschema.Schema) { s.MultipleOf = nil }) {
			of, _ := literal(s.MultipleOf)
			return []Case{p.change("multipleOf", number, "is %s, not a multiple of %s", shown(number), of)}
		}
	}
	return nil
}

// closed adds a property to an object, or an item to a list, that allows no others.
func (c *caser) closed(p *made) (changes []Case) {
	if list, ok := p.value.([]any); ok {
		if !slices.ContainsFunc(p.view.item(len(list)), isNever) {
			return nil
		}
		return []Case{p.change("items", append(slices.Clone(list), strings.TrimSpace(marker)), "has %s, and no more are allowed than %d", schema.Count(len(list)+1, "item"), len(list))}
	}
	object, ok := p.value.(map[string]any)
	if !ok {
		return nil
	}
	for _, s := range p.view.parts {
		for _, name := range sortedKeys(s.Properties) {
			if _, there := object[name]; !there && isNever(s.Properties[name]) {
				changes = append(changes, p.at(name).change("properties", strings.TrimSpace(marker), "is there, and must not be"))
			}
		}
		keyword := "additionalProperties"
		switch rest := restOf(s); {
		case rest != nil && isNever(rest):
		case s.UnevaluatedProperties != nil && isNever(s.UnevaluatedProperties):
			keyword = "unevaluatedProperties"
		default:
			continue
		}
		ch := p.at(undeclared).change(keyword, strings.TrimSpace(marker), "is not a declared property, and no others are allowed")
		if most, _ := p.view.atMost(maxProperties); len(object) >= most { // otherwise it also exceeds maxProperties
			object := p.withUndeclared(object, most)
			if len(object) > most {
				continue
			}
			ch = p.change(keyword, object, "has a property that is not declared, and no others are allowed")
		}
		changes = append(changes, ch)
	}
	return changes
}

// withUndeclared returns an object with an undeclared property in place of optional ones. It has at
// most the given number of properties, if possible.
func (m *made) withUndeclared(object map[string]any, most int) map[string]any {
	object = maps.Clone(object)
	required, _ := m.view.names()
	for _, name := range sortedKeys(object) {
		if len(object) >= most && !slices.Contains(required, name) {
			delete(object, name)
		}
	}
	object[undeclared] = strings.TrimSpace(marker)
	return object
}

// uncontained gives lists with too few, or too many, of the items that contains requires.
func (c *caser) uncontained(p *made, s *jsonschema.Schema) (changes []Case) {
	if s.Contains == nil {
		return nil
	}
	add := func(keyword string, least, most *int, further *jsonschema.Schema, says string, args ...any) {
		if value, ok := c.remade(p, func(s *jsonschema.Schema) { s.MinContains, s.MaxContains = least, most }, further); ok {
			changes = append(changes, p.change(keyword, value, says, args...))
		}
	}
	none := synthetic()
	none.Items2020 = synthetic()
	none.Items2020.Not = s.Contains
	least := 1
	if s.MinContains != nil {
		least = *s.MinContains
	}
	if least > 0 {
		add("contains", new(0), nil, none, "has no item of the kind that it must contain")
	}
	if fewer := least - 1; fewer > 0 {
		add("minContains", &fewer, &fewer, synthetic(), "has %d items of the kind of which it must contain %d", fewer, least)
	}
	if s.MaxContains != nil {
		more := *s.MaxContains + 1
		add("maxContains", &more, nil, synthetic(), "has %d items of a kind of which it must not contain more than %d", more, *s.MaxContains)
	}
	return changes
}

// repeated gives a list in which an item occurs twice.
func (c *caser) repeated(p *made, s *jsonschema.Schema) []Case {
	list, _ := p.value.([]any)
	value := slices.Clone(list)
	switch most, _ := p.view.atMost(maxItems); {
	case !s.UniqueItems:
		return nil
	case len(value) > 0 && len(value) < most:
		value = append(value, value[0])
	case len(value) > 1:
		value[len(value)-1] = value[0]
	default:
		return nil
	}
	return []Case{p.change("uniqueItems", value, "has the same item twice")}
}

// dependent leaves out properties that another property requires.
func (c *caser) dependent(p *made, s *jsonschema.Schema) (changes []Case) {
	object, _ := p.value.(map[string]any)
	for _, name := range sortedKeys(s.DependentRequired) {
		if _, there := object[name]; !there {
			continue
		}
		for _, other := range s.DependentRequired[name] {
			if _, there := object[other]; there {
				changes = append(changes, p.at(other).change("dependentRequired", absent, "is missing, though %s is there", name).as(slug(name)))
			}
		}
	}
	return changes
}

// misnamed adds a property whose name is not allowed.
func (c *caser) misnamed(p *made, s *jsonschema.Schema) (changes []Case) {
	object, isObject := p.value.(map[string]any)
	if !isObject || s.PropertyNames == nil {
		return nil
	}
	names := []string{undeclared, "conformance undeclared", "!", "0", "a", "A-1", "a b"}
	value := any(marker + "undeclared")
	for i, name := range sortedKeys(object) {
		if i == 0 {
			value = object[name] // similar to the other properties of a map
		}
		if names = append(names, strings.ToUpper(name), name+"!"); s.PropertyNames.MaxLength != nil {
			names = append(names, fit(name, *s.PropertyNames.MaxLength+1, pattern.MaxText))
		}
	}
	unmatched, miscounted := *s.PropertyNames, *s.PropertyNames
	unmatched.Pattern, miscounted.MinLength, miscounted.MaxLength = nil, nil, nil
	for _, allowing := range []*jsonschema.Schema{synthetic(), &unmatched, &miscounted} {
		i := slices.IndexFunc(names, func(name string) bool {
			return s.PropertyNames.Validate(name) != nil && allowing.Validate(name) == nil
		})
		if i >= 0 {
			changes = append(changes, p.at(names[i]).change("propertyNames", value, "has a name that is not allowed"))
		}
	}
	return changes
}

// unchosen leaves out all properties that only some branches require. They distinguish the
// branches.
func (c *caser) unchosen(p *made) (changes []Case) {
	object, _ := p.value.(map[string]any)
	m := c.maker(full(nil))
	for _, f := range p.view.forks {
		count := map[string]int{}
		for _, b := range f.branches {
			required, _ := m.newView(b.schemas, firstBranch).names()
			for _, name := range required {
				count[name]++
			}
		}
		rest := maps.Clone(object)
		maps.DeleteFunc(rest, func(name string, _ any) bool { return count[name] > 0 && count[name] < len(f.branches) })
		if len(rest) < len(object)-1 { // a single one is left out elsewhere
			changes = append(changes, p.change(f.keyword, rest, "has nothing that a branch of %s requires", f.keyword).as("none"))
		}
	}
	return changes
}

// twice adds a property of another branch. Then the value meets both branches, although oneOf
// allows only one, or the first branch does not allow the property.
func (c *caser) twice(p *made) (changes []Case) {
	object, _ := p.value.(map[string]any)
	if object == nil {
		return nil
	}
	m := c.maker(full(nil))
	for _, f := range p.view.forks {
		if f.keyword != "oneOf" && f.keyword != "anyOf" {
			continue
		}
		for i, b := range f.branches {
			if i == f.chosen {
				continue
			}
			v := m.newView(b.schemas, firstBranch)
			required, optional := v.names()
			for _, name := range slices.Concat(required, optional) {
				if _, there := object[name]; there {
					continue
				}
				of := slices.DeleteFunc(p.view.property(name), isNever) // that is the fault
				one := m.make(instance.Below(p.path, name), append(of, v.property(name)...), nil, 1)
				if one == nil {
					continue
				}
				both := conjunction(slices.Concat(f.branches[f.chosen].schemas, b.schemas))
				words := "is there, which belongs to another branch of " + f.keyword
				if both.met(changed(object, []string{name}, one.value), c.root()) {
					words = "is there, so that two branches of oneOf are met"
				}
				changes = append(changes, p.at(name).change(f.keyword, one.value, "%s", words).as(b.label))
			}
		}
	}
	return changes
}
