package spec

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// schemaBreaches validates the value and tells each fault in terms of the
// contract: the clause, the place, what was expected there.
func (c *check) schemaBreaches(clause string, media *mediaContent, value any) []Breach {
	err := media.schema.Validate(value)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil
	}
	t := teller{op: c.op, clause: clause, value: value}
	t.flatten(invalid)
	return t.breaches
}

type teller struct {
	op       *Operation
	clause   string // of the body
	value    any
	breaches []Breach
}

// flatten walks the causes down to the keywords that failed.
func (t *teller) flatten(e *jsonschema.ValidationError) {
	if len(t.breaches) >= maxBreaches {
		return
	}
	switch k := e.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		t.alternatives(e)
	case *kind.Required:
		for _, name := range k.Missing {
			t.tell(append(e.InstanceLocation[:len(e.InstanceLocation):len(e.InstanceLocation)], name),
				"is missing", t.expects(e.InstanceLocation, name))
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			at := append(e.InstanceLocation[:len(e.InstanceLocation):len(e.InstanceLocation)], name)
			t.add(t.clauseOf(e.InstanceLocation)+"/undeclared", at, "is a property that the contract rules out", "no such property")
		}
	default:
		if len(e.Causes) > 0 {
			for _, cause := range e.Causes {
				t.flatten(cause)
			}
			return
		}
		message, expected := explain(e.ErrorKind)
		t.tell(e.InstanceLocation, message, expected)
	}
}

// expects describes a property that is not there.
func (t *teller) expects(owner []string, name string) string {
	if text, ok := t.shapeAt(owner, name); ok && text != anything {
		return "the property " + name + ", " + text
	}
	return "the property " + name
}

func (t *teller) shapeAt(owner []string, name string) (string, bool) {
	for _, r := range t.op.responses {
		if r.clause+"/body" != t.clause {
			continue
		}
		for _, media := range r.content {
			s := media.shape
			for _, step := range owner {
				switch p := s.property(step); {
				case p != nil:
					s = p.shape
				case s.each != nil:
					s = s.each
				default:
					return "", false
				}
			}
			if p := s.property(name); p != nil {
				return p.shape.describe(), true
			}
		}
	}
	return "", false
}

// alternatives tells of a value that meets none, or too many, of several
// schemas, and why not the one it came closest to.
func (t *teller) alternatives(e *jsonschema.ValidationError) {
	if one, ok := e.ErrorKind.(*kind.OneOf); ok && len(one.Subschemas) > 1 {
		t.tell(e.InstanceLocation, "meets several of the alternatives of which it must meet exactly one", "exactly one of the alternatives")
		return
	}
	var closest []Breach
	for _, cause := range e.Causes {
		branch := teller{op: t.op, clause: t.clause, value: t.value}
		branch.flatten(cause)
		if closest == nil || deepest(branch.breaches) > deepest(closest) ||
			deepest(branch.breaches) == deepest(closest) && len(branch.breaches) < len(closest) {
			closest = branch.breaches
		}
	}
	message := fmt.Sprintf("meets none of the %d alternatives", len(e.Causes))
	if len(closest) > 0 {
		message += fmt.Sprintf("; by the closest, %s %s (expected %s)", orBody(closest[0].Pointer), closest[0].Message, closest[0].Expected)
	}
	t.tell(e.InstanceLocation, message, "one of the alternatives")
}

func deepest(breaches []Breach) int {
	depth := 0
	for _, b := range breaches {
		depth = max(depth, strings.Count(b.Pointer, "/"))
	}
	return depth
}

func orBody(pointer string) string {
	if pointer == "" {
		return "the body"
	}
	return pointer
}

func (t *teller) tell(at []string, message, expected string) {
	t.add(t.clauseOf(at), at, message, expected)
}

func (t *teller) add(clause string, at []string, message, expected string) {
	var pointer strings.Builder
	for _, step := range at {
		pointer.WriteString("/" + escape(step))
	}
	t.breaches = append(t.breaches, Breach{
		Clause: t.op.nearest(clause), Message: message, Pointer: pointer.String(), Expected: expected,
	})
}

// clauseOf names the clause for a place in the body: properties by name,
// items of lists as *.
func (t *teller) clauseOf(at []string) string {
	clause, value := t.clause, t.value
	for _, step := range at {
		switch v := value.(type) {
		case []any:
			clause += "/*"
			if i, err := strconv.Atoi(step); err == nil && i < len(v) {
				value = v[i]
			}
		case map[string]any:
			next := clause + "/" + segment(step)
			if !t.op.has(next) && t.op.hasBelow(clause+"/*") {
				next = clause + "/*"
			}
			clause, value = next, v[step]
		default:
			clause += "/" + segment(step)
		}
	}
	return clause
}

func (op *Operation) hasBelow(prefix string) bool {
	for id := range op.ids {
		if strings.HasPrefix(id, prefix+"/") {
			return true
		}
	}
	return false
}

// explain puts a failed keyword into words: what is wrong and what was
// expected instead.
func explain(k jsonschema.ErrorKind) (message, expected string) {
	switch k := k.(type) {
	case *kind.Type:
		var words []string
		for _, want := range k.Want {
			words = append(words, typeWords(want, ""))
		}
		return "has the wrong type", strings.Join(words, " or ")
	case *kind.Format:
		if k.Want == "int32" || k.Want == "int64" {
			return "is out of range", "an " + k.Want + ", which " + k.Err.Error()
		}
		return "has the wrong format", "a string (" + k.Want + ")"
	case *kind.Enum:
		return "is none of the allowed values", "one of " + values(k.Want)
	case *kind.Const:
		return "is not the one allowed value", values([]any{k.Want})
	case *kind.Pattern:
		return "does not match the pattern", "a string that matches " + k.Want
	case *kind.MinLength:
		return "is too short", fmt.Sprintf("at least %d characters", k.Want)
	case *kind.MaxLength:
		return "is too long", fmt.Sprintf("at most %d characters", k.Want)
	case *kind.MinItems:
		return "has too few items", fmt.Sprintf("at least %d items", k.Want)
	case *kind.MaxItems:
		return "has too many items", fmt.Sprintf("at most %d items", k.Want)
	case *kind.UniqueItems:
		return fmt.Sprintf("has equal items at %d and %d", k.Duplicates[0], k.Duplicates[1]), "items that differ"
	case *kind.MinProperties:
		return "has too few properties", fmt.Sprintf("at least %d properties", k.Want)
	case *kind.MaxProperties:
		return "has too many properties", fmt.Sprintf("at most %d properties", k.Want)
	case *kind.Minimum:
		return "is too small", "at least " + number(k.Want)
	case *kind.Maximum:
		return "is too large", "at most " + number(k.Want)
	case *kind.ExclusiveMinimum:
		return "is too small", "more than " + number(k.Want)
	case *kind.ExclusiveMaximum:
		return "is too large", "less than " + number(k.Want)
	case *kind.MultipleOf:
		return "is no multiple", "a multiple of " + number(k.Want)
	case *kind.Not:
		return "meets a schema that it must not meet", "a value that does not meet it"
	case *kind.FalseSchema:
		return "must not be there", "nothing"
	}
	return "breaks the keyword " + strings.Join(k.KeywordPath(), "/"), "a value that meets the schema"
}

func values(list []any) string {
	var words []string
	for _, v := range list {
		words = append(words, compact(v))
	}
	return strings.Join(words, ", ")
}

func number(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(strings.TrimRight(r.FloatString(20), "0"), ".")
}
