package generate

import (
	"slices"

	"github.com/plantstore/conformance/spec/schema"
)

// Explore makes a value like [Draw], for a search: texts that may hold anything are
// spelled letter by letter, and the plainest of them is the shortest.
func Explore(s *schema.Schema, d schema.Direction, t Tape) (any, error) {
	_, one, err := explore(s, d, t)
	if err != nil {
		return nil, err
	}
	return one.value, nil
}

// Break makes a value like [Explore], and breaks it in one place, in one of the ways of
// [Invalid]. The compiled schema has accepted the twin and refused the value. The error
// is a [*NoValueError] if the schema refuses nothing there.
func Break(s *schema.Schema, d schema.Direction, t Tape) (Case, error) {
	of, twin, err := explore(s, d, t)
	if err != nil {
		return Case{}, err
	}
	var found Case
	c := &caser{subject: of, seen: map[string]bool{}, work: maxWork, yield: func(one Case) bool {
		found = one
		return false
	}}
	places := slices.Collect(twin.all())
	place := places[t.Choose(len(places))]
	var changes []change
	for _, of := range c.faults() {
		changes = append(changes, of(place)...)
	}
	if len(changes) == 0 {
		return Case{}, &NoValueError{s.Place.Pointer}
	}
	from := t.Choose(len(changes))
	for i := range changes {
		if _, given := c.give(base{made: twin}, changes[(from+i)%len(changes)], false); given {
			return found, nil
		}
	}
	return Case{}, &NoValueError{s.Place.Pointer}
}

func explore(s *schema.Schema, d schema.Direction, t Tape) (*subject, *made, error) {
	of, err := newSubject(s, d)
	if err != nil {
		return nil, nil, err
	}
	of.letters = true
	one, err := of.drawFrom(t)
	if err != nil {
		return nil, nil, err
	}
	if of.compiled == nil {
		return nil, nil, &NoValueError{s.Place.Pointer}
	}
	return of, one, nil
}
