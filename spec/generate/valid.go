package generate

import (
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// Valid gives values of a schema, the most telling first: see the package's
// documentation for their kinds. The compiled schema has accepted each. There are
// none if the schema cannot be compiled, if no value was found, or if the document
// gives no schema.
func Valid(s *schema.Schema, d schema.Direction) iter.Seq[Case] {
	return func(yield func(Case) bool) {
		c := newCaser(s, d, yield)
		if c == nil {
			return
		}
		_ = c.wholes() && c.branches() && c.details() && c.pairs() && c.open()
	}
}

// whole yields a value that has no twin.
func (c *caser) whole(ch change) bool {
	text := "value " + instance.Compact(ch.value)
	if c.seen[text] || c.compiled.Validate(ch.value) != nil {
		return true
	}
	c.seen[text] = true
	return c.yield(Case{Kind: ch.kind, Variant: ch.variant, Value: ch.value, Says: ch.says, Keyword: c.pointer(ch.by, ch.keyword)})
}

// wholes begins with the examples of the document, which weigh more than what is
// derived, should one of these be the same.
func (c *caser) wholes() bool {
	if !c.examples() {
		return false
	}
	if one := draw(c.schema, c.direction, c.compiled, Minimal{}.plan); one != nil && !c.whole(change{kind: "minimal", value: one.value, says: "the plainest value"}) {
		return false
	}
	b, ok := c.first()
	return !ok || c.whole(change{kind: "full", value: b.value, says: "a value with every optional property"})
}

// examples yields the examples of the whole, without what the direction does not
// carry.
func (c *caser) examples() bool {
	m := c.maker(Minimal{}.plan)
	v := m.newView(conjunction{c.compiled}, func(fork) int { return 0 })
	number := 0
	for _, s := range v.parts {
		at := c.schema.Source(s)
		candidates := at.To("examples").List()
		if example := at.To("example"); example.Node != nil {
			candidates = append([]document.Place{example}, candidates...)
		}
		for _, example := range candidates {
			number++
			value := m.stripped(conjunction{c.compiled}, example.Value())
			ch := change{kind: "example", value: value, says: "an example of the document", by: s, keyword: strings.TrimPrefix(example.Pointer, at.Pointer+"/")}
			if number > 1 {
				ch.variant = fmt.Sprint(number)
			}
			if !c.whole(ch) {
				return false
			}
		}
	}
	return true
}

// stripped is a value without the properties that the direction does not carry.
func (m *maker) stripped(c conjunction, value any) any {
	if m.work--; m.work < 0 {
		return value
	}
	v := m.newView(c, func(fork) int { return 0 })
	switch value := value.(type) {
	case map[string]any:
		object := make(map[string]any, len(value))
		for _, name := range sortedKeys(value) {
			if p, _ := v.property(name); m.carried(p) {
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

// branches yields a full value of each further branch.
func (c *caser) branches() bool {
	for b := range c.bases() {
		place := b.at
		if b.label == "" {
			continue
		}
		ch := change{
			kind: "branch", path: place.path, variant: b.label, value: b.value, by: place.fork.of, keyword: place.fork.keyword,
			says: fmt.Sprintf("%s is of branch %s of %s", placeName(place.path), b.label, place.fork.keyword),
		}
		if place.index > 0 {
			ch.variant = fmt.Sprintf("fork-%d-%s", place.index+1, b.label)
		}
		id := "id branch" + instance.Pointer(place.path) + " " + strings.ToLower(ch.variant)
		text := "value " + instance.Compact(b.value)
		if c.seen[id] || c.seen[text] {
			continue
		}
		c.seen[id], c.seen[text] = true, true
		if !c.yield(Case{Kind: ch.kind, Path: ch.path, Variant: ch.variant, Value: b.value, Says: ch.says, Keyword: c.pointer(ch.by, ch.keyword)}) {
			return false
		}
	}
	return true
}

// details yields the values that differ from a base in one place, kind by kind.
func (c *caser) details() bool {
	for _, changes := range []func(*made) []change{c.allowedNull, c.members, c.numbersInside, c.lengthsInside, c.countsInside} {
		for b := range c.bases() {
			for _, place := range b.places {
				for _, ch := range changes(place) {
					ch.path = place.path
					if goOn, _ := c.give(b, ch, true); !goOn {
						return false
					}
				}
			}
		}
	}
	return true
}

func (c *caser) allowedNull(p *made) []change {
	for _, s := range p.view.parts {
		if s.Types != nil && slices.Contains(s.Types.ToStrings(), "null") {
			return []change{{kind: "null", says: placeName(p.path) + " is null", by: s, keyword: "type"}}
		}
	}
	return nil
}

// maxMembers bounds how many members of an enum are tried.
const maxMembers = 8

func (c *caser) members(p *made) (changes []change) {
	values, _ := p.view.values()
	for _, value := range values[:min(len(values), maxMembers)] {
		ch := change{kind: "enum", variant: variantOf(value, values), value: value, says: placeName(p.path) + " is " + shown(value)}
		for _, s := range p.view.parts {
			if s.Enum != nil {
				ch.by, ch.keyword = s, "enum"
			}
		}
		changes = append(changes, ch)
	}
	return changes
}

func (c *caser) numbersInside(p *made) (changes []change) {
	if jsonType(p.value) != "number" {
		return nil
	}
	allowed := p.numbers()
	for _, end := range []struct {
		kind string
		bound
		inwards int64
	}{{"minimum", allowed.low, 1}, {"maximum", allowed.high, -1}} {
		if end.at == nil {
			continue
		}
		at := allowed.nearest(end.at)
		step := allowed.step
		if step == nil {
			step = big.NewRat(1, 1)
		}
		if at == nil {
			continue
		}
		inside := new(big.Rat).Add(at, new(big.Rat).Mul(step, big.NewRat(end.inwards, 1)))
		for variant, x := range map[string]*big.Rat{"at": at, "inside": inside} {
			number, ok := literal(x)
			if !ok || !allowed.holds(x) {
				continue
			}
			words := "the " + end.kind
			if variant == "inside" || end.open {
				words = "just inside " + words
			}
			changes = append(changes, change{
				kind: end.kind, variant: variant, value: number, by: end.by, keyword: sourceKeyword(end.keyword),
				says: fmt.Sprintf("%s is %s, %s", placeName(p.path), shown(number), words),
			})
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return strings.Compare(a.variant, b.variant) })
	return changes
}

// numbers tells which numbers are allowed where a number was made.
func (m *made) numbers() numbers {
	return m.view.numbers(slices.Contains(m.view.types(), "integer") && !slices.Contains(m.view.types(), "number"))
}

// sourceKeyword is the keyword of a document that sets a limit.
func sourceKeyword(limit string) string {
	if limit == "int32" || limit == "int64" {
		return "format"
	}
	return limit
}

func (c *caser) lengthsInside(p *made) []change {
	return c.counted(p, "string", "minLength", "maxLength", "character", minLength, maxLength, 10_000, func(s *jsonschema.Schema, n *int) {
		s.MinLength, s.MaxLength = n, n
	})
}

func (c *caser) countsInside(p *made) []change {
	changes := c.counted(p, "array", "minItems", "maxItems", "item", minItems, maxItems, 200, setItems)
	if jsonType(p.value) != "array" {
		return changes
	}
	for n, variant := range []string{"empty", "one", "two"} {
		if value, ok := c.remade(p, nil, limit(n, setItems)); ok {
			changes = append(changes, change{kind: "items", variant: variant, value: value, says: placeName(p.path) + " has " + count(n, "item")})
		}
	}
	return changes
}

func setItems(s *jsonschema.Schema, n *int) { s.MinItems, s.MaxItems = n, n }

// limit is a schema that asks for one count.
func limit(n int, set func(*jsonschema.Schema, *int)) *jsonschema.Schema {
	s := synthetic()
	set(s, &n)
	return s
}

// synthetic is a schema that is not in the document.
func synthetic() *jsonschema.Schema {
	const draft = 2020
	return &jsonschema.Schema{DraftVersion: draft}
}

// counted gives the values at and just inside the limits of a length or count.
func (c *caser) counted(p *made, of, minimum, maximum, unit string, least, most func(*jsonschema.Schema) *int, highest int, set func(*jsonschema.Schema, *int)) (changes []change) {
	if jsonType(p.value) != of {
		return nil
	}
	add := func(kind, variant string, n int, by *jsonschema.Schema) {
		if by == nil || n < 0 || n > highest {
			return
		}
		if value, ok := c.remade(p, nil, limit(n, set)); ok {
			changes = append(changes, change{
				kind: kind, variant: variant, value: value, by: by, keyword: kind,
				says: fmt.Sprintf("%s has %s, and %s is %d", placeName(p.path), count(n, unit), kind, *map[string]func(*jsonschema.Schema) *int{minimum: least, maximum: most}[kind](by)),
			})
		}
	}
	low, lowBy := p.view.atLeast(least)
	high, highBy := p.view.atMost(most)
	add(minimum, "at", low, lowBy)
	add(maximum, "at", high, highBy)
	add(minimum, "inside", low+1, lowBy)
	add(maximum, "inside", high-1, highBy)
	return changes
}

// remade makes another full value of a place, that also meets a further schema.
// without takes keywords from the schemas that it has to meet; nil takes none.
func (c *caser) remade(p *made, without func(*jsonschema.Schema), further *jsonschema.Schema) (any, bool) {
	top := slices.Clone(p.conjunction)
	if without != nil {
		top = nil
		for _, part := range p.view.parts {
			s := *part
			s.Ref, s.DynamicRef, s.RecursiveRef, s.AllOf, s.AnyOf, s.OneOf, s.If, s.UnevaluatedProperties, s.UnevaluatedItems = nil, nil, nil, nil, nil, nil, nil, nil, nil
			without(&s)
			top = append(top, &s)
		}
	}
	overrides := map[string]int{}
	for _, f := range p.view.forks {
		overrides[forkKey(p.path, f)] = f.chosen
	}
	m := c.maker(full(overrides))
	m.careful, m.work = true, min(maxWork, c.work)
	before := m.work
	one := m.make(p.path, append(top, further), nil, maxRoom)
	c.work -= before - m.work
	if one == nil {
		return nil, false
	}
	return one.value, true
}

// open yields the full value with a property that the schema allows, but does not
// declare.
func (c *caser) open() bool {
	b, ok := c.first()
	if !ok || jsonType(b.value) != "object" || len(b.kids) == 0 {
		return true
	}
	goOn, _ := c.give(b, change{kind: "undeclared", path: []string{undeclared}, value: marker + "undeclared", says: "there is a property that the schema does not declare, but allows"}, true)
	return goOn
}

// pairs yields the full value without some of its optional properties, so that of
// each two of these all four combinations occur.
func (c *caser) pairs() bool {
	b, ok := c.first()
	if !ok || jsonType(b.value) != "object" {
		return true
	}
	required, _ := b.view.names()
	var optional []string
	for _, kid := range b.kids {
		if name := kid.path[0]; !slices.Contains(required, name) {
			optional = append(optional, name)
		}
	}
	const shownNames = 3
	for i, row := range covering(len(optional)) {
		value := b.value
		var left []string
		for j, present := range row {
			if !present {
				left = append(left, optional[j])
				value = changed(value, []string{optional[j]}, change{remove: true})
			}
		}
		says := "the full value without " + strings.Join(left[:min(len(left), shownNames)], ", ")
		if len(left) > shownNames {
			says += fmt.Sprintf(" and %d more", len(left)-shownNames)
		}
		if len(left) > 0 && !c.whole(change{kind: "pairwise", variant: fmt.Sprint(i + 1), value: value, says: says}) {
			return false
		}
	}
	return true
}

// covering is a covering array of strength 2 for n factors with two levels: in any
// two columns all four pairs occur. The rows but the first are the elements of a
// set, and the columns different subsets of it of one size, large enough that any
// two of them meet (Kleitman and Spencer 1973).
func covering(n int) [][]bool {
	if n == 0 {
		return nil
	}
	elements, size := 1, 1
	for new(big.Int).Binomial(int64(elements), int64(size)).Cmp(big.NewInt(int64(n))) < 0 {
		elements++
		size = (elements + 2) / 2
	}
	rows := make([][]bool, elements+1)
	for i := range rows {
		rows[i] = make([]bool, n)
	}
	subset := make([]int, size)
	for i := range subset {
		subset[i] = i
	}
	for column := range n {
		for _, element := range subset {
			rows[1+element][column] = true
		}
		at := size - 1 // the next subset in lexical order
		for at >= 0 && subset[at] == elements-size+at {
			at--
		}
		if at < 0 {
			break
		}
		subset[at]++
		for i := at + 1; i < size; i++ {
			subset[i] = subset[i-1] + 1
		}
	}
	return rows
}

// jsonType is the type of a value; that of all numbers is "number".
func jsonType(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}
