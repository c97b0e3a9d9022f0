// Package notes finds the flaws of a document that do not keep it from being read,
// and what they touch.
//
// [Survey] follows every $ref and looks at every schema once, and in doing so reads
// the other files of the document. What reads the document afterwards adds the flaws
// that it finds, by [Notes.Add]. Then [Notes.Touching] says which note, if any, makes
// it unknown what the document says at a place.
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

// Note is a flaw of a document that does not keep it from being read. What it
// touches is not judged.
type Note struct {
	*flaw // with File, Line, Column, Pointer, Message and Excerpt

	// Operations are the ids of the operations that are not judged in full because
	// of it, in the document's order. It may be none.
	Operations []string

	harmless bool // nothing that is judged depends on it
}

// flaw has the fields of an error, without its methods.
type flaw document.Error

// Of makes a note of an error about a place in a document.
func Of(err *document.Error) *Note { return &Note{flaw: (*flaw)(err)} }

// Err is the note as an error, a [*document.Error].
func (n *Note) Err() error { return (*document.Error)(n.flaw) }

// Sentence is the note in one line, with its place.
func (n *Note) Sentence() string {
	text, _, _ := strings.Cut(n.Err().Error(), "\n")
	return text
}

// Touch says how far a place is from being known.
type Touch struct {
	Note *Note

	// Inverted says that what is left of the document may forbid what the whole
	// permits. Without it, what breaks the rest breaks the whole as well.
	Inverted bool
}

// Notes are those of one document.
type Notes struct {
	list    []*Note
	known   map[document.Error]*Note
	holders map[string][]string // pointers to the objects with a $ref, by what these mean
	touched map[string]Touch    // by the pointers to places and all that they are in
}

// Add adds a flaw, unless it is known. The error is a [*document.Error].
func (n *Notes) Add(err error) *Note { return n.add(err, false) }

// AddHarmless adds a flaw on which nothing depends that is judged.
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

// inverting are the steps of a pointer below which a schema that permits more may
// make the whole permit less.
var inverting = regexp.MustCompile(`/(?:not|oneOf|if|contains)(?:/|$)`)

// Trace finds what each note touches: the places that it is in, and those that
// refer to one of them. operations are the ids of the operations by the pointers to
// what they are made of. It ends early with the context.
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

// step is a place that is touched.
type step struct {
	pointer  string
	inverted bool
}

// upwards touches all that a place is in, up to the operation that it is part of. It returns the
// places that refer to one of these.
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

// Touching is the note that touches what is at the place of that pointer; its Note is
// nil where there is none.
func (n *Notes) Touching(pointer string) Touch { return n.touched[pointer] }

// All are the notes, in the order of their places.
func (n *Notes) All() []*Note {
	slices.SortStableFunc(n.list, func(a, b *Note) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	return n.list
}
