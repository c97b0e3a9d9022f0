package parcels

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

// rate answers what a parcel costs.
func rate(r *fault.Request, report *services.Report) fault.Answer {
	path, q := checkPath(r, report), checkRateQuery(r, report)
	if !report.Empty() {
		return refusal(report)
	}
	route, _ := path["route"].([]any)
	for len(route) < 2 {
		route = append(route, 1)
	}
	body := map[string]any{
		"service":   either(path["service"], "economy"),
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

// depots answers where there are depots.
func depots(r *fault.Request, report *services.Report) fault.Answer {
	q := checkDepotQuery(r, report)
	checkDepotFields(r, report)
	if !report.Empty() {
		return refusal(report)
	}
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
	if !isCustomer(r) && report.Add("credential", "required") {
		return refusal(report)
	}
	wanted := readQuote(r, report)
	if !report.Empty() {
		return refusal(report)
	}
	body := map[string]any{
		"to":    either(wanted["to"], "DE-10115"),
		"price": money(490 + cents(wanted["weight"])),
		"days":  2,
	}
	if pickup, found := wanted["pickup"]; found {
		body["pickup"] = pickup
	}
	return fault.JSON(http.StatusOK, body)
}

// label answers that a label is kept.
func label(r *fault.Request, report *services.Report) fault.Answer {
	if !isPartner(r) && report.Add("credential", "required") {
		return refusal(report)
	}
	parts := readLabel(r, report)
	if !report.Empty() {
		return refusal(report)
	}
	content, _ := parts["label"].([]byte)
	name := fmt.Sprint(either(parts["reference"], "XX000000"))
	body := map[string]any{"reference": name, "bytes": len(content)}
	if copies, found := parts["copies"]; found {
		body["copies"] = copies
	}
	a := fault.JSON(http.StatusCreated, body)
	a.Header.Set("Location", "/labels/"+name)
	return a
}

// note answers with a note as drivers see it.
func note(r *fault.Request, report *services.Report) fault.Answer {
	if !isCustomer(r) && !isTerminal(r) && report.Add("credential", "required") {
		return refusal(report)
	}
	text := readNote(r, report)
	if !report.Empty() {
		return refusal(report)
	}
	a := fault.JSON(http.StatusOK, nil).WithBody(strings.TrimSpace(text))
	a.Header.Set("Content-Type", "text/plain; charset=utf-8")
	a.Header.Set("X-Length", strconv.Itoa(utf8.RuneCount(a.Body)))
	return a
}

// scan answers what was read.
func scan(r *fault.Request, report *services.Report) fault.Answer {
	if (!isCustomer(r) || !isTerminal(r)) && report.Add("credential", "required") {
		return refusal(report)
	}
	o := report.Header(r, "X-Scanner")
	o.Require("X-Scanner")
	o.Text("X-Scanner", services.Pattern(scannerForm))
	mediaType, _ := report.MediaType(r, "application/octet-stream", "image/png")
	content := report.Body(r)
	if !report.Empty() {
		return refusal(report)
	}
	body := map[string]any{"bytes": len(content), "code": nil}
	if mediaType == "image/png" {
		sum := fnv.New32a()
		_, _ = sum.Write(content)
		body["code"] = fmt.Sprintf("%08x", sum.Sum32())
	}
	return fault.JSON(http.StatusOK, body)
}

// cents is a part of a price that depends on a weight.
func cents(weight any) int {
	literal, _ := weight.(json.Number)
	kilograms, _ := literal.Float64()
	return int(kilograms * 10)
}

// either is the value, or the other one if it is missing.
func either(value, other any) any {
	if value == nil {
		return other
	}
	return value
}

// What texts of these properties look like.
var (
	scannerForm = regexp.MustCompile("^[a-z]+-[0-9]{1,4}$")
)
