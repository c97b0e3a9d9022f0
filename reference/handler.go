package reference

import (
	"log/slog"
	"net/http"
	"time"
)

// Deviation is a way to break the contract. [Options] selects one, and the suite
// must find it.
type Deviation = Alteration

// Variation is a way to use a freedom that the contract leaves. [Options] selects
// one, and the suite must find no violation.
type Variation = Alteration

// Options are the options of New. The zero value is a service that keeps plants in
// memory and logs nothing. It has no tokens, so it accepts no request.
type Options struct {
	// Tokens are the bearer tokens that are accepted (§5). The empty token is
	// never accepted, not even if it is among them.
	Tokens []string

	// Store keeps the plants; nil means a new memory store. The caller closes it when
	// no request is in flight.
	Store Store

	// Logger receives the access log, one record per request, and the failures of the
	// store; nil logs nothing. No record contains a header, a query or a body.
	Logger *slog.Logger

	// Deviation is a way to break the contract, one of [Deviations]; the zero value
	// breaks nothing.
	Deviation Deviation

	// Variation is a way to use a freedom, one of [Variations]; the zero value uses
	// only those that the package documentation describes.
	Variation Variation
}

// New returns the plant store service: POST /plants (§4), and an Error as the body of
// every other answer. It can serve concurrent requests. It panics if the deviation or
// the variation is not in the lists.
func New(o Options) http.Handler {
	if o.Store == nil {
		o.Store = NewMemoryStore()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &service{credentials: newCredentials(o.Tokens), store: o.Store, logger: o.Logger}
	return &handler{decide: o.Deviation.Apply(o.Variation.Apply(s.decide, o.Tokens), o.Tokens), logger: o.Logger}
}

// handler is where HTTP meets the decision.
type handler struct {
	decide decision
	logger *slog.Logger
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	a := h.decide(newRequest(w, r, maxBody))
	defer func() { logAccess(h.logger, r, a, time.Since(began)) }() // also when a delivery is broken off
	a.send(w, r)
}
