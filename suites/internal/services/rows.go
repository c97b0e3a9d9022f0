package services

import (
	"maps"
	"slices"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
)

// Conditional marks deviations that show only if the request has another feature.
func Conditional(rows ...Deviation) []Deviation {
	for i := range rows {
		rows[i].Conditional = true
	}
	return rows
}

// WithConnection completes a deviation: it shows only on a connection.
func (d Deviation) WithConnection() Deviation {
	d.OnWire = true
	return d
}

// If limits a deviation to requests that the condition holds for.
func (d Deviation) If(holds fault.Condition) Deviation {
	d.How = d.How.If(holds)
	return d
}

// MayBlame completes a deviation: these clauses may be blamed, too.
func (d Deviation) MayBlame(clauses ...string) Deviation {
	d.Also = append(slices.Clone(d.Also), clauses...)
	return d
}

// WithRight completes a probe: only the faithful service answers with the text.
func (p Probe) WithRight(text string) Probe {
	p.Right = text
	return p
}

// WithWrong completes a probe: only the other service answers with the text.
func (p Probe) WithWrong(text string) Probe {
	p.Wrong = text
	return p
}

// InChunks is the probe with a body that is sent without its length.
func (p Probe) InChunks() Probe {
	p.Chunked = true
	return p
}

// SentTwice is the probe of which only the second request shows something.
func (p Probe) SentTwice() Probe {
	p.Twice = true
	return p
}

// WithProperties is the JSON of an object with these properties, too.
func WithProperties(object, properties string) string {
	o, _ := fault.ParseObject(object)
	more, ok := fault.ParseObject("{" + properties + "}")
	if !ok {
		panic("not the properties of a JSON object: " + properties)
	}
	maps.Copy(o, more)
	return o.Text()
}

// With is the probe with these header lines instead of those of the same names. A line
// without a value removes the field.
func (p Probe) With(lines ...string) Probe {
	p.Header = slices.Clone(p.Header)
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ":")
		p.Header = slices.DeleteFunc(p.Header, func(old string) bool { return strings.HasPrefix(old, name+":") })
		if value != "" {
			p.Header = append(p.Header, line)
		}
	}
	return p
}
