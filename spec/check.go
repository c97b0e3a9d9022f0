package spec

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Response is what a service answered, to be held against the contract. The
// body is as the client reads it: transfer and content codings that the
// client asked for are undone. A nil body is an empty one.
type Response struct {
	Status int
	Header http.Header // with canonical keys
	Body   []byte
}

// Breach is one place where a response breaks one clause.
type Breach struct {
	Clause   string // id
	Message  string // what is wrong, in one sentence
	Pointer  string // JSON pointer into the body; "" is the body as a whole, or no body at all
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

// maxBreaches bounds what one response can be told; the rest repeats.
const maxBreaches = 20

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
	if len(declared.content) == 0 {
		c.noBody(declared)
		return c.Check
	}
	if op.Method == http.MethodHead {
		return c.Check // RFC 9110 §9.3.2: it never has a body
	}
	c.content(declared)
	return c.Check
}

// unanswered says why a status is no answer to a request, or nothing.
func unanswered(status int, declared *response) string {
	switch {
	case status >= 500:
		return fmt.Sprintf("status %d says that the service failed, not that it rejects the request", status)
	case status >= 300 && status < 400:
		if declared != nil && declared.status != "default" {
			return ""
		}
		return fmt.Sprintf("status %d redirects, and the contract declares no redirect", status)
	case status < 200:
		return fmt.Sprintf("status %d is no final answer", status)
	}
	return ""
}

type check struct {
	Check
	op       *Operation
	response Response
}

func (c *check) exercise(clause string) { c.Exercised = append(c.Exercised, clause) }

func (c *check) breach(b Breach) {
	if len(c.Breaches) < maxBreaches {
		c.Breaches = append(c.Breaches, b)
	}
}

func (c *check) noBody(declared *response) {
	c.exercise(declared.clause + "/body")
	if len(c.response.Body) > 0 {
		c.breach(Breach{
			Clause: declared.clause + "/body", Message: "has a body where the contract declares none",
			Expected: "no body", Actual: string(c.response.Body), Offset: 0,
		})
	}
}

func (c *check) content(declared *response) {
	c.exercise(declared.clause + "/media-type")
	c.exercise(declared.clause + "/body")
	media := c.mediaType(declared)
	if media == nil && len(declared.content) == 1 {
		media = declared.content[0] // a wrong label does not excuse what is inside
	}
	switch {
	case media == nil:
	case c.encoded(declared):
	case media.json:
		c.jsonBody(declared, media)
	case len(c.response.Body) == 0:
		c.breach(Breach{Clause: declared.clause + "/body", Message: "has no body", Expected: "a body", Actual: "nothing", Offset: 0})
	}
}

// mediaType judges the Content-Type field and finds the declared content that
// it names, or nil.
func (c *check) mediaType(declared *response) *mediaContent {
	var names []string
	for _, media := range declared.content {
		names = append(names, media.declared)
	}
	fail := func(message, actual string) *mediaContent {
		c.breach(Breach{
			Clause: declared.clause + "/media-type", Message: message,
			Expected: "Content-Type: " + strings.Join(names, " or "), Actual: actual, Offset: -1,
		})
		return nil
	}
	values := c.response.Header.Values("Content-Type")
	switch {
	case len(values) == 0:
		return fail("the media type is missing", "no Content-Type")
	case len(values) > 1:
		return fail("there are two Content-Type fields, of which only one may be (RFC 9110 §5.3)", "Content-Type: "+strings.Join(values, "; Content-Type: "))
	}
	actual := "Content-Type: " + values[0]
	answered, err := parseMediaType(values[0])
	if err != nil {
		return fail("the media type "+err.Error(), actual)
	}
	for _, media := range declared.content {
		if media.mediaRange.covers(answered) {
			return media
		}
	}
	return fail("the media type is another", actual)
}

// encoded judges a content coding that is still there: the client has undone
// the one it asked for.
func (c *check) encoded(declared *response) bool {
	coding := strings.Join(c.response.Header.Values("Content-Encoding"), ", ")
	if coding == "" || strings.EqualFold(coding, "identity") {
		return false
	}
	c.breach(Breach{
		Clause: declared.clause + "/body", Message: "the body is in a content coding that was not asked for",
		Expected: "no Content-Encoding, or gzip", Actual: "Content-Encoding: " + coding, Offset: 0,
	})
	return true
}
