package spec

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Response is what a service answered, to be held against the contract. The
// body is as the client reads it: transfer and content codings that the
// client asked for are undone, and the Content-Encoding that named them is
// gone. A nil body is an empty one.
type Response struct {
	Status int
	Header http.Header // with canonical keys
	Body   []byte
}

// Breach is one place where a response breaks one clause.
//
// Message is a predicate. What it is said of is the place that Pointer names,
// and for "" the body: "/error is missing", "the body is cut off".
type Breach struct {
	Clause   string // id
	Message  string // what is wrong
	Pointer  string // JSON pointer (RFC 6901) into the body; "" is the body as a whole, or no body at all
	Expected string
	Actual   string // as the service wrote it, uncut
	Offset   int64  // of the place in the body, in bytes; -1 where there is none
}

// Check is the outcome of holding a response against the contract.
type Check struct {
	Declared  string   // the status key that covers the response, or "" where none does
	Exercised []string // ids of the response clauses that the response could have broken
	Breaches  []Breach // of which these are the ones it did
}

// maxPerClause bounds how many breaches of one clause a response is told of:
// the rest repeats, but no clause is lost among those of another.
const maxPerClause = 5

// CheckResponse holds a response against all that the contract says about
// responses of the operation. Whether the operation should have answered with
// that status is not asked here, but for the statuses that neither accept nor
// reject: 1xx, 5xx, and 3xx where none is declared.
func (op *Operation) CheckResponse(r Response) Check {
	c := check{op: op, response: r}
	c.exercise(op.ID + "/answers")
	declared := op.response(r.Status)
	if text := unanswered(r.Status, declared); text != "" {
		c.breach(Breach{
			Clause: op.ID + "/answers", Message: text,
			Expected: "a status that accepts (2xx) or rejects (4xx) the request", Actual: strconv.Itoa(r.Status), Offset: -1,
		})
	}
	if declared == nil {
		return c.Check
	}
	c.Declared = declared.status
	c.headers(declared)
	switch {
	case len(declared.content) == 0, op.Method == http.MethodHead:
		c.noBody(declared)
	case len(r.Body) > 0, !bodiless(strconv.Itoa(r.Status)):
		c.content(declared)
	}
	return c.Check
}

// unanswered says why a status is no answer to a request, or nothing.
func unanswered(status int, declared *response) string {
	switch {
	case status >= 500:
		return fmt.Sprintf("comes with status %d, which says that the service failed, not that it rejects the request", status)
	case status >= 300 && status < 400:
		if declared != nil && declared.status != "default" {
			return ""
		}
		return fmt.Sprintf("comes with status %d, which redirects, and the contract declares no redirect", status)
	case status < 200:
		return fmt.Sprintf("comes with status %d, which is no final answer", status)
	}
	return ""
}

// bodiless says whether HTTP rules out that a response of that status has a
// body, whatever a contract declares (RFC 9110 §15.2, §15.3.5, §15.4.5).
func bodiless(status string) bool {
	return status[0] == '1' || status == "204" || status == "304"
}

type check struct {
	Check
	op       *Operation
	response Response
}

func (c *check) exercise(clause string) { c.Exercised = append(c.Exercised, clause) }

func (c *check) breach(b Breach) {
	if room(c.Breaches, b.Clause) {
		c.Breaches = append(c.Breaches, b)
	}
}

// room says whether a clause can be told of once more.
func room(breaches []Breach, clause string) bool {
	same := 0
	for _, b := range breaches {
		if b.Clause == clause {
			same++
		}
	}
	return same < maxPerClause
}

// noBody judges a response that has no body, by the contract or because it
// answers HEAD (RFC 9110 §9.3.2). That may still say which media type GET
// would be answered with.
func (c *check) noBody(declared *response) {
	if len(declared.content) > 0 && len(c.response.Header.Values("Content-Type")) > 0 {
		c.exercise(declared.clause + "/media-type")
		c.mediaType(declared)
	}
	c.exercise(declared.clause + "/body")
	if len(c.response.Body) > 0 {
		c.breach(Breach{
			Clause: declared.clause + "/body", Message: "is not empty, where there must be none",
			Expected: "no body", Actual: string(c.response.Body), Offset: 0,
		})
	}
}

// content judges media type and body. Of a body that is no JSON the contract
// says nothing that could be judged: not even that it is not empty.
func (c *check) content(declared *response) {
	c.exercise(declared.clause + "/media-type")
	media, isJSON := c.mediaType(declared)
	if !isJSON {
		return
	}
	c.exercise(declared.clause + "/body")
	if !c.encoded(declared) {
		c.jsonBody(declared, media)
	}
}

// mediaType judges the Content-Type field and finds the declared content by
// which the body is judged: the one it names best, or where it names none the
// only one there is, because a wrong label does not excuse what is inside.
func (c *check) mediaType(declared *response) (media *mediaContent, isJSON bool) {
	fail := func(message, actual string) (*mediaContent, bool) {
		var names []string
		for _, media := range declared.content {
			names = append(names, media.declared)
		}
		c.breach(Breach{
			Clause: declared.clause + "/media-type", Message: message,
			Expected: "Content-Type: " + strings.Join(names, " or "), Actual: actual, Offset: -1,
		})
		if len(declared.content) == 1 {
			return declared.content[0], declared.content[0].mediaRange.isJSON()
		}
		return nil, false
	}
	values := c.response.Header.Values("Content-Type")
	switch {
	case len(values) == 0:
		return fail("comes without a media type", "no Content-Type")
	case len(values) > 1:
		return fail("comes with several Content-Type fields, of which there may be only one (RFC 9110 §5.3)", "Content-Type: "+strings.Join(values, "; Content-Type: "))
	}
	actual := "Content-Type: " + values[0]
	answered, err := parseMediaType(values[0])
	if err != nil {
		return fail("comes with a malformed media type, which "+err.Error(), actual)
	}
	if media = mostSpecific(declared.content, answered); media == nil {
		return fail("comes with a media type that is not declared", actual)
	}
	return media, answered.isJSON()
}

// encoded judges a content coding that is still there: the client has undone
// the one it asked for.
func (c *check) encoded(declared *response) bool {
	coding := strings.Join(c.response.Header.Values("Content-Encoding"), ", ")
	if coding == "" || strings.EqualFold(coding, "identity") {
		return false
	}
	c.breach(Breach{
		Clause: declared.clause + "/body", Message: "comes in a content coding that was not asked for",
		Expected: "no Content-Encoding", Actual: "Content-Encoding: " + coding, Offset: 0,
	})
	return true
}
