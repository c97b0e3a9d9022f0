package reference

import "slices"

// Variation is a way to use a freedom that the contract leaves. [Options] selects
// one, and the suite must find no violation.
type Variation struct {
	Name    string   // in kebab case
	Clause  string   // id of the question that it answers, or of the clause that leaves the freedom
	Warns   []string // ids of the clauses on which it causes a warning, and of no others
	Maybe   []string // ids of the clauses on which it may cause a warning, depending on timing
	Summary string   // what the service does, in one line

	// TLS lists the protocols that a server must offer over TLS (ALPN), because the
	// server and not the handler makes this variation. If it is empty, plain HTTP is
	// enough.
	TLS []string

	// Prefix is the path below which the service is served: its base URL ends with
	// it.
	Prefix string

	// Wire says that it concerns the connection: how an answer is delivered, or
	// which connection a request uses. It is visible only over a socket.
	Wire bool

	change change
	probes []probe
}

// Variations returns all variations, sorted by the clauses that leave them open.
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

// warns completes a row: it causes a warning on these clauses.
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
// which connection a request uses, and when.
func (v Variation) maybe(clauses ...string) Variation {
	v.Maybe = clauses
	return v
}

// wire completes a row: it is visible only over a socket.
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

// below completes a row: the service is served below this path.
func (v Variation) below(prefix string) Variation {
	v.Prefix = prefix
	return v
}
