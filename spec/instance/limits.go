package instance

import "fmt"

// Limits bound what is read of a JSON body. They are the harness's own: a body
// that exceeds one breaks no clause, and it cannot be judged. A field that is 0
// stands for its default, see [DefaultLimits].
type Limits struct {
	Depth        int // levels of objects and lists, up to MaxDepth
	NumberLength int // characters of a number literal
}

// MaxDepth is the greatest depth that can be asked for: each level takes room
// on the stack.
const MaxDepth = 100_000

// DefaultLimits are the limits of a run that names none.
func DefaultLimits() Limits { return Limits{Depth: 10_000, NumberLength: 1000} }

// Validate says which limit makes no sense.
func (l Limits) Validate() error {
	switch {
	case l.Depth < 0 || l.Depth > MaxDepth:
		return fmt.Errorf("max-depth is %d; it must be from 1 to %d", l.Depth, MaxDepth)
	case l.NumberLength < 0:
		return fmt.Errorf("max-number is %d characters; it must be at least 1", l.NumberLength)
	}
	return nil
}

// stepsPerLevel bounds how deep all values of a body lie together, per level
// of Limits.Depth. Every fault of a recursive schema is told with its whole
// path, several times, so that time and memory grow with depth times values.
// levelsPerValue is the average depth that is always allowed.
//
// workPerLevel and workPerValue bound in the same way how many schemas the values are held
// against, which alternatives multiply with each level.
const (
	stepsPerLevel  = 500
	levelsPerValue = 64
	workPerLevel   = 2
	workPerValue   = 300
)

// LimitError says that a body exceeds one of the [Limits], so that it cannot
// be judged. Its text is a sentence about the body.
type LimitError struct {
	Flag string // that raises the limit, without dashes: max-depth or max-number
	text string
}

func (e *LimitError) Error() string { return fmt.Sprintf("%s; raise --%s", e.text, e.Flag) }

// DeepInAll is a [*LimitError] where the values lie so deep together that a
// recursive schema cannot be held against them.
func (t Text) DeepInAll() error {
	if t.levels <= max(stepsPerLevel*t.limits.Depth, levelsPerValue*t.values) {
		return nil
	}
	return &LimitError{"max-depth", fmt.Sprintf("the body has too many values in deep levels for a limit of %d levels", t.limits.Depth)}
}

// Laborious is a [*LimitError] if a recursive schema holds the values against too many
// schemas.
func (t Text) Laborious(work float64) error {
	if work <= float64(max(workPerLevel*t.limits.Depth, workPerValue*t.values)) {
		return nil
	}
	return &LimitError{"max-depth", "the body is so deep that the alternatives of its schema would be tried too often"}
}
