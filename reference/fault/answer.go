package fault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
)

// Decision turns a request into the answer to it.
type Decision func(*Request) Answer

// Answer is a whole response before it is sent.
type Answer struct {
	Status   int
	Header   http.Header
	Body     []byte
	Rejected string   // the part of the request at fault, for the access log; "" when accepted
	deliver  Delivery // how it goes over the wire; nil is as usual
}

// Delivery puts an answer on the wire.
type Delivery func(w http.ResponseWriter, r *http.Request, a Answer)

// JSON is an answer with this status and with the JSON of a value as its body.
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

// WithBody is the answer with another body, of which Content-Length tells.
func (a Answer) WithBody(text string) Answer {
	a.Body = []byte(text)
	a.Header.Set("Content-Length", strconv.Itoa(len(text)))
	return a
}

// encode leaves <, > and & as they are: they need no escape outside of HTML.
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

// writeTo is the usual delivery. A client that has gone cannot be told, and
// HEAD takes no body, so the error of the write says nothing of use.
func (a Answer) writeTo(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.Header)
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body)
}
