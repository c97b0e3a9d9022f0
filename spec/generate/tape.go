package generate

import "math/rand/v2"

// Tape answers each choice of the generator with a number from 0, the simplest,
// up to below n. n is at least 1.
type Tape interface{ Choose(n int) int }

// Minimal is the tape that always answers 0.
type Minimal struct{}

// Choose implements [Tape].
func (Minimal) Choose(int) int { return 0 }

// Replay is a tape of recorded answers. After its end it answers 0, and an answer
// that is too large counts as the largest allowed one, so any list of numbers of
// at least 0 is a tape.
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

// Random is a tape that answers from a seed and records its answers for [Replay].
type Random struct {
	Answers []int
	source  *rand.Rand
}

// NewRandom makes the tape of a seed. The same seed gives the same answers.
func NewRandom(seed uint64) *Random {
	const stream = 0x636f6e666f726d // any constant will do
	return &Random{source: rand.New(rand.NewPCG(seed, stream))}
}

// Choose implements [Tape].
func (r *Random) Choose(n int) int {
	r.Answers = append(r.Answers, r.source.IntN(n))
	return r.Answers[len(r.Answers)-1]
}
