package reference

import (
	"strconv"

	"github.com/plantstore/conformance/reference/fault"
)

// errorBody is the body of every answer but 200 (§7 Error). The document does
// not relate its number to the status; here they are the same.
type errorBody struct {
	Error   int32  `json:"error"`
	Message string `json:"message"`
}

// rejected answers that the request was refused (§4 rule 3).
func rejected(status int32, why rejection) fault.Answer {
	a := fault.JSON(int(status), errorBody{Error: status, Message: why.Error()})
	a.Rejected = why.part
	return a
}

// rejection is the reason why a request is not accepted. Only part goes to the
// access log: it is one of a few fixed words, whereas problem may quote what
// the client sent.
type rejection struct {
	part    string // of the request: a header, "body", or a property of the body
	problem string // completes the sentence that part begins
}

func (r rejection) Error() string { return r.part + " " + r.problem }

// maxQuoted is how many characters of what a client sent a message repeats.
const maxQuoted = 60

// excerpt shortens what a client sent to what fits into a message.
func excerpt(text string) string {
	characters := 0
	for i := range text {
		if characters == maxQuoted {
			return text[:i] + "…"
		}
		characters++
	}
	return text
}

// quoted is an excerpt in double quotes, its control characters escaped.
func quoted(text string) string { return strconv.Quote(excerpt(text)) }
