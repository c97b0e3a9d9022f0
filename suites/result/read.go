package result

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Read reads what a report follows from: a report in JSON, or the events of a
// run in NDJSON, of which the last ones may be missing, and the last line cut
// off. A run whose end is missing is not complete.
//
// What is no such thing, or of another version, is an error.
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
	return readReport(whole)
}

func readReport(r io.Reader) (Recording, error) {
	data, err := io.ReadAll(r)
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
		if errors.Is(err, io.EOF) { // and what there is of a line was cut off
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
