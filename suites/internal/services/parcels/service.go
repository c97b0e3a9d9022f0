// Package parcels is a stateless parcel service: each response depends only on its request.
// Its document is OpenAPI 3.0, with parameters in every style, forms and files. See package
// services for its use.
package parcels

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
		Deviations: slices.Concat(parametersLetThrough(), bodiesLetThrough(), credentialsLetThrough(),
			services.Conditional(letThroughInCompany()...), stylesRefused(), bodiesRefused(), wrongAnswers(), wrongErrors()),
		Variations: slices.Concat(variedStatuses(), variedConditions(), variedBodies(), services.Deliveries(rateFor(goodPath, "weight=2"))),
		New:        func(o services.Options) http.Handler { return o.Handler(answer) },
	}
}

func answer(r *fault.Request, report *services.Report) fault.Answer {
	type operation func(r *fault.Request, report *services.Report) fault.Answer // the response if there is no fault
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
		a := decide(r, report)
		if !report.Empty() {
			return refusal(report)
		}
		return a
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

// refusal returns the response to a request with faults. The first fault determines the status.
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

// credential adds a fault, unless the request has a valid credential.
func credential(isGood bool, report *services.Report) {
	if !isGood {
		report.Add("credential", "required")
	}
}

// The checks of credentials. Each reports whether the request has a valid credential.

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

func rate(r *fault.Request, report *services.Report) fault.Answer {
	path, q := checkPath(r, report), checkRateQuery(r, report)
	route, _ := path["route"].([]any)
	for len(route) < 2 {
		route = append(route, 1)
	}
	body := map[string]any{
		"service":   cmp.Or[any](path["service"], "economy"),
		"route":     route,
		"price":     money(350 + 100*len(route) + cents(q["weight"])),
		"insurance": nil,
	}
	if q["insured"] == true {
		body["insurance"] = money(250)
	}
	a := fault.JSON(http.StatusOK, body)
	a.Header.Set("X-Valid-Until", "2026-12-31")
	return a
}

func depots(r *fault.Request, report *services.Report) fault.Answer {
	q := checkDepotQuery(r, report)
	checkDepotFields(r, report)
	found := []map[string]any{}
	for i, kind := range []string{"shop", "locker", "shop"} {
		depot := map[string]any{
			"code": fmt.Sprintf("D%03d", 100+i), "kind": kind, "open": i < 2, "since": nil,
			"position": map[string]any{"lat": 52.5 + float64(i)/4, "lng": 13.4},
		}
		if i > 0 {
			depot["since"] = "2019-05-01"
			depot["services"] = []string{"express", "economy"}
		}
		filter, _ := q["filter"].(map[string]any)
		if (filter["kind"] == nil || filter["kind"] == kind) && (q["open"] == nil || q["open"] == depot["open"]) {
			found = append(found, depot)
		}
	}
	return fault.JSON(http.StatusOK, found)
}

func quote(r *fault.Request, report *services.Report) fault.Answer {
	credential(isCustomer(r), report)
	wanted := readQuote(r, report)
	body := map[string]any{
		"to":    cmp.Or[any](wanted["to"], "DE-10115"),
		"price": money(490 + cents(wanted["weight"])),
		"days":  2,
	}
	if pickup, found := wanted["pickup"]; found {
		body["pickup"] = pickup
	}
	return fault.JSON(http.StatusOK, body)
}

func label(r *fault.Request, report *services.Report) fault.Answer {
	credential(isPartner(r), report)
	parts := readLabel(r, report)
	content, _ := parts["label"].([]byte)
	name := fmt.Sprint(cmp.Or[any](parts["reference"], "XX000000"))
	body := map[string]any{"reference": name, "bytes": len(content)}
	if copies, found := parts["copies"]; found {
		body["copies"] = copies
	}
	a := fault.JSON(http.StatusCreated, body)
	a.Header.Set("Location", "/labels/"+name)
	return a
}

func note(r *fault.Request, report *services.Report) fault.Answer {
	credential(isCustomer(r) || isTerminal(r), report)
	text := readNote(r, report)
	a := fault.JSON(http.StatusOK, nil).WithBody(strings.TrimSpace(text))
	a.Header.Set("Content-Type", "text/plain; charset=utf-8")
	a.Header.Set("X-Length", strconv.Itoa(utf8.RuneCount(a.Body)))
	return a
}

func scan(r *fault.Request, report *services.Report) fault.Answer {
	credential(isCustomer(r) && isTerminal(r), report)
	o := report.Header(r, "X-Scanner")
	o.Require("X-Scanner")
	o.Text("X-Scanner", services.Pattern(scannerForm))
	mediaType, _ := report.MediaType(r, "application/octet-stream", "image/png")
	content := report.Body(r)
	body := map[string]any{"bytes": len(content), "code": nil}
	if mediaType == "image/png" {
		sum := fnv.New32a()
		_, _ = sum.Write(content)
		body["code"] = fmt.Sprintf("%08x", sum.Sum32())
	}
	return fault.JSON(http.StatusOK, body)
}

// cents returns the part of a price that depends on the weight.
func cents(weight any) int {
	literal, _ := weight.(json.Number)
	kilograms, _ := literal.Float64()
	return int(kilograms * 10)
}
