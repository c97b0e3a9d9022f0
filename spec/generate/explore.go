package generate

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/plantstore/conformance/spec/instance"
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
	all := c.seriesAt(places, choosePlace(places, t))
	if len(all) == 0 {
		return Case{}, &NoValueError{s.Place.Pointer}
	}
	first := t.Choose(len(all))
	for i := range all {
		changes := all[(first+i)%len(all)].changes
		from := t.Choose(len(changes))
		for j := range changes {
			if _, given := c.give(base{made: twin}, changes[(from+j)%len(changes)], false); given {
				return found, nil
			}
		}
	}
	return Case{}, &NoValueError{s.Place.Pointer}
}

// choosePlace chooses a place by its path, so that the same answers choose the same place
// if a simpler value has fewer of them.
func choosePlace(places []*made, t Tape) *made {
	const few = 64 // of which all are as likely
	at := [2]int{t.Choose(few), t.Choose(few)}
	rank := func(m *made) uint64 {
		h := fnv.New64a()
		_, _ = fmt.Fprint(h, at, instance.Pointer(m.path), at) // a hash takes any bytes
		return h.Sum64()
	}
	return slices.MinFunc(places, func(a, b *made) int { return cmp.Compare(rank(a), rank(b)) })
}

// seriesAt are the ways to break a value at one of its places. That a property is missing
// counts for the place of this property.
func (c *caser) seriesAt(places []*made, place *made) []*series {
	var changes []change
	for _, parent := range places {
		if len(parent.path)+1 == len(place.path) && slices.Equal(parent.path, place.path[:len(parent.path)]) {
			changes = append(changes, c.missing(parent)...)
		}
	}
	changes = slices.DeleteFunc(changes, func(ch change) bool { return !slices.Equal(ch.path, place.path) })
	for _, of := range c.faults() {
		for _, ch := range of(place) {
			if ch.kind != "required" {
				changes = append(changes, ch)
			}
		}
	}
	return seriesOf(base{}, changes)
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
