// Package notes finds the flaws of a document that do not prevent reading it, and the parts that
// they affect.
//
// [Survey] follows every $ref and checks every schema once. This also reads the other files of the
// document. Package spec then adds the flaws that it finds, by [Notes.Add], and calls
// [Notes.Trace]. After that, [Notes.Touching] returns the note that affects a place, if any.
package notes

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

// Note is a flaw of a document that does not prevent reading it. The parts that it affects are not
// judged.
type Note struct {
	*flaw // with File, Line, Column, Pointer, Message and Excerpt

	// Operations are the ids of the operations that are not fully judged because of the flaw, in
	// the document's order.
	Operations []string

	harmless bool // nothing that is judged depends on it
}

// flaw has the fields of an error, without its methods.
type flaw document.Error

// Of makes a note of an error about a place in a document.
func Of(err *document.Error) *Note { return &Note{flaw: (*flaw)(err)} }

// Err returns the note as an error, a [*document.Error].
func (n *Note) Err() error { return (*document.Error)(n.flaw) }

// Sentence returns the note in one line, with its place.
func (n *Note) Sentence() string {
	text, _, _ := strings.Cut(n.Err().Error(), "\n")
	return text
}

// Touch says how a note affects a place.
type Touch struct {
	Flaw *Note // why it is unknown which values are valid, or nil

	// Inverted means that the document without the flawed part may forbid values that the whole
	// permits. If it is false, a value that breaks the rest also breaks the whole.
	Inverted bool
}

// Notes collects the notes of one document.
type Notes struct {
	list    []*Note
	known   map[document.Error]*Note
	holders map[string][]string // pointers to the objects with a $ref, by the pointer to its target
	touched map[string]Touch    // by the pointers to the places and all that contain them
}

// Add adds a flaw, unless it is known, and returns its note. The error should be a
// [*document.Error].
func (n *Notes) Add(err error) *Note { return n.add(err, false) }

// AddHarmless adds a flaw that affects nothing that is judged.
func (n *Notes) AddHarmless(err error) *Note { return n.add(err, true) }

func (n *Notes) add(err error, harmless bool) *Note {
	located, ok := errors.AsType[*document.Error](err)
	if !ok {
		located = &document.Error{Message: err.Error()}
	}
	key := document.Error{File: located.File, Line: located.Line, Column: located.Column, Message: located.Message}
	if known := n.known[key]; known != nil {
		return known
	}
	note := Of(located)
	note.harmless = harmless
	n.known[key] = note
	n.list = append(n.list, note)
	return note
}

// inverting matches the keywords below which a schema that permits more may make the whole permit
// less.
var inverting = regexp.MustCompile(`/(?:not|oneOf|if|contains)(?:/|$)`)

// Trace finds the places that each note affects: those that contain it, and those that refer to one
// of them. operations has the ids of operations by the pointers to their parts. Trace stops when
// the context ends.
func (n *Notes) Trace(ctx context.Context, operations map[string][]string) {
	for _, note := range n.list {
		if note.harmless || ctx.Err() != nil {
			continue
		}
		seen := map[string]bool{} // by pointer: whether it is inverted
		for open := []step{{note.Pointer, strings.HasPrefix(note.Message, selfIncluding)}}; len(open) > 0; {
			next := open[0]
			open = append(open[1:], n.upwards(note, next, operations, seen)...)
		}
	}
}

// step is a place that a note affects.
type step struct {
	pointer  string
	inverted bool
}

// upwards marks all places that contain a place, up to its operation. It returns the places that
// refer to one of them.
func (n *Notes) upwards(note *Note, from step, operations map[string][]string, seen map[string]bool) (holders []step) {
	for end := len(from.pointer); end > 0; end = strings.LastIndexByte(from.pointer[:end], '/') {
		at := step{from.pointer[:end], from.inverted || inverting.MatchString(from.pointer[end:])}
		if before, known := seen[at.pointer]; known && (before || !at.inverted) {
			return holders
		}
		seen[at.pointer] = at.inverted
		if known, ok := n.touched[at.pointer]; !ok || at.inverted && !known.Inverted {
			n.touched[at.pointer] = Touch{note, at.inverted}
		}
		for _, holder := range n.holders[at.pointer] {
			holders = append(holders, step{holder, at.inverted})
		}
		for _, id := range operations[at.pointer] {
			if !slices.Contains(note.Operations, id) {
				note.Operations = append(note.Operations, id)
			}
		}
		if operations[at.pointer] != nil {
			return holders
		}
	}
	return holders
}

// Touching returns the note that affects the place with that pointer. Its Note is nil if there is
// none.
func (n *Notes) Touching(pointer string) Touch { return n.touched[pointer] }

// All returns the notes, sorted by place.
func (n *Notes) All() []*Note {
	slices.SortStableFunc(n.list, func(a, b *Note) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	return n.list
}
