package generate

import "slices"

// Shrink lowers and deletes answers of a tape as long as what they make still holds. It
// takes a tape for simpler than another if the first answer in which they differ is
// lower.
//
// holds makes something of answers and reports whether it is still right. It returns the
// answers as they were used. Its tries can be expensive: Shrink makes about ten for each
// answer, and ends early if holds reports that no more tries are left.
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
		for at := 0; at < len(best.Answers); { // there may be fewer of them by and by
			if best.Answers[at] > 0 && lowerOne(best, at, try) {
				changed = true
			} else {
				at++
			}
		}
	}
	return best
}

// maxParts bounds the parts of which Shrink tries to leave out one.
const maxParts = 8

// lowerOne lowers the answer at a place. What follows it may be about something that is
// there no more, or, in a text or a list, about the part that is left out.
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

// lower says whether a tape is simpler. After its end a tape answers 0.
func lower(a, b []int) bool { return slices.Compare(trimmed(a), trimmed(b)) < 0 }

func trimmed(answers []int) []int {
	for len(answers) > 0 && answers[len(answers)-1] == 0 {
		answers = answers[:len(answers)-1]
	}
	return answers
}
