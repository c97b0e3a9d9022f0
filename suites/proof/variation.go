package proof

import (
	"net/http"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
)

// variation is a way in which the service uses what documents leave open. The suite must
// find nothing wrong with it.
type variation struct {
	says       string
	inTurn     bool // answers all values of a response in turn
	emptyLists bool
	undeclared bool         // adds a property to all objects that may have one; the suite may warn of it
	tells      bool         // what the flaw of a request is, in a header field
	which      int          // of the declared successes, from 0; the last if there are fewer
	preferred  int          // the status of refusals, even if it is not declared; 0 is the declared one
	texts      bool         // where no content is declared
	change     fault.Change // of its answers; nil changes nothing
}

// variations are all of them.
func variations() []variation {
	withJSON := func(_ *fault.Request, a fault.Answer) bool {
		base, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
		return isJSON(base)
	}
	mediaType := func(edit fault.TextEdit) fault.Change {
		return fault.When(fault.HasBody, fault.HeaderEdited("Content-Type", edit))
	}
	return []variation{
		{says: "answers all values that its responses may have, in turn", inTurn: true},
		{says: "lists only what the run created", emptyLists: true},
		{says: "answers the second declared success", which: 1},
		{says: "answers the last declared success", which: 9},
		{says: "refuses with 422", preferred: http.StatusUnprocessableEntity},
		{says: "refuses with 404", preferred: http.StatusNotFound},
		{says: "refuses with an undeclared status", preferred: http.StatusTeapot},
		{says: "writes media types with a charset", change: mediaType(fault.Replacing(`(;.*)?$`, `;charset="UTF-8"`))},
		{says: "writes media types in upper case", change: mediaType(strings.ToUpper)},
		{says: "sends more header fields", change: fault.When(fault.Anything,
			fault.Header("X-Served-By", "node-3"), fault.Header("Cache-Control", "no-store"), fault.Header("Vary", "Accept", "Origin"))},
		{says: "indents JSON", change: fault.When(withJSON, fault.Body(fault.Indented))},
		{says: "escapes every character of its texts", change: fault.When(withJSON, fault.Body(fault.Escaped()))},
		{says: "adds undeclared properties", undeclared: true},
		{says: "explains refusals in a text if no content is declared", texts: true, change: fault.When(
			func(_ *fault.Request, a fault.Answer) bool {
				return a.Status >= http.StatusBadRequest && len(a.Body) == 0
			},
			fault.MediaType("text/plain"), fault.Body(fault.Constant("no")))},
	}
}
