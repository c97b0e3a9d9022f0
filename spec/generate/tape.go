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

// Shrink makes a tape that fails as short and its answers as small as it can: it
// deletes blocks of answers, then lowers each answer by bisection, and starts over
// while that helps. It calls fails at most budget times, with tapes that it does
// not use again. The result fails if the tape given did.
func Shrink(tape []int, budget int, fails func([]int) bool) []int {
	s := shrinker{best: append([]int{}, tape...), budget: budget, fails: fails}
	for improved := true; improved && s.budget > 0; {
		improved = s.deleteBlocks()
		improved = s.lowerEach() || improved
	}
	return s.best
}

type shrinker struct {
	best   []int
	budget int
	fails  func([]int) bool
}

// try keeps a tape if it fails, too.
func (s *shrinker) try(tape []int) bool {
	if s.budget == 0 {
		return false
	}
	s.budget--
	if !s.fails(append([]int{}, tape...)) {
		return false
	}
	s.best = tape
	return true
}

// deleteBlocks tries blocks of half the tape first, then of a quarter and so on.
func (s *shrinker) deleteBlocks() (improved bool) {
	for size := len(s.best); size > 0; size /= 2 {
		for at := len(s.best) - size; at >= 0; {
			shorter := append(append([]int{}, s.best[:at]...), s.best[at+size:]...)
			if s.try(shorter) {
				improved = true
			}
			at = min(at, len(s.best)) - size
		}
	}
	return improved
}

func (s *shrinker) lowerEach() (improved bool) {
	for i := range s.best {
		low, high := 0, s.best[i] // high fails
		for low < high {
			lower := append([]int{}, s.best...)
			lower[i] = low + (high-low)/2
			if low == 0 {
				lower[i] = 0 // most answers do not matter
			}
			if s.try(lower) {
				high, improved = lower[i], true
			} else {
				low = lower[i] + 1
			}
		}
	}
	return improved
}
