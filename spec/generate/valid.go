package generate

import (
	"cmp"
	"fmt"
	"iter"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// Valid gives values of a schema, the most significant first. See the package documentation for
// their kinds. The compiled schema accepts each. There are none if the schema cannot be compiled,
// if no value was found, or if the document gives no schema. The full value does not have the
// optional properties at the paths apart: each of these is in a separate value.
func Valid(s *schema.Schema, d schema.Direction, apart ...[]string) iter.Seq[Case] {
	return cases(s, d, apart, func(c *caser) { _ = c.wholes() && c.branches() && c.details() && c.pairs() && c.open() })
}

// whole yields a case without a twin, if it is valid and new. It reports whether to go on.
func (c *caser) whole(ch Case) bool {
	if !c.meets(ch.Value) || !c.isNew("value "+instance.Compact(ch.Value)) {
		return true
	}
	return c.yield(ch)
}

// wholes begins with the plainest value. If an example of the document equals the plainest or the
// full value, it is given as an example, because an example weighs more than a derived value.
func (c *caser) wholes() bool {
	wholes := c.examples()
	if one := c.draw(plainest); one != nil {
		first := Case{Kind: "minimal", Value: one.value, Says: "the plainest value"}
		if i := slices.IndexFunc(wholes, func(ch Case) bool { return instance.Equal(ch.Value, one.value) }); i >= 0 {
			first = wholes[i]
		}
		wholes = append([]Case{first}, wholes...)
	}
	if b, ok := c.first(); ok {
		wholes = append(wholes, Case{Kind: "full", Value: b.value, Says: "a value with every optional property"})
	}
	return !slices.ContainsFunc(wholes, func(ch Case) bool { return !c.whole(ch) })
}

// examples returns the examples of the whole schema, without what the direction does not carry.
func (c *caser) examples() (examples []Case) {
	m := c.maker(plainest)
	v := m.newView(conjunction{c.compiled}, firstBranch)
	for _, s := range v.parts {
		for _, example := range examplesOf(c.source(s)) {
			ch := Case{Kind: "example", Says: "an example of the document", Value: m.stripped(conjunction{c.compiled}, example)}
			if len(examples) > 0 {
				ch.Variant = strconv.Itoa(len(examples) + 1)
			}
			examples = append(examples, ch)
		}
	}
	return examples
}

// stripped returns a value without the properties that the direction does not carry.
func (m *maker) stripped(c conjunction, value any) any {
	if m.work--; m.work < 0 {
		return value
	}
	v := m.newView(c, firstBranch)
	switch value := value.(type) {
	case map[string]any:
		object := make(map[string]any, len(value))
		for _, name := range sortedKeys(value) {
			if p := v.property(name); m.carried(p) {
				object[name] = m.stripped(p, value[name])
			}
		}
		return object
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = m.stripped(v.item(i), value[i])
		}
		return list
	}
	return value
}

// branches yields a full value for each further branch. If the branch is null, its value differs
// from the full value only there.
func (c *caser) branches() bool {
	first, _ := c.first()
	for _, b := range c.bases() {
		place := b.at
		if b.label == "" {
			continue
		}
		one := Case{
			Kind: "branch", Path: place.path, Variant: b.label, Value: b.value,
			Says: placeName(place.path) + " " + b.says,
		}
		for _, m := range b.all() {
			one.open = one.open || slices.Equal(m.path, place.path) && c.isOpen(m.conjunction, m.value)
		}
		if place.index > 0 {
			one.Variant = fmt.Sprintf("fork-%d-%s", place.index+1, b.label)
		}
		if inner, there := instance.At(b.value, place.path); there && inner == nil && instance.Equal(changed(first.value, place.path, nil), b.value) {
			one.Kind, one.Variant, one.Says = "null", "", placeName(place.path)+" is null"
			one.Twin, one.HasTwin = first.value, true
		}
		if c.isNew(one.id(), "value "+instance.Compact(b.value)) && !c.yield(one) {
			return false
		}
	}
	return true
}

// details yields the values that differ from a base in one place, kind by kind. It skips
// discriminators, because another value would mean another schema.
func (c *caser) details() bool {
	for _, changes := range []func(*made) []Case{inParts(c.allowedNull), c.members, c.numbersInside, c.countsInside, inParts(c.longestMatch)} {
		for _, b := range c.bases() {
			for _, place := range b.places {
				if place.isTag {
					continue
				}
				for _, ch := range changes(place) {
					ch.open = ch.open || c.isOpen(place.conjunction, ch.Value)
					if goOn, _ := c.give(b, ch, true); !goOn {
						return false
					}
				}
			}
		}
	}
	return true
}

// allowedNull gives null, if the document says that it is allowed.
func (c *caser) allowedNull(p *made, s *jsonschema.Schema) []Case {
	if !schema.NullIsOpen(c.source(s)) && s.Types != nil && slices.Contains(s.Types.ToStrings(), "null") {
		return []Case{p.change("null", nil, "is null")}
	}
	return nil
}

// maxMembers bounds how many members of an enum are tried.
const maxMembers = 8

func (c *caser) members(p *made) (changes []Case) {
	values, _ := p.view.values()
	if _, ok := p.value.(bool); ok && !slices.ContainsFunc(p.view.parts, func(s *jsonschema.Schema) bool { return s.Enum != nil }) {
		values = []any{false, true}
	}
	for _, value := range values[:min(len(values), maxMembers)] {
		changes = append(changes, p.change("enum", value, "is %s", shown(value)).as(variantOf(value, values)))
	}
	return changes
}

// longestMatch gives the longest text of a pattern, if the pattern limits how often its parts
// repeat. It skips texts that look like an address or a date, because the longest may not exist.
func (c *caser) longestMatch(p *made, s *jsonschema.Schema) []Case {
	_, sampler := textAndSampler(p, s)
	if sampler == nil {
		return nil
	}
	text, as := sampler.Longest(), "states"
	if unsigned, ok := strings.CutPrefix(text, "-"); ok && decimal.MatchString(unsigned) && s.Pattern.MatchString(unsigned) { // an amount may have to be positive
		text, as = unsigned, "states without the sign"
	}
	if text == sampler.Text(0, func(int) int { return 0 }) || likeness(text) != "" {
		return nil
	}
	return []Case{p.change("pattern", text, "is %s, as long as the pattern %s %s", shown(text), s.Pattern, as).as("longest")}
}

// decimal matches a number as a text.
var decimal = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

func (c *caser) numbersInside(p *made) (changes []Case) {
	if instance.TypeOf(p.value) != "number" {
		return nil
	}
	allowed := p.numbers()
	step := cmp.Or(allowed.step, big.NewRat(1, 1))
	for steps, variant := range []string{"at", "inside"} {
		for _, end := range []struct {
			kind string
			bound
			inwards int64
		}{{"minimum", allowed.low, 1}, {"maximum", allowed.high, -1}} {
			if end.at == nil {
				continue
			}
			x := allowed.nearest(end.at)
			if x == nil {
				continue
			}
			x = new(big.Rat).Add(x, new(big.Rat).Mul(step, big.NewRat(int64(steps)*end.inwards, 1)))
			number, ok := literal(x)
			if !ok || !allowed.holds(x) {
				continue
			}
			words := "the " + end.kind
			if steps > 0 || end.open {
				words = "just inside " + words
			}
			ch := p.change(end.kind, number, "is %s, %s", shown(number), words).as(variant)
			ch.open = isIntFormat(end.keyword)
			changes = append(changes, ch)
		}
	}
	return changes
}

// numbers returns which numbers are allowed in the place of a number.
func (m *made) numbers() numbers { return m.view.numbers(m.isInteger()) }

// isInteger reports whether numbers in this place must be integers.
func (m *made) isInteger() bool { return slices.Contains(m.view.types(), "integer") }

// synthetic returns a schema that is not in the document.
func synthetic() *jsonschema.Schema {
	const draft = 2020
	return &jsonschema.Schema{DraftVersion: draft}
}

// remade makes another full value of a place that also meets a further schema. without removes
// keywords from the schemas that the value has to meet. If it is nil, no keyword is removed.
func (c *caser) remade(p *made, without func(*jsonschema.Schema), further *jsonschema.Schema) (any, bool) {
	top := p.conjunction
	if without != nil {
		top = p.partsWithout(without)
	}
	overrides := map[string]int{}
	for _, f := range p.view.forks {
		overrides[forkKey(p.path, f)] = f.chosen
	}
	m := c.maker(full(overrides))
	m.careful, m.work = true, min(maxWork, c.work)
	before := m.work
	one := m.make(p.path, append(slices.Clip(top), further), nil, maxRoom)
	c.work -= before - m.work
	if one == nil {
		return nil, false
	}
	return one.value, true
}

// open yields the full value with a property that the schema allows but does not declare.
func (c *caser) open() bool {
	b, ok := c.first()
	if !ok || instance.TypeOf(b.value) != "object" || len(b.kids) == 0 {
		return true
	}
	goOn, _ := c.give(b, Case{Kind: "undeclared", Path: []string{undeclared}, Value: marker + "undeclared", Says: "there is a property that the schema does not declare, but allows"}, true)
	return goOn
}

// IsOpen reports whether a valid value of a request holds a text whose rule is not validated (see
// [schema.IsOpenText]), and that is not an example of the document. A service may have a reason to
// reject it.
func IsOpen(s *schema.Schema, value any) bool {
	of, err := newSubject(s, schema.Request)
	return err == nil && of.compiled != nil && of.isOpen(conjunction{of.compiled}, value)
}

func (s *subject) isOpen(c conjunction, value any) bool {
	m := s.maker(plainest)
	v := m.newView(c, func(f fork) int {
		return slices.IndexFunc(f.branches, func(b branch) bool {
			return !slices.ContainsFunc(b.schemas, func(part *jsonschema.Schema) bool { return part != nil && !schema.Meets(part, s.root(), value) })
		})
	})
	switch value := value.(type) {
	case string:
		_, listed := v.values()
		return !listed && !slices.Contains(m.examples(v), any(value)) &&
			slices.ContainsFunc(v.parts, func(part *jsonschema.Schema) bool { return schema.IsOpenText(s.source(part)) })
	case []any:
		for i, item := range value {
			if s.isOpen(v.item(i), item) {
				return true
			}
		}
	case map[string]any:
		for name, inner := range value {
			if s.isOpen(v.property(name), inner) {
				return true
			}
		}
	}
	return false
}
