package generate

import (
	"math/bits"
	"math/rand/v2"
	"strings"
)

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
