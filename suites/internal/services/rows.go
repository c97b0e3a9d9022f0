package services

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/reference/fault"
)

// Conditional marks deviations that only requests with another feature show.
func Conditional(rows ...Deviation) []Deviation {
	for i := range rows {
		rows[i].Conditional = true
	}
	return rows
}

// WithConnection returns the deviation, marked as visible only on a connection.
func (d Deviation) WithConnection() Deviation {
	d.OnWire = true
	return d
}

// If limits a deviation to requests that match the condition.
func (d Deviation) If(holds fault.Condition) Deviation {
	d.How = d.How.If(holds)
	return d
}

// MayBlame returns the deviation with more clauses that may be blamed too.
func (d Deviation) MayBlame(clauses ...string) Deviation {
	d.Also = append(slices.Clone(d.Also), clauses...)
	return d
}

// WithRight returns the probe with a text that only the faithful service sends.
func (p Probe) WithRight(text string) Probe {
	p.Right = text
	return p
}

// WithWrong returns the probe with a text that only the other service sends.
func (p Probe) WithWrong(text string) Probe {
	p.Wrong = text
	return p
}

// InChunks returns the probe with a body that is sent without its length.
func (p Probe) InChunks() Probe {
	p.Chunked = true
	return p
}

// SentTwice returns the probe, marked to be sent twice. Only the second request shows
// something.
func (p Probe) SentTwice() Probe {
	p.Twice = true
	return p
}

// WithProperties returns the JSON text of an object with these properties added.
func WithProperties(object, properties string) string {
	o, _ := fault.ParseObject(object)
	more, ok := fault.ParseObject("{" + properties + "}")
	if !ok {
		panic("not the properties of a JSON object: " + properties)
	}
	maps.Copy(o, more)
	return o.Text()
}

// With returns the probe with these header lines. They replace the lines with the same
// names. A line without a value removes the field.
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

// Varied returns a variation.
func Varied(name, says string, how fault.Change, shows Probe) Variation {
	return Variation{Name: name, Says: says, How: how, Shows: shows}
}

// Instead returns a variation that edits the responses with this status.
func Instead(name, says string, status int, shows Probe, edits ...fault.Edit) Variation {
	return Varied(name, says, fault.When(fault.HasStatus(status), edits...), shows)
}

// UnknownQuery holds for requests with a query parameter that is not declared.
func UnknownQuery(declared ...string) fault.Condition {
	return func(r *fault.Request, _ fault.Answer) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(r.URL.Query())), func(name string) bool { return !slices.Contains(declared, name) })
	}
}

// Deliveries returns variations that suit any service. They send the same responses in
// other ways. The response to the probe must have a JSON body.
func Deliveries(shows Probe) []Variation {
	const pause = 3 * time.Millisecond
	always := func(name, says string, edits ...fault.Edit) Variation {
		return Varied(name, says, fault.When(fault.HasBody, edits...), shows)
	}
	field := func(name, says string, edit fault.TextEdit) Variation {
		return always(name, says, fault.HeaderEdited("Content-Type", edit))
	}
	once := func(name, says string, status int, body string) Variation {
		return Varied(name, says, fault.Counting(fault.Anything, fault.First, fault.Answering(status, "text/plain", body), fault.Header("Retry-After", "0")), shows)
	}
	gzip := always("gzip", "compresses bodies for clients that accept it", fault.Delivered(fault.Compressed))
	gzip.Shows.Header = append(slices.Clone(shows.Header), "Accept-Encoding: gzip")
	slow := always("slow", "answers a little later", fault.Delivered(fault.LateBy(pause)))
	hints := always("hints", "sends an informational response first", fault.Delivered(fault.Hinting(http.StatusEarlyHints)))
	slow.Shows, hints.Shows = Probe{}, Probe{} // clients based on net/http do not notice these
	return []Variation{
		always("more-headers", "sends more header fields", fault.Header("X-Served-By", "node-3"), fault.Header("Cache-Control", "no-store"), fault.Header("Vary", "Accept", "Origin")),
		field("charset", "sends media types with a charset", fault.Replacing(`(;.*)?$`, `;charset="UTF-8"`)),
		field("media-type-case", "writes media types in upper case", strings.ToUpper),
		always("chunks", "sends bodies in chunks", fault.Delivered(fault.InParts)),
		gzip,
		slow,
		always("close", "closes the connection after each answer", fault.Header("Connection", "close")),
		hints,
		always("trailer", "sends a field after the body", fault.Delivered(fault.Trailing)),
		always("indented", "indents JSON", fault.Body(fault.Indented)),
		once("limited-once", "answers 429 to the first request, to be sent again at once", http.StatusTooManyRequests, "slower"),
		once("unavailable-once", "answers 503 with Retry-After to the first request", http.StatusServiceUnavailable, "later"),
	}
}
