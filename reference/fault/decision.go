package fault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"sync"
)

// Decision turns a request into the answer to it.
type Decision func(*Request) Answer

// Answer is a whole response before it is sent.
type Answer struct {
	Status   int
	Header   http.Header
	Body     []byte
	Rejected string   // the part of the request at fault, for the access log; "" when accepted
	deliver  Delivery // how it is sent; nil is the usual way
}

// Delivery puts an answer on the wire.
type Delivery func(w http.ResponseWriter, r *http.Request, a Answer)

// JSON returns an answer with this status and with the JSON of a value as its body.
func JSON(status int, body any) Answer {
	text := encode(body)
	return Answer{
		Status: status,
		Header: http.Header{
			"Content-Type":   {"application/json"},
			"Content-Length": {strconv.Itoa(len(text))},
		},
		Body: text,
	}
}

// WithBody returns the answer with another body, and with its Content-Length.
func (a Answer) WithBody(text string) Answer {
	a.Body = []byte(text)
	a.Header.Set("Content-Length", strconv.Itoa(len(text)))
	return a
}

// encode does not escape <, > and &, which is necessary only in HTML.
func encode(body any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		panic(fmt.Sprintf("a %T has no JSON form: %v", body, err)) // strings and an int32 always have one
	}
	return text.Bytes()
}

// Send delivers the answer to r.
func (a Answer) Send(w http.ResponseWriter, r *http.Request) {
	if a.deliver != nil {
		a.deliver(w, r, a)
		return
	}
	a.writeTo(w)
}

// writeTo is the usual delivery. It ignores write errors: the client is gone, or the request is
// HEAD, whose response has no body.
func (a Answer) writeTo(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.Header)
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body)
}

// Request is one HTTP request as the decision sees it.
type Request struct {
	*http.Request

	// ReadBody returns the whole body. The first call reads it, so that a request for an unknown
	// path costs nothing more. Later calls return the same body.
	ReadBody func() ([]byte, error)
}

// NewRequest returns a request whose body may have at most limit bytes. Of a larger body, it also
// reads and drops the next part: otherwise net/http would wait for half a second and close the
// connection, because the client may still be sending.
func NewRequest(r *http.Request, limit int64) *Request {
	const dropped = 4 << 20
	return &Request{
		Request: r,
		ReadBody: sync.OnceValues(func() ([]byte, error) {
			body := bytes.NewBuffer(make([]byte, 0, max(0, min(r.ContentLength, limit))+bytes.MinRead)) // does not grow
			_, err := body.ReadFrom(http.MaxBytesReader(nil, r.Body, limit))
			if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
				_, _ = io.CopyN(io.Discard, r.Body, dropped)
			}
			return body.Bytes(), err
		}),
	}
}

// Text returns the body as a text, or "" if the body cannot be read.
func (r *Request) Text() string {
	body, err := r.ReadBody()
	if err != nil {
		return ""
	}
	return string(body)
}

// Object returns the JSON object in the body, or nil.
func (r *Request) Object() Object {
	o, _ := ParseObject(r.Text())
	return o
}

// Property returns the text of a property of the body, or "" if the property is not a string.
func (r *Request) Property(name string) string {
	if value := string(r.Object()[name]); AString.Include(value) {
		return FromString(value)
	}
	return ""
}

// WithBody returns the request with its body edited. The edit is made when the body is read.
func (r *Request) WithBody(edit TextEdit) *Request {
	return &Request{Request: r.Request, ReadBody: sync.OnceValues(func() ([]byte, error) {
		body, err := r.ReadBody()
		if err != nil {
			return nil, err
		}
		return []byte(edit(string(body))), nil
	})}
}

// WithHeader returns the request with one field of that name, or without it if the value is empty.
func (r *Request) WithHeader(name, value string) *Request {
	another := *r.Request
	another.Header = r.Header.Clone()
	another.Header.Del(name)
	if value != "" {
		another.Header.Set(name, value)
	}
	return &Request{Request: &another, ReadBody: r.ReadBody}
}

// withURL returns the request with its URL edited.
func (r *Request) withURL(edit func(u *url.URL)) *Request {
	another, edited := *r.Request, *r.URL
	edit(&edited)
	another.URL = &edited
	return &Request{Request: &another, ReadBody: r.ReadBody}
}
