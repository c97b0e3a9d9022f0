package generate

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
)

// A bound is the tightest limit of one sort, and the keyword that states it.
type bound struct {
	at      *big.Rat // nil if there is none
	open    bool     // the bound itself is not allowed
	keyword string
}

// bounds returns the limits of numbers, including those of the formats int32 and int64.
func (v *view) bounds() (low, high bound) {
	for _, s := range v.parts {
		for _, b := range limitsOf(s) {
			if b.sign < 0 {
				low = low.tighter(b.bound, 1)
			} else {
				high = high.tighter(b.bound, -1)
			}
		}
	}
	return low, high
}

// tighter returns the tighter of two bounds. sign is 1 for lower bounds and -1 for upper bounds.
func (b bound) tighter(other bound, sign int) bound {
	if b.at == nil || other.at.Cmp(b.at)*sign > 0 || other.open && other.at.Cmp(b.at) == 0 {
		return other
	}
	return b
}

// rulesOut reports whether a number is outside the bound. sign is as for tighter.
func (b bound) rulesOut(x *big.Rat, sign int) bool {
	return b.at != nil && (x.Cmp(b.at)*sign < 0 || b.open && x.Cmp(b.at) == 0)
}

// step returns the distance between allowed numbers, or nil if there is none.
func (v *view) step(integer bool) (step *big.Rat) {
	if integer {
		step = big.NewRat(1, 1)
	}
	for _, s := range v.parts {
		switch {
		case s.MultipleOf == nil || s.MultipleOf.Sign() <= 0 || isHuge(s.MultipleOf):
		case step == nil:
			step = s.MultipleOf
		default:
			step = leastCommonMultiple(step, s.MultipleOf)
		}
	}
	return step
}

// leastCommonMultiple returns lcm(a,c)/gcd(b,d) for a/b and c/d, both in lowest terms.
func leastCommonMultiple(x, y *big.Rat) *big.Rat {
	common := new(big.Int).GCD(nil, nil, x.Num(), y.Num())
	multiple := new(big.Int).Div(new(big.Int).Mul(x.Num(), y.Num()), common)
	return new(big.Rat).SetFrac(multiple, new(big.Int).GCD(nil, nil, x.Denom(), y.Denom()))
}

// numbers tells which numbers of an interval are allowed.
type numbers struct {
	low, high bound
	step      *big.Rat
}

func (v *view) numbers(integer bool) numbers {
	low, high := v.bounds()
	return numbers{low, high, v.step(integer)}
}

// nearest returns the allowed number that is nearest to x, or nil.
func (n numbers) nearest(x *big.Rat) *big.Rat {
	for _, candidate := range []*big.Rat{n.clamp(x, false), n.clamp(x, true)} {
		if n.holds(candidate) {
			return candidate
		}
	}
	return nil
}

// clamp moves a number into the interval and then to a multiple of the step, up or
// down.
func (n numbers) clamp(x *big.Rat, down bool) *big.Rat {
	x = new(big.Rat).Set(x)
	if n.low.at != nil && x.Cmp(n.low.at) < 0 {
		x.Set(n.low.at)
	}
	if n.high.at != nil && x.Cmp(n.high.at) > 0 {
		x.Set(n.high.at)
	}
	if n.step == nil {
		return n.between(x)
	}
	x = roundTo(x, n.step, down)
	if n.low.open && x.Cmp(n.low.at) == 0 {
		x.Add(x, n.step)
	}
	if n.high.open && x.Cmp(n.high.at) == 0 {
		x.Sub(x, n.step)
	}
	return x
}

// between moves a number off an open bound.
func (n numbers) between(x *big.Rat) *big.Rat {
	one := big.NewRat(1, 1)
	moved := new(big.Rat).Add(x, one)
	switch {
	case n.low.open && x.Cmp(n.low.at) == 0:
	case n.high.open && x.Cmp(n.high.at) == 0:
		moved.Sub(x, one)
	default:
		return x
	}
	if !n.holds(moved) && n.low.at != nil && n.high.at != nil {
		moved = new(big.Rat).Add(n.low.at, n.high.at)
		moved.Mul(moved, big.NewRat(1, 2))
	}
	return moved
}

func (n numbers) holds(x *big.Rat) bool {
	return !n.low.rulesOut(x, 1) && !n.high.rulesOut(x, -1) && (n.step == nil || new(big.Rat).Quo(x, n.step).IsInt())
}

func roundTo(x, step *big.Rat, down bool) *big.Rat {
	q := new(big.Rat).Quo(x, step)
	whole := new(big.Int).Div(q.Num(), q.Denom()) // rounds down, as the denominator is positive
	if !q.IsInt() && !down {
		whole.Add(whole, big.NewInt(1))
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(whole), step)
}

// isHuge reports whether a number is too long to compute with.
func isHuge(x *big.Rat) bool {
	const bits = 5000
	return x.Num().BitLen() > bits || x.Denom().BitLen() > bits
}

// maxDigits bounds the length of literals, because longer ones are not readable.
const maxDigits = 400

// literal returns a number as a literal without exponent. It returns false if the number has no
// such literal, or only a very long one.
func literal(x *big.Rat) (json.Number, bool) {
	if x.IsInt() {
		text := x.Num().String()
		return json.Number(text), len(text) <= maxDigits
	}
	digits, exact := x.FloatPrec()
	if !exact || digits > maxDigits {
		return "", false
	}
	return json.Number(x.FloatString(digits)), true
}

// atLeast and atMost return the tightest limit that a keyword of the parts sets on a count. by is
// the schema that states it, or nil.
func (v *view) atLeast(keyword func(*jsonschema.Schema) *int) (limit int, by *jsonschema.Schema) {
	return v.tightest(keyword, 0, 1)
}

func (v *view) atMost(keyword func(*jsonschema.Schema) *int) (limit int, by *jsonschema.Schema) {
	return v.tightest(keyword, unlimited, -1)
}

func (v *view) tightest(keyword func(*jsonschema.Schema) *int, limit, sign int) (int, *jsonschema.Schema) {
	var by *jsonschema.Schema
	for _, s := range v.parts {
		if n := keyword(s); n != nil && (by == nil || *n*sign > limit*sign) {
			limit, by = *n, s
		}
	}
	return min(max(limit, 0), unlimited), by // huge values overflow in the library
}

const unlimited = 1 << 30

func minLength(s *jsonschema.Schema) *int     { return s.MinLength }
func maxLength(s *jsonschema.Schema) *int     { return s.MaxLength }
func minItems(s *jsonschema.Schema) *int      { return s.MinItems }
func maxItems(s *jsonschema.Schema) *int      { return s.MaxItems }
func minProperties(s *jsonschema.Schema) *int { return s.MinProperties }
func maxProperties(s *jsonschema.Schema) *int { return s.MaxProperties }

// A measure is a length or a count that a schema may limit.
type measure struct {
	unit             string
	minimum, maximum string // the keywords
	least, most      func(*jsonschema.Schema) *int
	set              func(s *jsonschema.Schema, n *int) // both limits
	highest          int                                // the highest that values are made with
}

// measureOf returns what is counted in a value. It returns false for a value without a length.
func measureOf(value any) (m measure, ok bool) {
	switch value.(type) {
	case string:
		return measure{"character", "minLength", "maxLength", minLength, maxLength, func(s *jsonschema.Schema, n *int) { s.MinLength, s.MaxLength = n, n }, pattern.MaxText / 2}, true
	case []any:
		return measure{"item", "minItems", "maxItems", minItems, maxItems, func(s *jsonschema.Schema, n *int) { s.MinItems, s.MaxItems = n, n }, maxRoom}, true
	case map[string]any:
		return measure{"property", "minProperties", "maxProperties", minProperties, maxProperties, func(s *jsonschema.Schema, n *int) { s.MinProperties, s.MaxProperties = n, n }, maxRoom}, true
	}
	return measure{}, false
}

// exactly returns a schema that requires one count.
func (m measure) exactly(n int) *jsonschema.Schema {
	s := synthetic()
	m.set(s, &n)
	return s
}

// countsInside gives values at the limits of a length or count, and just inside.
func (c *caser) countsInside(p *made) (changes []Case) {
	m, ok := measureOf(p.value)
	if !ok {
		return nil
	}
	add := func(kind, variant string, n, limit int, by *jsonschema.Schema) {
		if by == nil || n < 0 || n > m.highest {
			return
		}
		if value, ok := c.remade(p, nil, m.exactly(n)); ok {
			changes = append(changes, p.change(kind, value, "has %s, and %s is %d", schema.Count(n, m.unit), kind, limit).as(variant))
		}
	}
	low, lowBy := p.view.atLeast(m.least)
	high, highBy := p.view.atMost(m.most)
	add(m.minimum, "at", low, low, lowBy)
	add(m.maximum, "at", high, high, highBy)
	if at := len(changes) - 1; at >= 0 && changes[at].Kind == "maxLength" {
		if wide := widened(changes[at].Value); wide != "" && p.otherwiseValid(wide, func(*jsonschema.Schema) {}) {
			changes = append(changes, p.change("maxLength", wide, "has %s, most of them of two bytes, and maxLength is %d", schema.Count(high, m.unit), high).as("at-beyond-ascii"))
		}
	}
	add(m.minimum, "inside", low+1, low, lowBy)
	add(m.maximum, "inside", high-1, high, highBy)
	if m.unit != "item" {
		return changes
	}
	for n, variant := range []string{"empty", "one", "two", "three"} {
		if value, ok := c.remade(p, nil, m.exactly(n)); ok {
			changes = append(changes, p.change("items", value, "has %s", schema.Count(n, m.unit)).as(variant))
		}
	}
	return changes
}

// widened returns a long text of words with letters of two bytes in its middle; "" for other values. A service that
// counts bytes refuses it. The ends stay: texts that the run creates are found by them, and differ in them.
func widened(value any) string {
	text, _ := value.(string)
	if end := len(text) - widest; end > widest && onlyWords.MatchString(text) && !strings.Contains(text[end:], " ") {
		return text[:widest] + strings.Repeat("é", end-widest) + text[end:]
	}
	return ""
}

// widest is the length of the ends that widened keeps.
const widest = len("conformance ")

var onlyWords = regexp.MustCompile(`^[A-Za-z]+( [A-Za-z]+)*$`)

// miscounted gives values that are one too short or too long, and otherwise valid if possible.
func (c *caser) miscounted(p *made) (changes []Case) {
	m, ok := measureOf(p.value)
	if !ok {
		return nil
	}
	step := 1
	if formats := c.formats(p.view); m.unit == "character" && (slices.Contains(formats, "byte") || slices.Contains(formats, "base64")) {
		step = base64Step
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
			changes = append(changes, p.change(kind, value, "has %s, and %s is %d", schema.Count(n, m.unit), kind, limit))
		}
		if wide := strings.Repeat("é", n); m.unit == "character" && n > 0 && step == 1 && p.otherwiseValid(wide, unlimited) {
			changes = append(changes, p.change(kind, wide, "has %s of two bytes each, and %s is %d", schema.Count(n, m.unit), kind, limit).as("beyond-ascii"))
		}
	}
	low, lowBy := p.view.atLeast(m.least)
	high, highBy := p.view.atMost(m.most)
	add(m.minimum, (low-1)/step*step, low, lowBy)
	add(m.maximum, (high+step)/step*step, high, highBy)
	return changes
}
