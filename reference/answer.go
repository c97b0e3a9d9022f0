package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
)

// answer is a whole response before it is sent.
type answer struct {
	status   int
	header   http.Header
	body     []byte
	rejected string   // the part of the request at fault, for the access log; "" when accepted
	deliver  delivery // how it goes over the wire; nil is as usual
}

// delivery puts an answer on the wire.
type delivery func(w http.ResponseWriter, r *http.Request, a answer)

// errorBody is the body of every answer but 200 (§7 Error). The document does
// not relate its number to the status; here they are the same.
type errorBody struct {
	Error   int32  `json:"error"`
	Message string `json:"message"`
}

// accepted answers that p has been created (§4 rule 2).
func accepted(p Plant) answer {
	return newAnswer(http.StatusOK, p)
}

// rejected answers that the request was refused (§4 rule 3).
func rejected(status int32, why rejection) answer {
	a := newAnswer(int(status), errorBody{Error: status, Message: why.Error()})
	a.rejected = why.part
	return a
}

func newAnswer(status int, body any) answer {
	text := encode(body)
	return answer{
		status: status,
		header: http.Header{
			"Content-Type":   {"application/json"},
			"Content-Length": {strconv.Itoa(len(text))},
		},
		body: text,
	}
}

// withBody is the answer with another body, of which Content-Length tells.
func (a answer) withBody(text string) answer {
	a.body = []byte(text)
	a.header.Set("Content-Length", strconv.Itoa(len(text)))
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

// send delivers the answer to r.
func (a answer) send(w http.ResponseWriter, r *http.Request) {
	if a.deliver != nil {
		a.deliver(w, r, a)
		return
	}
	a.writeTo(w)
}

// writeTo is the usual delivery. A client that has gone cannot be told, and
// HEAD takes no body, so the error of the write says nothing of use.
func (a answer) writeTo(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body)
}
