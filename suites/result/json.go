package result

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/verdict"
)

// WriteJSON writes the stable format, as report.schema.json describes it.
func WriteJSON(w io.Writer, r Report) error {
	return terminal.WriteJSON(w, "the JSON report", "  ", r)
}

// EventSchemaID names the version of the events, which event.schema.json describes. NDJSON
// has one event in each line. Within one version keys are only added.
const EventSchemaID = "conformance.event/v1"

// Event is one thing that happens in a run: it begins, there is a result, a chain has created or
// removed something, or it ends. Apart from Schema, exactly one field is set.
type Event struct {
	Schema  string  `json:"schema"` // [EventSchemaID]; WriteEvent sets it
	Begun   *Begun  `json:"begun,omitempty"`
	Result  *Result `json:"result,omitempty"`
	Control *Result `json:"control,omitempty"` // of a request that is sent in addition to the fixtures, to compare rejections with
	Created *Step   `json:"created,omitempty"` // the clean-up request for what a chain has just created, before it is sent
	Removed *Step   `json:"removed,omitempty"` // a request that removed something that was created, if no other event has it
	Ended   *Ended  `json:"ended,omitempty"`
}

// Begun is what is known before the first request.
type Begun struct {
	Head
	Clauses []verdict.Clause `json:"clauses"`
	Waivers []verdict.Waiver `json:"waivers"`
}

// Ended is the outcome of the run.
type Ended struct {
	Run       Run             `json:"run"`
	Verdict   verdict.Verdict `json:"verdict"`
	Headline  string          `json:"headline,omitempty"`
	Qualified bool            `json:"qualified,omitempty"`
	Reason    string          `json:"reason"`
	Counts    Counts          `json:"counts"`
	Reached   verdict.Reached `json:"reached"`
}

// NewBegun returns the first event of a run.
func NewBegun(r Recording) Event {
	return Event{Begun: &Begun{Head: r.Head, Clauses: r.Clauses, Waivers: r.Waivers}}
}

// NewEnded returns the last event of a run.
func NewEnded(r Report) Event {
	return Event{Ended: &Ended{Run: r.Run, Verdict: r.Verdict, Headline: r.Headline, Qualified: r.Qualified, Reason: r.Reason, Counts: r.Counts, Reached: r.Reached}}
}

// WriteEvent writes an event as one line of NDJSON. It writes the line at once, so that a killed
// process leaves complete lines.
func WriteEvent(w io.Writer, e Event) error {
	e.Schema = EventSchemaID
	return terminal.WriteJSON(w, "the NDJSON report", "", e)
}

// WriteNDJSON writes the events of a run that has ended.
func WriteNDJSON(w io.Writer, r Report) error {
	recording := r.Recording()
	recording.Run.Complete = false
	events := []Event{NewBegun(recording)}
	for _, control := range r.Controls {
		events = append(events, Event{Control: &control})
	}
	for _, result := range r.Results {
		events = append(events, Event{Result: &result})
	}
	for _, e := range append(events, NewEnded(r)) {
		if err := WriteEvent(w, e); err != nil {
			return err
		}
	}
	return nil
}

// Read reads a recording: from a JSON report, or from the events of a run in NDJSON. The last
// events may be missing, and the last line may be cut off. A run without its end is not complete.
//
// Anything else, or another version, is an error.
func Read(r io.Reader) (Recording, error) {
	in := bufio.NewReader(r)
	first, err := in.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return Recording{}, fmt.Errorf("reading a report: %w", err)
	}
	whole := io.MultiReader(bytes.NewReader(first), in)
	var begun Event
	if json.Unmarshal(first, &begun) == nil && begun.Schema == EventSchemaID {
		return readEvents(whole)
	}
	data, err := io.ReadAll(whole)
	if err != nil {
		return Recording{}, fmt.Errorf("reading a report: %w", err)
	}
	var report Report
	switch err := json.Unmarshal(data, &report); {
	case err != nil:
		return Recording{}, fmt.Errorf("is not a report in JSON or NDJSON: %w", err)
	case report.Schema != SchemaID:
		return Recording{}, fmt.Errorf("is not a report of this version: its schema is %q, not %q", report.Schema, SchemaID)
	}
	return report.Recording(), nil
}

func readEvents(r io.Reader) (Recording, error) {
	var out Recording
	begun := false
	lines := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) { // a partial last line is ignored
			if !begun {
				return Recording{}, errors.New("does not say how the run began: its first line is missing")
			}
			return out, nil
		}
		if err != nil {
			return Recording{}, fmt.Errorf("reading line %d: %w", number, err)
		}
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			return Recording{}, fmt.Errorf("line %d is not an event: %w", number, err)
		}
		switch {
		case e.Schema != EventSchemaID:
			return Recording{}, fmt.Errorf("line %d is not an event of this version: its schema is %q, not %q", number, e.Schema, EventSchemaID)
		case e.Begun != nil && !begun:
			begun = true
			out.Head, out.Clauses, out.Waivers = e.Begun.Head, e.Begun.Clauses, e.Begun.Waivers
		case e.Result != nil && begun:
			out.Results = append(out.Results, *e.Result)
		case e.Control != nil && begun:
			out.Controls = append(out.Controls, *e.Control)
		case e.Created != nil && begun:
			out.created = append(out.created, *e.Created)
		case e.Removed != nil && begun:
			out.removed = append(out.removed, *e.Removed)
		case e.Ended != nil && begun:
			out.Run = e.Ended.Run
		default:
			return Recording{}, fmt.Errorf("line %d is out of place: a run begins once, has results and ends", number)
		}
	}
}
