package check

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/mediatype"
)

// Response is a response of a service, to check against the contract. Transfer codings and
// requested content codings are already decoded, and the Content-Encoding field is removed.
// A nil body is an empty one.
type Response struct {
	Status int
	Header http.Header // with canonical keys
	Body   []byte
	Cut    bool // this is the beginning of a stream, and its body is not judged
}

// Breach is one place where a response breaks one clause.
//
// Message is a predicate. Its subject is the place that Pointer names, or the body if
// Pointer is "": "/error is missing", "the body is cut off".
type Breach struct {
	Clause   spec.ClauseID
	Message  string // what is wrong
	Pointer  string // JSON pointer (RFC 6901) into the body; "" means the whole body, or that there is none
	Expected string
	Actual   string // as the service wrote it, not shortened
	Offset   int64  // of the place in the body, in bytes; -1 if there is none
	Should   bool   // always a warning: RFC 8259 permits it, or its basis is not binding
}

// locate sets Offset and Actual to the value at a path in the body, as the service wrote it.
func (b *Breach) locate(body []byte, path []string) (isThere bool) {
	if b.Offset, b.Actual, isThere = instance.Find(body, path); !isThere {
		b.Actual = "no such property"
	}
	return isThere
}

// Answer is how a response answers a question that the contract leaves open.
type Answer struct {
	Clause spec.ClauseID // of the silence
	Text   string        // in a few words: "404 with a body (text/html)"
}

// Result is the result of checking a response against the contract.
type Result struct {
	Declared  string          // the status key of the document that covers the response, or ""
	Exercised []spec.ClauseID // the response clauses that the response could have broken
	Breaches  []Breach        // the clauses that it broke
	Answers   []Answer        // to questions that the contract leaves open

	// Flaw is the note that prevents judging a part of the response, or nil. The clauses about this
	// part are not in Exercised, but may be in Breaches.
	Flaw *spec.Note
}

// maxPerClause is the maximum number of reported breaches of one clause per response, so that they
// do not hide breaches of other clauses.
const maxPerClause = 5

// Check checks the response against everything that the contract says about responses of the
// operation. It does not check whether the operation should have responded with that status. The
// exceptions are statuses that neither accept nor reject: 1xx, 5xx, and 3xx if none is declared.
//
// The error is an [*instance.LimitError] if the body exceeds a limit, or that of the context if it
// ended first. The result then contains what was found so far, and clauses about the body are not
// among those exercised.
func (r Response) Check(ctx context.Context, op *spec.Operation, l instance.Limits) (Result, error) {
	c := checking{op: op, response: r, limits: l, reported: map[spec.ClauseID]int{}}
	err := c.run(ctx)
	return c.Result, err
}

// checking is the check of one response.
type checking struct {
	Result
	op       *spec.Operation
	response Response
	limits   instance.Limits
	reported map[spec.ClauseID]int // number of breaches by clause
}

func (c *checking) run(ctx context.Context) error {
	status, answers := c.response.Status, c.op.ClauseIDs().Answers()
	c.exercise(answers)
	declared := c.op.Response(status)
	isDeclared := c.op.DeclaresFailure(status)
	if text := unanswered(status, declared); text != "" {
		if isDeclared {
			text = fmt.Sprintf("comes with status %d, which the contract declares, but which says that the service failed", status)
		}
		c.breach(Breach{
			Clause: answers, Message: text,
			Expected: "a status that accepts (2xx) or rejects (4xx) the request", Actual: strconv.Itoa(status), Offset: -1,
			Should: isDeclared,
		})
	}
	if declared == nil {
		return nil
	}
	c.Declared = declared.Status
	c.headers(ctx, declared)
	bodiless := spec.IsBodiless(strconv.Itoa(status))
	switch {
	case c.op.Method == http.MethodHead, (bodiless || declared.NoBody != "") && len(declared.Content) == 0:
		c.noBody(declared)
	case len(declared.Content) == 0 && declared.Flaw != nil:
		c.unknown(declared.Flaw)
	case len(declared.Content) == 0:
		c.anyBody()
	case len(c.response.Body) > 0, !bodiless:
		return c.content(ctx, declared)
	}
	return nil
}

// unanswered returns why a status neither accepts nor rejects a request, or "" if it does.
func unanswered(status int, declared *spec.Declared) string {
	switch {
	case status >= 500:
		return fmt.Sprintf("comes with status %d, which says that the service failed, not that it rejects the request", status)
	case status >= 300 && status < 400:
		if declared != nil && declared.Status != "default" {
			return ""
		}
		return fmt.Sprintf("comes with status %d, which redirects, and the contract declares no redirect", status)
	case status < 200:
		return fmt.Sprintf("comes with status %d, which is not a final response", status)
	}
	return ""
}

func (c *checking) exercise(clause spec.ClauseID) {
	if clause != "" && !slices.Contains(c.Exercised, clause) {
		c.Exercised = append(c.Exercised, clause)
	}
}

func (c *checking) breach(b Breach) {
	if c.reported[b.Clause] < maxPerClause {
		c.reported[b.Clause]++
		c.Breaches = append(c.Breaches, b)
	}
}

// noBody judges a response that must not have a body: because of its status, because it answers
// HEAD (RFC 9110 §9.3.2), or because Swagger 2.0 declares no schema for it. A response to HEAD may
// still name the media type that GET would return.
func (c *checking) noBody(declared *spec.Declared) {
	if len(declared.Content) > 0 && len(c.response.Header.Values("Content-Type")) > 0 {
		c.mediaType(declared)
	}
	clause := cmp.Or(declared.NoBody, c.op.ClauseIDs().Answers()) // a range or default has no such clause: its other statuses may have a body
	c.exercise(clause)
	if len(c.response.Body) > 0 {
		c.breach(Breach{
			Clause: clause, Message: "is not empty, but must be",
			Expected: "no body", Actual: string(c.response.Body), Offset: 0,
		})
	}
}

// anyBody records which body a response has if the contract declares no content for it. OpenAPI 3
// does not say that such a response has no body.
func (c *checking) anyBody() {
	text := fmt.Sprintf("%d without a body", c.response.Status)
	if len(c.response.Body) > 0 {
		text = fmt.Sprintf("%d with a body", c.response.Status)
		if mediaType := c.response.Header.Get("Content-Type"); mediaType != "" {
			text += " (" + mediaType + ")"
		}
	}
	silence := c.op.ClauseIDs().Silence(spec.UndeclaredContent)
	c.exercise(silence)
	c.Answers = append(c.Answers, Answer{silence, text})
}

// unknown records the first note that prevents judging a part of the response. It ignores nil.
func (c *checking) unknown(note *spec.Note) { c.Flaw = cmp.Or(c.Flaw, note) }

// content judges the media type and the body. A body that is not JSON, and not a plain text with a
// schema, can have any content and can be empty.
func (c *checking) content(ctx context.Context, declared *spec.Declared) error {
	media, isJSON := c.mediaType(declared)
	switch {
	case c.response.Cut:
		return nil
	case !isJSON && media != nil && media.TellsText():
		c.text(declared, media)
		return nil
	case !isJSON:
		return nil
	case c.encoded(declared):
		c.exercise(declared.ClauseIDs().Body())
		return nil
	}
	return c.jsonBody(ctx, declared, media)
}

// mediaType judges the Content-Type field and returns the declared content that the body is judged
// by. That is the best match. If nothing matches, it is the only declared content, because a wrong
// media type does not excuse a wrong body.
func (c *checking) mediaType(declared *spec.Declared) (media *mediatype.Content, asJSON bool) {
	fail := func(message, actual string) (*mediatype.Content, bool) {
		c.exercise(declared.ClauseIDs().MediaType())
		c.breach(Breach{
			Clause: declared.ClauseIDs().MediaType(), Message: message,
			Expected: "Content-Type: " + strings.Join(declared.MediaTypes(), " or "), Actual: actual, Offset: -1,
		})
		if len(declared.Content) == 1 {
			return &declared.Content[0], declared.Content[0].IsJSON()
		}
		return nil, false
	}
	values := c.response.Header.Values("Content-Type")
	anything := slices.IndexFunc(declared.Content, func(m mediatype.Content) bool { return m.IsAnything() })
	switch {
	case len(values) == 0 && anything >= 0: // a client may examine the data (RFC 9110 §8.3)
		media = &declared.Content[anything]
		types := media.Schema.Shape().TypesBesideNull() // a string, or a value of any type, may be the content of a file
		return media, !slices.Equal(types, []string{"string"}) && (len(types) > 0 && len(c.response.Body) == 0 || json.Valid(c.response.Body))
	case len(values) == 0:
		return fail("comes without a media type", "no Content-Type")
	case len(values) > 1:
		return fail("comes with several Content-Type fields; only one is allowed (RFC 9110 §5.3)", "Content-Type: "+strings.Join(values, "; Content-Type: "))
	}
	actual := "Content-Type: " + values[0]
	answered, err := mediatype.Parse(values[0])
	if err != nil {
		return fail("comes with a malformed media type, which "+err.Error(), actual)
	}
	media = declared.Of(answered)
	switch {
	case media == nil && declared.Flaw != nil: // an entry that cannot be read may match
		c.unknown(declared.Flaw)
		return nil, false
	case media == nil:
		return fail("comes with a media type that is not declared", actual)
	}
	c.exercise(declared.ClauseIDs().MediaType())
	return media, answered.IsJSON()
}

// encoded reports whether the body still has a content coding, which is a breach: the client has
// already decoded the coding that it requested.
func (c *checking) encoded(declared *spec.Declared) bool {
	coding := strings.Join(c.response.Header.Values("Content-Encoding"), ", ")
	if coding == "" || strings.EqualFold(coding, "identity") {
		return false
	}
	message := "comes in a content coding that was not asked for"
	if named := strings.ToLower(coding); named == "gzip" || named == "x-gzip" {
		message = "is in gzip that was not asked for, or that cannot be decoded"
		if !bytes.HasPrefix(c.response.Body, []byte{0x1f, 0x8b}) {
			message = "is not in gzip, which its Content-Encoding names"
		}
	}
	c.breach(Breach{
		Clause: declared.ClauseIDs().Body(), Message: message,
		Expected: "no Content-Encoding", Actual: "Content-Encoding: " + coding, Offset: 0,
	})
	return true
}
