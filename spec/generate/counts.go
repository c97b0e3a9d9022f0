package generate

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// measure is a length or a count that a schema may limit.
type measure struct {
	unit             string
	minimum, maximum string // the keywords
	least, most      func(*jsonschema.Schema) *int
	set              func(s *jsonschema.Schema, n *int) // both limits
	highest          int                                // that values are made of
}

// measureOf is what is counted of a value; false for one that has no parts.
func measureOf(value any) (m measure, ok bool) {
	switch value.(type) {
	case string:
		return measure{"character", "minLength", "maxLength", minLength, maxLength, func(s *jsonschema.Schema, n *int) { s.MinLength, s.MaxLength = n, n }, maxText / 2}, true
	case []any:
		return measure{"item", "minItems", "maxItems", minItems, maxItems, func(s *jsonschema.Schema, n *int) { s.MinItems, s.MaxItems = n, n }, maxRoom}, true
	case map[string]any:
		return measure{"property", "minProperties", "maxProperties", minProperties, maxProperties, func(s *jsonschema.Schema, n *int) { s.MinProperties, s.MaxProperties = n, n }, maxRoom}, true
	}
	return measure{}, false
}

// exactly is a schema that asks for one count.
func (m measure) exactly(n int) *jsonschema.Schema {
	s := synthetic()
	m.set(s, &n)
	return s
}

// countsInside gives values at the limits of a length or count, and just inside.
func (c *caser) countsInside(p *made) (changes []change) {
	m, ok := measureOf(p.value)
	if !ok {
		return nil
	}
	add := func(kind, variant string, n, limit int, by *jsonschema.Schema) {
		if by == nil || n < 0 || n > m.highest {
			return
		}
		if value, ok := c.remade(p, nil, m.exactly(n)); ok {
			changes = append(changes, p.change(kind, by, value, "has %s, and %s is %d", count(n, m.unit), kind, limit).as(variant))
		}
	}
	low, lowBy := p.view.atLeast(m.least)
	high, highBy := p.view.atMost(m.most)
	add(m.minimum, "at", low, low, lowBy)
	add(m.maximum, "at", high, high, highBy)
	add(m.minimum, "inside", low+1, low, lowBy)
	add(m.maximum, "inside", high-1, high, highBy)
	if m.unit != "item" {
		return changes
	}
	for n, variant := range []string{"empty", "one", "two", "three"} {
		if value, ok := c.remade(p, nil, m.exactly(n)); ok {
			changes = append(changes, p.change("items", nil, value, "has %s", count(n, m.unit)).as(variant))
		}
	}
	return changes
}

// miscounted gives values that are one too short or too long, and otherwise right if
// possible.
func (c *caser) miscounted(p *made) (changes []change) {
	m, ok := measureOf(p.value)
	if !ok {
		return nil
	}
	add := func(kind string, n, limit int, by *jsonschema.Schema) {
		if by == nil || n < 0 || n > m.highest {
			return
		}
		unlimited := func(s *jsonschema.Schema) { m.set(s, nil) }
		value, ok := c.remade(p, unlimited, m.exactly(n))
		if text, isText := p.value.(string); isText && !ok {
			value, ok = fit(text, n, n), true
		}
		if ok {
			changes = append(changes, p.change(kind, by, value, "has %s, and %s is %d", count(n, m.unit), kind, limit))
		}
		if wide := strings.Repeat("é", n); m.unit == "character" && n > 0 && p.otherwiseValid(wide, unlimited) {
			changes = append(changes, p.change(kind, by, wide, "has %s of two bytes each, and %s is %d", count(n, m.unit), kind, limit).as("beyond-ascii"))
		}
	}
	low, lowBy := p.view.atLeast(m.least)
	high, highBy := p.view.atMost(m.most)
	add(m.minimum, low-1, low, lowBy)
	add(m.maximum, high+1, high, highBy)
	return changes
}
