package reference

import "slices"

// Deviation is a way to break the contract. [Options] selects one, and the suite must
// find it.
type Deviation struct {
	Name    string   // in kebab case
	Clauses []string // ids of the clauses that it violates, and of no others; empty if it only causes warnings
	Warns   []string // ids of the clauses on which it causes a warning, and of no others
	Maybe   []string // ids of the clauses on which it may cause a warning, depending on timing
	Summary string   // what the service does, in one line

	// Wire says that it concerns the connection: how an answer is delivered, or
	// which connection a request uses. It is visible only over a socket.
	Wire bool

	// Hangs says that some of its answers never end. Use a short time limit for an
	// exchange.
	Hangs bool

	change change
	probes []probe
}

// Deviations returns all deviations, sorted by the clauses that they break.
func Deviations() []Deviation {
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

// ids is a list of clauses.
func ids(clauses ...string) []string { return clauses }

// deviation is one row of a table.
func deviation(name string, clauses []string, summary string, c change) Deviation {
	return Deviation{Name: name, Clauses: clauses, Summary: summary, change: c}
}

// warns completes a row: it causes a warning on these clauses.
func (d Deviation) warns(clauses ...string) Deviation {
	d.Warns = clauses
	return d
}

// maybe completes a row: whether there is a warning on these clauses depends on
// which connection a request uses, and when.
func (d Deviation) maybe(clauses ...string) Deviation {
	d.Maybe = clauses
	return d
}

// wire completes a row: it is visible only over a socket.
func (d Deviation) wire() Deviation {
	d.Wire = true
	return d
}

// shows completes a row with a request that is answered differently from how
// the reference answers it. Several are sent one after the other.
func (d Deviation) shows(body string, lines ...string) Deviation {
	d.probes = append(d.probes, probe{body, lines})
	return d
}

// hangs completes a row: some of the answers never end.
func (d Deviation) hangs() Deviation {
	d.Hangs = true
	return d
}
