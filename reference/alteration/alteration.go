package alteration

import (
	"slices"

	"github.com/plantstore/conformance/reference/fault"
)

// Alteration is a way to change the answers of the service. A deviation breaks the contract, a
// variation uses a freedom that the contract leaves. The suite must find every deviation, and no
// violation in a variation.
type Alteration struct {
	Name    string   // in kebab case
	Clauses []string // of a deviation: ids of exactly the clauses that it violates; empty if it only causes warnings
	Clause  string   // of a variation: id of the question that it answers, or of the clause that leaves the freedom
	Warns   []string // ids of exactly the clauses on which it causes a warning
	Maybe   []string // ids of the clauses on which it may cause a warning, depending on timing
	Summary string   // what the service does, in one line

	// Wire says that it changes the connection: how an answer is delivered, or which connection a
	// request uses. It is visible only over a socket.
	Wire bool

	// Hangs says that some of its answers never end. Use a short time limit for an
	// exchange.
	Hangs bool

	// TLS lists the protocols that a server must offer over TLS (ALPN), because the server, not the
	// handler, makes this variation. If it is empty, plain HTTP is enough.
	TLS []string

	// Prefix is the path prefix of the service, at the end of its base URL.
	Prefix string

	// Probes are requests that show it. Send them one by one to a new service.
	Probes []Probe

	change fault.Change
}

// Apply returns the decision with the alteration. tokens are those that the service accepts. The
// zero Alteration changes nothing.
func (a Alteration) Apply(next fault.Decision, tokens []string) fault.Decision {
	if a.Name == "" {
		return next
	}
	return a.change(next, tokens)
}

// Deviations returns all deviations, sorted by the clauses that they break.
func Deviations() []Alteration {
	return slices.Concat(
		failures(),
		undeliveredAnswers(),
		wrongAcceptances(),
		credentialsLetThrough(),
		bodiesLetThrough(),
		propertiesLetThrough(),
		mediaTypesLetThrough(),
		mediaTypesOfPlants(),
		bodiesOfPlants(),
		propertiesOfPlants(),
		readTwice(),
		otherPlants(),
		errorsOfAnotherForm(),
		propertiesOfErrors(),
		answersToEverything(),
		listsTakenForPlants(),
		otherWrongNames(),
		otherWrongTags(),
		otherWrongIDs(),
		otherKeys(),
		checksSkippedInCompany(),
		checksSkippedSometimes(),
		lenientReaders(),
		otherEncodings(),
		otherMediaTaken(),
		mediaTypesRefused(),
		credentialsElsewhere(),
		strangersTrusted(),
		orderDependent(),
		crossTalk(),
		crashes(),
		changedTexts(),
		changedTags(),
		unaskedBytes(),
	)
}

// Variations returns all variations, sorted by the clauses that leave them open.
func Variations() []Alteration {
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

// The ids under which the suite knows the clauses of the interface document.
const (
	answers = "createPlant/answers"
	accepts = "createPlant/accepts"

	requestCredential = "createPlant/request/credential"
	requestBody       = "createPlant/request/body"
	requestName       = "createPlant/request/body/name"
	requestTag        = "createPlant/request/body/tag"
	requestID         = "createPlant/request/body/id"
	requestMediaType  = "createPlant/request/media-type"

	plantMediaType  = "createPlant/200/media-type"
	plantForm       = "createPlant/200/body"
	plantName       = "createPlant/200/body/name"
	plantTag        = "createPlant/200/body/tag"
	plantUndeclared = "createPlant/200/body/undeclared"
	plantEcho       = "createPlant/200/echo"

	errorMediaType  = "createPlant/400/media-type"
	errorForm       = "createPlant/400/body"
	errorNumber     = "createPlant/400/body/error"
	errorMessage    = "createPlant/400/body/message"
	errorUndeclared = "createPlant/400/body/undeclared"
)

func ids(clauses ...string) []string { return clauses }

// deviation returns one row of a table.
func deviation(name string, clauses []string, summary string, c fault.Change) Alteration {
	return Alteration{Name: name, Clauses: clauses, Summary: summary, change: c}
}

// variation returns one row of a table.
func variation(name, clause, summary string, c fault.Change) Alteration {
	return Alteration{Name: name, Clause: clause, Summary: summary, change: c}
}

// breaking returns a function for the rows of deviations that violate this clause.
func breaking(clause string) func(name, summary string, c fault.Change) Alteration {
	return func(name, summary string, c fault.Change) Alteration { return deviation(name, ids(clause), summary, c) }
}

// leaving returns a function for the rows of variations that use the freedom of this clause.
func leaving(clause string) func(name, summary string, c fault.Change) Alteration {
	return func(name, summary string, c fault.Change) Alteration { return variation(name, clause, summary, c) }
}

// warns adds to a row that it causes a warning on these clauses.
func (a Alteration) warns(clauses ...string) Alteration {
	a.Warns = clauses
	return a
}

// onlyWarns makes a row cause a warning on its clauses, and violate none.
func (a Alteration) onlyWarns() Alteration {
	a.Clauses, a.Warns = nil, a.Clauses
	return a
}

// maybe adds to a row that a warning on these clauses depends on timing, or on the connection of a
// request.
func (a Alteration) maybe(clauses ...string) Alteration {
	a.Maybe = clauses
	return a
}

// wire adds to a row that it is visible only over a socket.
func (a Alteration) wire() Alteration {
	a.Wire = true
	return a
}

// hangs adds to a row that some of its answers never end.
func (a Alteration) hangs() Alteration {
	a.Hangs = true
	return a
}

// overTLS adds to a row that the server offers these protocols over TLS.
func (a Alteration) overTLS(protocols ...string) Alteration {
	a.TLS, a.Wire = protocols, true
	return a
}

// below adds the path prefix of the service to a row.
func (a Alteration) below(prefix string) Alteration {
	a.Prefix = prefix
	return a
}

// shows adds a probe to a row: a request that the reference answers differently. Probes are sent
// one after the other.
func (a Alteration) shows(body string, lines ...string) Alteration {
	a.Probes = append(a.Probes, Probe{body, lines})
	return a
}

// Probe is a request that shows a deviation or a variation. Lines are header fields that replace
// those of a usual request ("Accept: */*"; an empty value removes the field), or a query ("?x=1").
// $token is replaced by an accepted token.
type Probe struct {
	Body  string
	Lines []string
}

// chunkedLine is the line of a probe whose body is sent without its length.
const chunkedLine = "Transfer-Encoding: chunked"
