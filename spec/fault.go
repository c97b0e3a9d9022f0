package spec

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// fault is one keyword that a value fails, at one place.
type fault struct {
	path       []string // from the value judged down to the place
	message    string   // what is wrong, as a predicate: "is missing"
	expected   string
	misfit     bool // the value is not of the type, or none of the values, that are allowed
	undeclared undeclared
}

// undeclared says what a fault has to do with properties that must not be
// there.
type undeclared int

const (
	none    undeclared = iota // nothing
	one                       // the path leads to one
	several                   // the path leads to an object that has some
)

func (f fault) pointer() string { return pointer(f.path) }

// maxFaults bounds what is kept of a value that is wrong all over.
const maxFaults = 10_000

// faultsOf tells an error of a compiled schema in the contract's terms, in the
// order of the places. The shape and the value are those that were judged, and
// may be nil: they serve to say what was expected.
func faultsOf(err error, s *shape, value any) []fault {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil
	}
	t := faultTeller{shape: s, value: value}
	t.flatten(invalid)
	return t.sorted()
}

type faultTeller struct {
	shape  *shape
	value  any
	faults []fault
}

// sorted puts the faults into one order, where the validator's follows that of
// Go's maps, and drops those that two branches of a schema share.
func (t *faultTeller) sorted() []fault {
	slices.SortStableFunc(t.faults, func(a, b fault) int {
		return cmp.Or(slices.CompareFunc(a.path, b.path, compareSteps), cmp.Compare(a.message, b.message), cmp.Compare(a.expected, b.expected))
	})
	return slices.CompactFunc(t.faults, func(a, b fault) bool {
		return slices.Equal(a.path, b.path) && a.message == b.message && a.expected == b.expected
	})
}

// compareSteps orders the items of a list by number, and those before names.
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

// flatten walks the causes down to the keywords that failed.
func (t *faultTeller) flatten(e *jsonschema.ValidationError) {
	if len(t.faults) >= maxFaults {
		return
	}
	switch k := e.ErrorKind.(type) {
	case *kind.OneOf:
		if k.Subschemas != nil { // those that it meets
			t.add(fault{path: e.InstanceLocation, message: "meets several of the alternatives of which it must meet exactly one", expected: "exactly one of the alternatives"})
			return
		}
		t.alternatives(e)
	case *kind.AnyOf:
		t.alternatives(e)
	case *kind.Required:
		t.missing(e.InstanceLocation, k.Missing, "is missing")
	case *kind.DependentRequired:
		t.missing(e.InstanceLocation, k.Missing, "is missing, though "+k.Prop+" is there")
	case *kind.AdditionalProperties:
		t.add(undeclaredFault(e.InstanceLocation, slices.Values(k.Properties), t.shape.at(e.InstanceLocation, t.value)))
	case *kind.FalseSchema:
		if path := e.InstanceLocation; len(path) > 0 && strings.HasSuffix(e.SchemaURL, "/unevaluatedProperties") {
			owner, name := path[:len(path)-1], path[len(path)-1:]
			t.add(undeclaredFault(owner, slices.Values(name), t.shape.at(owner, t.value)))
			return
		}
		t.add(fault{path: e.InstanceLocation, message: "must not be there", expected: "nothing"})
	case *kind.PropertyNames: // its causes speak of the name, as a value of its own
		t.add(fault{path: below(e.InstanceLocation, k.Property), message: "has a name that the contract rules out", expected: "another name"})
	case *kind.Contains, *kind.MinContains, *kind.MaxContains: // its causes say why each item is not the one
		t.leaf(e)
	default:
		if len(e.Causes) == 0 {
			t.leaf(e)
		}
		for _, cause := range e.Causes {
			t.flatten(cause)
		}
	}
}

func (t *faultTeller) add(f fault) { t.faults = append(t.faults, f) }

func (t *faultTeller) leaf(e *jsonschema.ValidationError) {
	f := fault{path: e.InstanceLocation}
	f.message, f.expected = explain(e.ErrorKind, t.shape.at(e.InstanceLocation, t.value).format)
	switch e.ErrorKind.(type) {
	case *kind.Type, *kind.Const, *kind.Enum:
		f.misfit = true
	}
	t.add(f)
}

// missing tells of properties that are not there. One that only requests carry
// is missed by no response.
func (t *faultTeller) missing(owner []string, names []string, message string) {
	shape := t.shape.at(owner, t.value)
	for _, name := range names {
		f := fault{path: below(owner, name), message: message, expected: "the property " + name}
		if p := shape.property(name); p != nil {
			if p.writeOnly {
				continue
			}
			if text := p.shape.describe(); text != anything {
				f.expected += ", " + text
			}
		}
		t.add(f)
	}
}

// undeclaredFault tells of properties that the object at the path does not
// declare: of one by its own place, of several together.
func undeclaredFault(path []string, names iter.Seq[string], owner *shape) fault {
	var declared []string
	for _, p := range owner.properties {
		if !p.writeOnly {
			declared = append(declared, p.name)
		}
	}
	expected := "no property"
	if len(declared) > 0 {
		expected = "only " + strings.Join(declared, ", ")
	}
	const few = 5
	first, all := fewest(names, few)
	if all == 1 {
		return fault{path: below(path, first[0]), message: "is a property that the contract does not declare", expected: expected, undeclared: one}
	}
	message := "has properties that the contract does not declare: "
	if all > few {
		message += fmt.Sprintf("%d of them, such as ", all)
	}
	return fault{path: path, message: message + strings.Join(first, ", "), expected: expected, undeclared: several}
}

// fewest gives the first few of the names in alphabetical order, and how many
// there are in all.
func fewest(names iter.Seq[string], few int) (first []string, all int) {
	for name := range names {
		all++
		at, _ := slices.BinarySearch(first, name)
		if at < few {
			first = slices.Insert(first, at, name)
			first = first[:min(len(first), few)]
		}
	}
	return first, all
}

// below is a new path one step down.
func below(path []string, step string) []string {
	return append(slices.Clip(path), step)
}

// alternatives tells of a value that meets none of several schemas. Where only
// one of them can have been meant, its faults are the value's.
func (t *faultTeller) alternatives(e *jsonschema.ValidationError) {
	var meant [][]fault
	best := unlike
	for _, cause := range e.Causes {
		branch := faultTeller{shape: t.shape, value: t.value}
		branch.flatten(cause)
		faults := branch.sorted()
		if len(faults) == 0 {
			return // it lacks only what responses need not carry
		}
		switch fit := fitOf(faults, len(e.InstanceLocation)); {
		case fit > best:
			best, meant = fit, [][]fault{faults}
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
		closest := slices.MinFunc(meant, func(a, b []fault) int { return cmp.Compare(len(a), len(b)) })
		t.add(fault{
			path:     e.InstanceLocation,
			message:  fmt.Sprintf("meets none of the %d alternatives; by the closest, %s %s", len(e.Causes), orWhole(closest[0].pointer(), "it"), closest[0].message),
			expected: "one of the alternatives, by the closest " + closest[0].expected,
		})
	}
}

// unlikeAll tells of a value that none of the alternatives is like.
func (t *faultTeller) unlikeAll(e *jsonschema.ValidationError, branches [][]fault) {
	var expected []string
	for _, faults := range branches {
		for _, f := range faults {
			if f.misfit && len(f.path) == len(e.InstanceLocation) && !slices.Contains(expected, f.expected) {
				expected = append(expected, f.expected)
			}
		}
	}
	t.add(fault{
		path: e.InstanceLocation, message: "is like none of the alternatives",
		expected: strings.Join(expected, " or "), misfit: true,
	})
}

// fit says how likely one of several alternatives is the one that was meant.
type fit int

const (
	unlike   fit = iota // the value itself has another type, or is none of the values
	unmarked            // a property that is to tell the alternatives apart has another value
	alike
)

func fitOf(faults []fault, depth int) fit {
	best := alike
	for _, f := range faults {
		switch {
		case f.misfit && len(f.path) == depth:
			return unlike
		case f.misfit && len(f.path) == depth+1 && f.message != wrongType:
			best = unmarked
		}
	}
	return best
}

// orWhole is the pointer, or for that of the whole value its name.
func orWhole(pointer, whole string) string {
	if pointer == "" {
		return whole
	}
	return pointer
}
