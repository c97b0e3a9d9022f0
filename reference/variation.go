package reference

import "slices"

// Variation is a use of a freedom that the contract leaves. [Options] tells
// the service of it, and the suite must not find a violation.
type Variation struct {
	Name    string   // in kebab case
	Clause  string   // id of the question that it answers, or of the clause that leaves the freedom
	Warns   []string // ids of the clauses on which it is worth a warning: these and no other
	Maybe   []string // ids of the clauses on which there may be a warning or none: as the moment has it
	Summary string   // what the service does, in one line

	// TLS lists the protocols that a server must offer over TLS (ALPN), for
	// it is the server and not the handler that makes this variation. Empty,
	// plain HTTP will do.
	TLS []string

	// Prefix is the path that the service is served below: its base URL ends
	// with it.
	Prefix string

	// Wire says that it concerns the connection: how an answer is delivered, or
	// which connection a request comes on. It shows over a socket alone.
	Wire bool

	change change
	probes []probe
}

// Variations returns all there are, by the clauses that leave them open.
func Variations() []Variation {
	return slices.Concat(
		credentialVariations(),
		statusVariations(),
		conditionVariations(),
		boundVariations(),
		limitVariations(),
		otherQuestions(),
		formVariations(),
		contentVariations(),
		wireVariations(),
		refusedValues(),
		gatewayVariations(),
		orderVariations(),
		rejectionForms(),
		jsonForms(),
		fieldVariations(),
		connectionVariations(),
	)
}

// silent is the id of a question that the interface document leaves open.
func silent(question string) string { return "createPlant/silent/" + question }

// variation is one row of a table.
func variation(name, clause, summary string, c change) Variation {
	return Variation{Name: name, Clause: clause, Summary: summary, change: c}
}

// warns completes a row: these clauses are worth a warning.
func (v Variation) warns(clauses ...string) Variation {
	v.Warns = clauses
	return v
}

// overTLS completes a row: the server offers these protocols over TLS.
func (v Variation) overTLS(protocols ...string) Variation {
	v.TLS, v.Wire = protocols, true
	return v
}

// maybe completes a row: whether there is a warning on these clauses depends on
// which connection a request comes on, and when.
func (v Variation) maybe(clauses ...string) Variation {
	v.Maybe = clauses
	return v
}

// wire completes a row: it shows over a socket alone.
func (v Variation) wire() Variation {
	v.Wire = true
	return v
}

// shows completes a row with a request that is answered differently from how
// the reference answers it. Several are sent one after the other.
func (v Variation) shows(body string, lines ...string) Variation {
	v.probes = append(v.probes, probe{body, lines})
	return v
}

// below completes a row: the service is served below that path.
func (v Variation) below(prefix string) Variation {
	v.Prefix = prefix
	return v
}
