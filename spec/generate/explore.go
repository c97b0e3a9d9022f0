package generate

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
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
		if len(parent.path)+1 == len(place.path) && slices.Equal(parent.path, place.path[:len(parent.path)]) {
			changes = append(changes, c.missing(parent)...)
		}
	}
	changes = slices.DeleteFunc(changes, func(ch Case) bool { return !slices.Equal(ch.Path, place.path) })
	for _, of := range c.faults() {
		for _, ch := range of(place) {
			if ch.Kind != "required" {
				changes = append(changes, ch)
			}
		}
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

// A Tape answers each choice of the generator with a number from 0, the simplest, to n-1. n is at
// least 1.
type Tape interface{ Choose(n int) int }

// Minimal is the tape that always answers 0.
type Minimal struct{}

// Choose implements [Tape].
func (Minimal) Choose(int) int { return 0 }

// Replay is a tape of recorded answers. After its end it answers 0. An answer that is too large
// counts as the largest allowed one. So any list of numbers of at least 0 is a tape.
type Replay struct {
	Answers []int
	next    int
}

// Choose implements [Tape].
func (r *Replay) Choose(n int) int {
	if r.next >= len(r.Answers) {
		return 0
	}
	r.next++
	return max(0, min(r.Answers[r.next-1], n-1))
}

// random is a tape that answers from a seed.
type random struct{ *rand.Rand }

// NewRandom returns the tape of a seed. The same seed gives the same answers.
func NewRandom(seed uint64) Tape {
	const stream = 0x636f6e666f726d // any constant will do
	return random{rand.New(rand.NewPCG(seed, stream))}
}

// Choose implements [Tape]. Few answers are all equally likely. Of many, such as numbers and
// lengths, those at which services often fail are likelier.
func (r random) Choose(n int) int {
	const few = 64
	if n <= few {
		return r.IntN(n)
	}
	return max(0, min(r.remarkable(n), n-1))
}

// remarkable draws from a wide range: the smallest and the largest numbers, those around
// the limits of number types and around powers of ten, and others of each size.
func (r random) remarkable(n int) int {
	const kinds, smallest, around = 8, 6, 3
	near := r.IntN(around) - 1
	switch kind := r.IntN(kinds); kind {
	case 0, 1:
		return r.IntN(smallest)
	case 2:
		return n - 1 - r.IntN(around)
	case 3, 4, 5:
		sizes := []int{7, 8, 15, 16, 31, 32, 53}
		for len(sizes) > 1 && 1<<sizes[len(sizes)-1] >= n {
			sizes = sizes[:len(sizes)-1]
		}
		return 1<<sizes[r.IntN(len(sizes))] + near
	case 6:
		ten, power := 10, r.IntN(18)
		for ; power > 0 && ten < n/10; power-- {
			ten *= 10
		}
		return ten + near
	}
	return r.IntN(min(n-1, 1<<r.IntN(bits.Len(uint(n)))) + 1)
}

// A Recorder records the answers of another tape for [Replay], and the place that each answer is
// about. So [Shrink] can leave out all answers about one place together.
type Recorder struct {
	From    Tape
	Answers []int
	Places  []string // one for each answer; a place is inside another if it begins with that place and a slash

	under string // the place that contains the next ones
}

// Choose implements [Tape].
func (r *Recorder) Choose(n int) int { return r.choose("", n) }

// Under sets the place that contains the values of the next choices.
func (r *Recorder) Under(place string) { r.under = place }

func (r *Recorder) choose(place string, n int) int {
	at := r.From.Choose(n)
	r.Answers, r.Places = append(r.Answers, at), append(r.Places, r.under+place)
	return at
}

// endOf returns the end of the answers that follow an answer and are about values in its place.
func endOf(places []string, at int) int {
	end := at + 1
	for end < len(places) && (places[end] == places[at] || strings.HasPrefix(places[end], places[at]+"/")) {
		end++
	}
	return end
}
