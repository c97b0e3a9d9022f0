package schema

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
)

// A Fault is one keyword that a value fails, at one place.
type Fault struct {
	Path       []string // from the validated value to the place
	Message    string   // what is wrong, as a predicate: "is missing"
	Expected   string
	Undeclared bool     // the fault is about undeclared properties
	Owner      []string // if Undeclared: the path of the object with these properties
	Should     bool     // the document does not strictly forbid the value: see [Schema.Faults]

	misfit   bool // the value has a wrong type, or is not one of the allowed values
	mistyped bool // the value has a wrong type, for all alternatives if there are several
	follows  bool // it follows from another fault of the object: the branch that declares the property is not met
}

// Pointer returns the path as a JSON pointer.
func (f Fault) Pointer() string { return instance.Pointer(f.Path) }

// maxFaults bounds the number of faults that are kept for one value.
const maxFaults = 10_000

// faultsOf translates an error of a compiled schema into faults, in the order of their places.
func faultsOf(err error, t faultTeller) []Fault {
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return nil
	}
	t.flatten(invalid, nil)
	return t.sorted()
}

// Meets reports whether a value meets a part of a compiled schema. root is the root of its
// document. A value of a oneOf with a discriminator may meet several alternatives. OpenAPI up to
// 3.0.3 and 3.1.0 can be read so that the discriminator chooses one of them ("a hint to shortcut
// validation"). In many documents nothing else distinguishes the alternatives.
func Meets(part *jsonschema.Schema, root document.Place, value any) bool {
	err := part.Validate(value)
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	return err == nil || ok && (&faultTeller{root: root}).isChosen(invalid)
}

// A faultTeller collects faults. shape and value are those that were validated. They serve to say
// what was expected, and may be nil.
type faultTeller struct {
	shape     *Shape
	value     any
	direction Direction
	root      document.Place // of the document
	faults    []Fault
}

// sorted returns the faults in a fixed order, because the order of the validator follows Go's maps.
// It drops duplicates from several branches of a schema, and faults that follow from others.
func (t *faultTeller) sorted() []Fault {
	all := slices.Clone(t.faults)
	t.faults = slices.DeleteFunc(t.faults, func(f Fault) bool {
		return f.follows && slices.ContainsFunc(all, func(other Fault) bool {
			return !other.follows && len(other.Path) >= len(f.Owner) && slices.Equal(other.Path[:len(f.Owner)], f.Owner)
		})
	})
	slices.SortStableFunc(t.faults, func(a, b Fault) int {
		return cmp.Or(slices.CompareFunc(a.Path, b.Path, compareSteps), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Expected, b.Expected))
	})
	return slices.CompactFunc(t.faults, func(a, b Fault) bool {
		return slices.Equal(a.Path, b.Path) && a.Message == b.Message && a.Expected == b.Expected
	})
}

// compareSteps orders the items of a list by number, and puts them before names.
func compareSteps(a, b string) int {
	if a == b {
		return 0
	}
	number := func(step string) int {
		if i, err := strconv.Atoi(step); err == nil {
			return i
		}
		return math.MaxInt
	}
	return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(a, b))
}

// flatten walks the causes down to the keywords that failed. within is the path of the error around
// e.
func (t *faultTeller) flatten(e *jsonschema.ValidationError, within []string) {
	if len(t.faults) >= maxFaults {
		return
	}
	switch k := e.ErrorKind.(type) {
	case *kind.OneOf:
		if t.isChosen(e) {
			return
		}
		if k.Subschemas != nil { // the alternatives that the value meets
			t.add(Fault{Path: e.InstanceLocation, Message: "matches several alternatives (" + t.namesOf(e, k.Subschemas) + "), but must match exactly one", Expected: "exactly one of the alternatives"})
			return
		}
		t.alternatives(e)
	case *kind.AnyOf:
		if !t.isChosen(e) {
			t.alternatives(e)
		}
	case *kind.Required:
		t.missing(e.InstanceLocation, k.Missing, "is missing")
	case *kind.DependentRequired:
		t.missing(e.InstanceLocation, k.Missing, "is missing, though "+k.Prop+" is there")
	case *kind.AdditionalProperties:
		t.add(t.shape.At(e.InstanceLocation, t.value).Undeclared(t.direction, e.InstanceLocation, k.Properties))
	case *kind.FalseSchema:
		if path := e.InstanceLocation; len(path) > 0 && strings.HasSuffix(e.SchemaURL, "/unevaluatedProperties") {
			owner, name := path[:len(path)-1], path[len(path)-1:]
			shape := t.shape.At(owner, t.value)
			f := shape.Undeclared(t.direction, owner, name)
			f.follows = shape.Property(name[0]) != nil
			t.add(f)
			return
		}
		t.add(Fault{Path: e.InstanceLocation, Message: "must not be there", Expected: "nothing"})
	case *kind.PropertyNames: // its causes are about the name, not about the object
		t.add(Fault{Path: instance.Below(t.holder(e.InstanceLocation, within, k.Property), k.Property), Message: "has a name that the contract forbids", Expected: "another name"})
	case *kind.Contains, *kind.MinContains, *kind.MaxContains: // its causes say why each item does not match
		t.leaf(e)
	default:
		if len(e.Causes) == 0 {
			t.leaf(e)
		}
		for _, cause := range e.Causes {
			t.flatten(cause, e.InstanceLocation)
		}
	}
}

func (t *faultTeller) add(f Fault) { t.faults = append(t.faults, f) }

// isChosen reports whether the only fault is that the value meets several alternatives, and a
// discriminator chooses one of them.
func (t *faultTeller) isChosen(e *jsonschema.ValidationError) bool {
	switch k := e.ErrorKind.(type) {
	case *kind.OneOf:
		if k.Subschemas != nil {
			return hasChoice(t.union(e))
		}
		return slices.ContainsFunc(e.Causes, t.isChosen)
	case *kind.AnyOf:
		return slices.ContainsFunc(e.Causes, t.isChosen)
	}
	return len(e.Causes) > 0 && !slices.ContainsFunc(e.Causes, func(cause *jsonschema.ValidationError) bool { return !t.isChosen(cause) })
}

// union returns the schema whose oneOf failed. Its node is nil if the schema is not known.
func (t *faultTeller) union(e *jsonschema.ValidationError) document.Place {
	pointer, inDocument := pointerOf(e.SchemaURL)
	if !inDocument || t.root.Node == nil {
		return document.Place{}
	}
	return t.root.Follow(strings.TrimSuffix(pointer, "/oneOf"))
}

// namesOf returns the names of some alternatives, or their numbers, from 1.
func (t *faultTeller) namesOf(e *jsonschema.ValidationError, alternatives []int) string {
	all := t.union(e).To("oneOf").List()
	var names []string
	for _, i := range alternatives {
		name := strconv.Itoa(i + 1)
		if i < len(all) {
			name = cmp.Or(NameIn(all[i].Get("$ref").Text()), name)
		}
		names = append(names, name)
	}
	return strings.Join(names, " and ")
}

// holder returns the path of the object that has a property with that name. The validator
// overwrites the path of such an error when it goes on to other values. Only its length is
// reliable, and the path of the error around it (within).
func (t *faultTeller) holder(path, within []string, name string) []string {
	for _, from := range [][]string{path, within} {
		value, _ := instance.At(t.value, from)
		if rest, found := holderIn(value, len(path)-len(from), name); found {
			return slices.Concat(from, rest)
		}
	}
	return path
}

func holderIn(value any, depth int, name string) (path []string, found bool) {
	into := func(step string, inner any) bool {
		path, found = holderIn(inner, depth-1, name)
		path = slices.Insert(path, 0, step)
		return found
	}
	switch value := value.(type) {
	case map[string]any:
		if _, has := value[name]; depth == 0 {
			return nil, has
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if into(key, value[key]) {
				return path, true
			}
		}
	case []any:
		for i := 0; depth > 0 && i < len(value); i++ {
			if into(strconv.Itoa(i), value[i]) {
				return path, true
			}
		}
	}
	return nil, false
}

func (t *faultTeller) leaf(e *jsonschema.ValidationError) {
	f := Fault{Path: e.InstanceLocation}
	f.Message, f.Expected = explain(e.ErrorKind, t.shape.At(e.InstanceLocation, t.value).Format)
	switch e.ErrorKind.(type) {
	case *kind.Type:
		f.misfit, f.mistyped = true, true
	case *kind.Const, *kind.Enum:
		f.misfit = true
	}
	t.add(f)
}

// missing adds a fault for each missing property. It skips those that only the other direction
// carries.
func (t *faultTeller) missing(owner []string, names []string, message string) {
	shape := t.shape.At(owner, t.value)
	for _, name := range names {
		f := Fault{Path: instance.Below(owner, name), Message: message, Expected: "the property " + name}
		if p := shape.Property(name); p != nil {
			if !p.Carried(t.direction) {
				continue
			}
			f.Expected += p.Shape.DescribeAfter(", ")
		}
		t.add(f)
	}
}

// Undeclared returns the fault of an object of that shape, at that path, with properties of these
// names that the contract does not declare. Its path is that of the property if there is only one,
// or else that of the object.
func (s *Shape) Undeclared(d Direction, path []string, names []string) Fault {
	carried := lists.Filter(s.Properties, func(p *Property) bool { return p.Carried(d) })
	declared := lists.Map(carried, func(p *Property) string { return p.Name })
	expected := "no property"
	if len(declared) > 0 {
		expected = "only " + strings.Join(declared, ", ")
	}
	const few = 5
	all := slices.Sorted(slices.Values(names))
	if len(all) == 1 {
		return Fault{Path: instance.Below(path, all[0]), Message: "is a property that the contract does not declare", Expected: expected, Undeclared: true, Owner: path}
	}
	message := "has properties that the contract does not declare: "
	if len(all) > few {
		message += fmt.Sprintf("%d of them, such as ", len(all))
	}
	return Fault{Path: path, Message: message + strings.Join(all[:min(few, len(all))], ", "), Expected: expected, Undeclared: true, Owner: path}
}

// alternatives adds the faults of a value that meets none of several schemas. If only one of them
// can be meant, its faults are those of the value.
func (t *faultTeller) alternatives(e *jsonschema.ValidationError) {
	var meant [][]Fault
	best := unlike
	for _, cause := range e.Causes {
		branch := faultTeller{shape: t.shape, value: t.value, direction: t.direction, root: t.root}
		branch.flatten(cause, e.InstanceLocation)
		faults := branch.sorted()
		if len(faults) == 0 {
			return // it lacks only properties that this direction need not carry
		}
		switch fit := fitOf(faults, len(e.InstanceLocation)); {
		case fit > best:
			best, meant = fit, [][]Fault{faults}
		case fit == best:
			meant = append(meant, faults)
		}
	}
	switch {
	case len(meant) == 1:
		t.faults = append(t.faults, meant[0]...)
	case best == unlike:
		t.unlikeAll(e, meant)
	default:
		closest := slices.MinFunc(meant, func(a, b []Fault) int { return cmp.Compare(len(a), len(b)) })
		t.add(Fault{
			Path:     e.InstanceLocation,
			Message:  fmt.Sprintf("matches none of the %d alternatives; compared with the closest one, %s %s", len(e.Causes), cmp.Or(closest[0].Pointer(), "it"), closest[0].Message),
			Expected: "one of the alternatives, by the closest " + closest[0].Expected,
		})
	}
}

// unlikeAll adds the fault of a value that is unlike all alternatives.
func (t *faultTeller) unlikeAll(e *jsonschema.ValidationError, branches [][]Fault) {
	var expected []string
	mistyped := true
	for _, faults := range branches {
		own := lists.Filter(faults, func(f Fault) bool { return f.misfit && len(f.Path) == len(e.InstanceLocation) })
		mistyped = mistyped && slices.ContainsFunc(own, func(f Fault) bool { return f.mistyped })
		for _, f := range own {
			expected = union(expected, strings.Split(f.Expected, " or ")) // an alternative may expect several types
		}
	}
	t.add(Fault{
		Path: e.InstanceLocation, Message: "matches none of the alternatives",
		Expected: strings.Join(expected, " or "), misfit: true, mistyped: mistyped,
	})
}

// fit says how likely it is that one of several alternatives was meant.
type fit int

const (
	unlike   fit = iota // the value itself has another type, or is not an allowed value
	unmarked            // a property that distinguishes the alternatives has another value
	alike
)

func fitOf(faults []Fault, depth int) fit {
	best := alike
	for _, f := range faults {
		switch {
		case f.misfit && len(f.Path) == depth:
			return unlike
		case f.misfit && len(f.Path) == depth+1 && !f.mistyped:
			best = unmarked
		}
	}
	return best
}
