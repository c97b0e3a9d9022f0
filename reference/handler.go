package reference

import (
	"log/slog"
	"net/http"
	"time"
)

// Options says how New sets up the service. The zero value is a service that
// keeps plants in memory, logs nothing and, having no tokens, accepts nobody.
type Options struct {
	// Tokens are the bearer tokens that are accepted (§5). The empty token is
	// never accepted, not even if it is among them.
	Tokens []string

	// Store keeps the plants; nil is a new memory store. Whoever made it
	// closes it, once no request is in flight any more.
	Store Store

	// Logger takes the access log, one record a request, and the failures of
	// the store; nil logs nothing. No record holds a header, a query or a body.
	Logger *slog.Logger

	// Deviation is a way of breaking the contract, one of [Deviations]; the
	// zero value breaks nothing.
	Deviation Deviation

	// Variation is a freedom to use, one of [Variations]; the zero value uses
	// none but those that the package documentation tells of.
	Variation Variation
}

// New returns the plant store service: POST /plants (§4), and an Error as body
// of every other answer. It may serve many requests at once. A deviation or a
// variation that is in no list is a mistake in the program, and New panics.
func New(o Options) http.Handler {
	if o.Store == nil {
		o.Store = NewMemoryStore()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &service{credentials: newCredentials(o.Tokens), store: o.Store, logger: o.Logger}
	decide := s.decide
	if v := o.Variation; v.Name != "" {
		decide = v.change(decide, o.Tokens)
	}
	if d := o.Deviation; d.Name != "" {
		decide = d.change(decide, o.Tokens)
	}
	return &handler{decide: decide, logger: o.Logger}
}

// handler is where HTTP meets the decision.
type handler struct {
	decide decision
	logger *slog.Logger
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	a := h.decide(newRequest(w, r))
	defer func() { logAccess(h.logger, r, a, time.Since(began)) }() // also when a delivery is broken off
	a.send(w, r)
}
