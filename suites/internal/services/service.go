package services

import (
	"context"
	"net/http"
	"slices"

	"github.com/plantstore/conformance/reference/fault"
)

// A Service is an HTTP service and what a test needs to know about it.
type Service struct {
	Name     string
	Document []byte // the OpenAPI document

	// Credentials are the credentials that the service accepts, by the name of the
	// security scheme: an API key, a token, or "user:password".
	Credentials map[string]string

	Deviations []Deviation
	Variations []Variation

	// New returns a new instance of the service, with its own data. It can serve
	// concurrent requests.
	New func(Options) http.Handler
}

// Options say how an instance of a service behaves. The zero value is the faithful
// service.
type Options struct {
	Deviation Deviation
	Variation Variation
}

// A Deviation is a way in which a service breaks one clause of its document.
type Deviation struct {
	Name        string   // in kebab case, unique in the service
	Says        string   // what the service does, in one line
	Clause      string   // id of the clause that it breaks
	Also        []string // ids of the clauses that may be blamed too, or instead
	OnWire      bool     // visible only on a connection
	Conditional bool     // visible only if the request has another feature
	How         fault.Change
	Shows       Probe
}

// A Variation is a way in which a service uses a freedom that its document leaves. It does
// not break a clause. Its probe has no method if no single request shows it.
type Variation = Deviation

// A Probe is a request that shows a deviation or a variation.
type Probe struct {
	Method  string
	Target  string   // path and query
	Header  []string // "Name: value"
	Body    string
	Chunked bool // the body is sent without its length
	Twice   bool // only the second of two such requests shows it

	// Right is a text that only the faithful service sends. Wrong is a text that only
	// the other service sends. One of them is enough. Both are empty if the status shows
	// the deviation.
	Right, Wrong string
}

// Overlook ignores faults at a place. Without rules it ignores all faults there.
func Overlook(place string, rules ...string) fault.Change {
	return OverlookSuch(func(f Fault) bool {
		return f.Place == place && (len(rules) == 0 || slices.Contains(rules, f.Rule))
	})
}

// OverlookSuch ignores the faults that the function selects.
func OverlookSuch(such func(f Fault) bool) fault.Change {
	return fault.Reading(func(r *fault.Request) *fault.Request {
		others := overlooks(r)
		all := func(f Fault) bool { return such(f) || others(f) }
		return &fault.Request{Request: r.Request.WithContext(context.WithValue(r.Context(), overlooked{}, all)), ReadBody: r.ReadBody}
	})
}

// overlooked is the context key for the faults to ignore in a request.
type overlooked struct{}

func overlooks(r *fault.Request) func(f Fault) bool {
	if such, ok := r.Context().Value(overlooked{}).(func(f Fault) bool); ok {
		return such
	}
	return func(Fault) bool { return false }
}

// maxBody is the largest body that a service reads, in bytes.
const maxBody = 1 << 20

// Handler serves a decision, with the deviation and the variation of the options. The
// decision adds the faults of a request to the report.
func (o Options) Handler(decide func(r *fault.Request, report *Report) fault.Answer) http.Handler {
	decision := func(r *fault.Request) fault.Answer { return decide(r, &Report{overlooks: overlooks(r)}) }
	for _, how := range []fault.Change{o.Variation.How, o.Deviation.How} {
		if how != nil {
			decision = how(decision, nil)
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		decision(fault.NewRequest(r, maxBody)).Send(w, r)
	})
}
