package generate

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/schema"
)

// Explore makes a value of a request like [Draw], for a search. Texts without a pattern or format
// are spelled letter by letter, and the plainest of them is the shortest.
func Explore(s *schema.Schema, t Tape) (any, error) {
	return valueOf(drawn(s, schema.Request, t, true))
}

// Break makes a value like [Explore], and breaks it in one place, in one of the ways of [Invalid].
// The compiled schema accepts the twin and rejects the value. The error is a [*NoValueError] if no
// value was found, or if no change at the chosen place is invalid.
func Break(s *schema.Schema, t Tape) (Case, error) {
	of, twin, err := drawn(s, schema.Request, t, true)
	if err != nil {
		return Case{}, err
	}
	var found Case
	c := &caser{subject: of, seen: map[string]bool{}, work: maxWork, yield: func(one Case) bool {
		found = one
		return false
	}}
	places := twin.all()
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

// choosePlace chooses a place by its path. So the same answers choose the same place even if a
// simpler value has fewer places.
func choosePlace(places []*made, t Tape) *made {
	const few = 64 // all of these are equally likely
	at := [2]int{t.Choose(few), t.Choose(few)}
	rank := func(m *made) uint64 {
		h := fnv.New64a()
		_, _ = fmt.Fprint(h, at, instance.Pointer(m.path), at) // a hash takes any bytes
		return h.Sum64()
	}
	return slices.MinFunc(places, func(a, b *made) int { return cmp.Compare(rank(a), rank(b)) })
}

// seriesAt returns the ways to break a value at one of its places. A missing property is a change
// at the place of that property.
func (c *caser) seriesAt(places []*made, place *made) []*series {
	var changes []Case
	for _, parent := range places {
		changes = append(changes, c.missing(parent)...)
	}
	changes = lists.Filter(changes, func(ch Case) bool { return slices.Equal(ch.Path, place.path) })
	for _, of := range c.faults() {
		changes = append(changes, lists.Filter(of(place), func(ch Case) bool { return ch.Kind != "required" })...)
	}
	return seriesOf(base{}, changes)
}

// Shrink lowers and deletes answers of a tape as long as holds accepts the result. A tape is
// simpler than another if the first answer in which they differ is lower.
//
// holds makes something of the answers and reports whether it still shows what was found. It also
// returns the answers that were used. It may be expensive: Shrink calls it about ten times for each
// answer. Shrink ends early if goOn is false.
func Shrink(best *Recorder, holds func(answers []int) (used *Recorder, ok, goOn bool)) *Recorder {
	left := true
	try := func(answers []int) bool {
		if !left || !lower(answers, best.Answers) {
			return false
		}
		used, ok, goOn := holds(answers)
		left = goOn
		if ok = ok && lower(used.Answers, best.Answers); ok {
			best = used
		}
		return ok
	}
	for changed := true; changed && left; {
		changed = false
		for at := 0; at < len(best.Answers); { // their number can get smaller
			if best.Answers[at] > 0 && lowerOne(best, at, try) {
				changed = true
			} else {
				at++
			}
		}
	}
	return best
}

// maxParts bounds how many parts Shrink tries to leave out, one at a time.
const maxParts = 8

// lowerOne lowers the answer at an index. Later answers may be about something that no longer
// exists or, in a text or a list, about the part that is left out.
func lowerOne(best *Recorder, at int, try func([]int) bool) bool {
	answers := best.Answers
	with := func(n int, rest ...int) []int {
		return slices.Concat(answers[:at], []int{n}, rest)
	}
	end, after := endOf(best.Places, at), answers[at+1:]
	if try(with(0, answers[end:]...)) || try(with(0, after...)) {
		return true
	}
	// Halve the distance to the lowest answer that holds.
	fails, lowered := 0, false
	for n := answers[at]; n-fails > 1; {
		middle := fails + (n-fails)/2
		if try(with(middle, after...)) {
			n, lowered = middle, true
		} else {
			fails = middle
		}
	}
	if lowered {
		return true
	}
	// Leave out one letter of a text, or one item of a list.
	for from, parts := at+1, 0; from < end && parts < maxParts; parts++ {
		to := endOf(best.Places, from)
		rest := answers[to:]
		if best.Places[from] == best.Places[at] {
			run := to
			to = from + 1
			rest = slices.Concat(answers[to:run], []int{0}, answers[run:])
		}
		if try(with(answers[at]-1, slices.Concat(answers[at+1:from], rest)...)) {
			return true
		}
		from = to
	}
	return false
}

// lower reports whether tape a is simpler than tape b. After its end a tape answers 0.
func lower(a, b []int) bool { return slices.Compare(trimmed(a), trimmed(b)) < 0 }

func trimmed(answers []int) []int {
	for len(answers) > 0 && answers[len(answers)-1] == 0 {
		answers = answers[:len(answers)-1]
	}
	return answers
}
