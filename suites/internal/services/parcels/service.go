// Package parcels is a parcel service that keeps nothing: every answer follows from its
// request. Its document is OpenAPI 3.0, with parameters in every style, forms and files.
// See package services for its use.
package parcels

import (
	_ "embed"
	"fmt"
	"net/http"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

//go:embed openapi.yaml
var document []byte

// The credentials that the service accepts.
const (
	user     = "dispatch"
	password = "p4rcel-9d41e0"
	terminal = "terminal-55e1b0c2"
	token    = "partner-0b7c93aa"
)

// Service describes the parcel service.
func Service() services.Service {
	return services.Service{
		Name:        "parcels",
		Document:    document,
		Credentials: map[string]string{"customer": user + ":" + password, "terminal": terminal, "partner": token},
		Deviations:  deviations(),
		Variations:  variations(),
		New:         func(o services.Options) http.Handler { return o.Handler(answer) },
	}
}

// answer decides on a request.
func answer(r *fault.Request, report *services.Report) fault.Answer {
	type operation func(r *fault.Request, report *services.Report) fault.Answer
	routes := map[string]operation{
		"GET /rates":   rate,
		"GET /depots":  depots,
		"POST /quotes": quote,
		"POST /labels": label,
		"POST /notes":  note,
		"POST /scans":  scan,
	}
	path := r.URL.EscapedPath()
	if rest, ok := strings.CutPrefix(path, "/rates/"); ok && strings.Count(rest, "/") == 2 {
		path = "/rates"
	} else if path == "/rates" {
		path = ""
	}
	if decide, found := routes[r.Method+" "+path]; found {
		return decide(r, report)
	}
	for route := range routes {
		if method, ok := strings.CutSuffix(route, " "+path); ok && path != "" {
			a := failure(http.StatusMethodNotAllowed, "unknown", "")
			a.Header.Set("Allow", method)
			return a
		}
	}
	return failure(http.StatusNotFound, "unknown", "")
}

// refusal answers a request with faults. The first one decides on the status.
func refusal(report *services.Report) fault.Answer {
	first := report.Faults[0]
	where := first.Place + " " + first.Rule
	var a fault.Answer
	switch {
	case first.Place == "credential":
		a = failure(http.StatusUnauthorized, "unauthorized", where)
		a.Header.Set("WWW-Authenticate", `Basic realm="parcels"`)
	case first.Place == "media-type":
		a = failure(http.StatusUnsupportedMediaType, "unsupported", where)
	case first.Rule == "size":
		a = failure(http.StatusRequestEntityTooLarge, "invalid", where)
	default:
		a = failure(http.StatusBadRequest, "invalid", where)
	}
	a.Rejected = first.Place
	return a
}

func failure(status int, code, where string) fault.Answer {
	body := map[string]any{"code": code, "message": strings.ToLower(http.StatusText(status))}
	if where != "" {
		body["where"] = where
	}
	a := fault.JSON(status, body)
	a.Rejected = "resource"
	return a
}

// The checks of credentials. Each reports whether the request has a good one.

func isCustomer(r *fault.Request) bool {
	name, secret, ok := r.BasicAuth()
	return ok && name == user && secret == password
}

func isTerminal(r *fault.Request) bool { return r.URL.Query().Get("terminal") == terminal }

func isPartner(r *fault.Request) bool {
	scheme, sent, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && strings.TrimSpace(sent) == token
}

func money(cents int) string { return fmt.Sprintf("%d.%02d EUR", cents/100%1000000, cents%100) }
