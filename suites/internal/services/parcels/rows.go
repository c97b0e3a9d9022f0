package parcels

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

func row(name, clause, says string, how fault.Change, shows services.Probe) services.Deviation {
	return services.Deviation{Name: name, Says: says, Clause: clause, How: how, Shows: shows}
}

// ignores returns a deviation that ignores a rule for a parameter, or for a value in it:
// "query/near/lat". The clause is that of the parameter.
func ignores(name, operation, place, rule, says string, shows services.Probe) services.Deviation {
	parts := strings.SplitN(place, "/", 3)
	return row(name, operation+"/request/"+parts[0]+"/"+parts[1], says, services.Overlook(place, rule), shows).If(in(operation))
}

// ignoresBody returns a deviation that ignores a rule for a value in a body. The place begins
// with "body", "form" or "part".
func ignoresBody(name, operation, place, rule, says string, shows services.Probe) services.Deviation {
	_, value, found := strings.Cut(place, "/")
	clause := operation + "/request/body"
	if found {
		property, _, isItem := strings.Cut(value, "/*")
		if clause += "/" + property; isItem && strings.Contains(value, "/*/") {
			clause = operation + "/request/body/" + value
		}
	}
	return row(name, clause, says, services.Overlook(place, rule), shows).If(in(operation))
}

// refuses returns a deviation that rejects valid requests.
func refuses(name, operation, says string, such fault.Condition, shows services.Probe) services.Deviation {
	return row(name, operation+"/accepts", says, refused(operation, http.StatusBadRequest, such), shows)
}

// fails returns a deviation that answers some requests with 500.
func fails(name, operation, says string, such fault.Condition, shows services.Probe) services.Deviation {
	return row(name, operation+"/answers", says, refused(operation, http.StatusInternalServerError, such), shows)
}

// refused returns a change that answers some requests with an error of this status.
func refused(operation string, status int, such fault.Condition) fault.Change {
	return services.Refuse(fault.Both(in(operation), such), func() fault.Answer { return failure(status, "invalid", "") })
}

// answers returns a deviation in the responses of an operation with a status. part is the
// end of the clause id, after the status.
func answers(name, operation string, status int, part, says string, shows services.Probe, edits ...fault.Edit) services.Deviation {
	return row(name, operation+"/"+strconv.Itoa(status)+"/"+part, says, fault.When(fault.HasStatus(status), edits...), shows).If(in(operation))
}

// in returns a condition that holds for requests of an operation.
func in(operation string) fault.Condition {
	routes := map[string][2]string{
		"getRate":     {http.MethodGet, "/rates/"},
		"findDepots":  {http.MethodGet, "/depots"},
		"quoteParcel": {http.MethodPost, "/quotes"},
		"uploadLabel": {http.MethodPost, "/labels"},
		"checkNote":   {http.MethodPost, "/notes"},
		"readScan":    {http.MethodPost, "/scans"},
	}
	return services.To(routes[operation][0], routes[operation][1])
}

// asked returns a condition that holds if the query matches an expression.
func asked(expression string) fault.Condition {
	return fault.SentQuery(fault.Matches(expression))
}

// at returns a condition that holds if the path matches an expression.
func at(expression string) fault.Condition {
	return func(r *fault.Request, _ fault.Answer) bool { return fault.Matches(expression)(r.URL.EscapedPath()) }
}

const (
	goodPath  = "express/.3.5/;length=30;width=20"
	goodForm  = "to=DE-10115&weight=2.5"
	goodQuote = `{"to":"DE-10115","weight":2.5}`
	jsonType  = "application/json"
	formType  = "application/x-www-form-urlencoded"
	boundary  = "parcel-boundary"
)

func basicLine() string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

func rateFor(path, q string) services.Probe {
	return services.Probe{Method: http.MethodGet, Target: "/rates/" + path + "?" + q}
}

func find(q string, lines ...string) services.Probe {
	return services.Probe{Method: http.MethodGet, Target: "/depots?" + q, Header: lines}
}

// quoteFor returns a request for a quote with these properties added.
func quoteFor(properties string) services.Probe {
	return quoteOf(jsonType, services.WithProperties(goodQuote, properties))
}

func quoteOf(mediaType, body string) services.Probe {
	return services.Probe{Method: http.MethodPost, Target: "/quotes", Body: body, Header: []string{"Content-Type: " + mediaType, basicLine()}}
}

func part(name, mediaType, content string) string {
	text := `Content-Disposition: form-data; name="` + name + `"`
	if name == "label" {
		text += `; filename="label"`
	}
	if mediaType != "" {
		text += "\r\nContent-Type: " + mediaType
	}
	return text + "\r\n\r\n" + content
}

// labelOf returns a request with these parts. It adds a valid reference and a valid label if
// they are missing. The part "without label" omits the label, and "without reference" the reference.
func labelOf(parts ...string) services.Probe {
	var body strings.Builder
	all := strings.Join(parts, "\n")
	for _, usual := range []string{part("reference", "", "DE123456"), part("label", "application/pdf", "%PDF-1.7")} {
		if name := strings.SplitN(usual, `"`, 3)[1]; !strings.Contains(all, `name="`+name+`"`) && !strings.Contains(all, "without "+name) {
			parts = append(parts, usual)
		}
	}
	for _, p := range parts {
		if !strings.HasPrefix(p, "without ") {
			body.WriteString("--" + boundary + "\r\n" + p + "\r\n")
		}
	}
	body.WriteString("--" + boundary + "--\r\n")
	return services.Probe{
		Method: http.MethodPost, Target: "/labels", Body: body.String(),
		Header: []string{"Content-Type: multipart/form-data; boundary=" + boundary, "Authorization: Bearer " + token},
	}
}

func noteOf(text string) services.Probe {
	return services.Probe{Method: http.MethodPost, Target: "/notes", Body: text, Header: []string{"Content-Type: text/plain", basicLine()}}
}

func scanOf(content string) services.Probe {
	return services.Probe{
		Method: http.MethodPost, Target: "/scans?terminal=" + terminal, Body: content,
		Header: []string{"Content-Type: application/octet-stream", "X-Scanner: dock-7", basicLine()},
	}
}
