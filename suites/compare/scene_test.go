package compare_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// run is an invented recording. Its report is concluded like that of any other.
type run struct{ result.Recording }

// runOf returns a run of an implementation in which every fixture passed.
func runOf(name, version string) run {
	r := run{result.Recording{
		Head: result.Head{
			Harness:        result.Harness{Version: "v1.2.3"},
			Contract:       result.Contract{Title: "Plant Store", Version: "1.0.0", SHA256: strings.Repeat("0123456789abcdef", 4)},
			Implementation: result.Implementation{Name: name, Version: version},
			Target:         result.Target{BaseURL: "http://127.0.0.1:8080"},
			Run:            result.Run{ID: "run-" + name + "-" + version, Started: time.Date(2026, 11, 21, 8, 21, 9, 0, time.UTC), Complete: true},
		},
		Clauses: []verdict.Clause{
			clause("answers", "must", "§4", "every request gets one complete HTTP response"),
			clause("accepts", "must", "§4 r2", "a valid request is accepted"),
			clause("request/body/name", "must", "§2", "a request whose name is missing must be rejected"),
			clause("200/body", "must", "§2", "the body of a 200 response is one JSON object"),
			clause("200/echo", "should", "§1", "a 200 response shows the plant that was sent"),
			clause("400/body/error", "must", "§7", "in a 400 response, error is present and is an int32"),
			clause("silent/field-bounds", "silent", "§8", "which limits apply to the values?"),
			clause("silent/other-statuses", "silent", "§7", "which statuses other than 200 and 400 are possible?"),
		},
	}}
	accepted := []spec.ClauseID{"answers", "accepts", "200/body", "200/echo"}
	rejected := []spec.ClauseID{"answers", "request/body/name", "400/body/error"}
	add(&r, "valid/plain", "accepts", "accepted", "200 application/json", accepted...)
	add(&r, "valid/tag", "accepts", "accepted", "200 application/json", accepted...)
	add(&r, "missing-required/name", "request/body/name", "rejected", "400 application/json", rejected...)
	add(&r, "wrong-type/name", "request/body/name", "rejected", "400 application/json", rejected...)
	for _, id := range []string{"boundary/id-zero", "boundary/id-negative"} {
		add(&r, id, "silent/field-bounds", "either", "", "answers", "silent/field-bounds")
		setAnswer(&r, id, "200 application/json")
	}
	return r
}

func clause(part string, level spec.Level, section, text string) verdict.Clause {
	return verdict.Clause{ID: spec.ClauseID("createPlant/" + part), Level: level, Section: section, Text: text, Status: "unexercised", Fixtures: []string{}}
}

func add(r *run, id, clause string, expect fixtures.Expectation, answer string, exercised ...spec.ClauseID) {
	exercised = slices.Clone(exercised)
	for i := range exercised {
		exercised[i] = "createPlant/" + exercised[i]
	}
	one := result.Result{Outcome: judge.Outcome{Fixture: "createPlant/" + id, Place: len(r.Results), Title: id, Operation: "createPlant", Clause: spec.ClauseID("createPlant/" + clause), Expect: expect, Level: "must", Credential: true, Status: "passed", Findings: []judge.Finding{}, Exercised: exercised}}
	one.Exchange.Response = response(answer)
	r.Results = append(r.Results, one)
	r.Run.Fixtures++
}

func response(answer string) *result.Response {
	var status int
	var mediaType string
	fmt.Sscanf(answer, "%d", &status)
	_, mediaType, _ = strings.Cut(answer, " ")
	out := &result.Response{Status: status, Headers: map[string][]string{}}
	if mediaType != "" {
		out.Headers["Content-Type"] = []string{mediaType}
	}
	return out
}

// at returns the place of a fixture.
func (r run) at(id string) int {
	return slices.IndexFunc(r.Results, func(result result.Result) bool { return result.Fixture == "createPlant/"+id })
}

// without removes fixtures, as a filter does.
func (r run) without(ids ...string) run {
	r.Results = slices.Clone(r.Results)
	for _, id := range ids {
		i := r.at(id)
		r.Results = slices.Delete(r.Results, i, i+1)
		r.Run.Fixtures--
	}
	r.Run.Partial = true
	return r
}

// withGap says why no fixture could be derived for the operation.
func (r run) withGap(reason string) run {
	r.Run.Gaps = map[string]string{"createPlant": reason}
	return r
}

// change returns a copy of the run with one changed result.
func (r run) change(id string, change func(*result.Result)) run {
	r.Results = slices.Clone(r.Results)
	one := &r.Results[r.at(id)]
	one.Findings = slices.Clone(one.Findings)
	change(one)
	return r
}

// finds adds a finding to a fixture.
func (r run) finds(id string, severity judge.Severity, part, message string) run {
	return r.change(id, func(result *result.Result) {
		result.Findings = append(result.Findings, judge.Finding{Clause: spec.ClauseID("createPlant/" + part), Severity: severity, Message: message, Offset: -1})
		if !slices.Contains(result.Exercised, spec.ClauseID("createPlant/"+part)) {
			result.Exercised = append(slices.Clone(result.Exercised), spec.ClauseID("createPlant/"+part))
		}
		switch severity {
		case "violation":
			result.Status = "failed"
		case "warning":
			result.Status = "warned"
		}
	})
}

func (r run) breaks(id, part string) run { return r.finds(id, "violation", part, "is broken in "+part) }

// answers sets the answer of a fixture to an open question.
func (r run) answers(id, answer string) run {
	r = r.change(id, func(*result.Result) {})
	setAnswer(&r, id, answer)
	return r
}

// setAnswer does the same in place, for a run that is not yet shared.
func setAnswer(r *run, id, answer string) {
	one := &r.Results[r.at(id)]
	question := "createPlant/silent/other-statuses"
	if strings.HasPrefix(string(one.Clause), "createPlant/silent/") {
		question = string(one.Clause)
	}
	one.Exchange.Response = response(answer)
	one.Findings = []judge.Finding{{Clause: spec.ClauseID(question), Severity: "observation", Actual: answer, Offset: -1}}
}

func (r run) unjudged(id string) run {
	return r.change(id, func(result *result.Result) {
		result.Status, result.Reason, result.Exchange.Response, result.Exercised = "unjudged", "the connection was refused", nil, []spec.ClauseID{}
	})
}

// excused makes the service refuse the control of a rejection, which the contract permits.
func (r run) excused(id, control string) run {
	held := r.change(id, func(result *result.Result) { result.Control = "createPlant/" + control })
	return held.answers(control, "422 application/json")
}

func (r run) waived(match string) run {
	r.Waivers = append(slices.Clone(r.Waivers), verdict.Waiver{Pattern: fixtures.NewPattern(match), Reason: "known", Owner: "us"})
	return r
}

func sources(runs ...run) []compare.Source {
	var list []compare.Source
	for i, r := range runs {
		list = append(list, compare.Source{File: fileName(i), Report: result.Conclude(r.Recording)})
	}
	return list
}

func compared(t testing.TB, runs ...run) compare.Comparison {
	t.Helper()
	c, err := compare.New(sources(runs...))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// all returns the comparisons of the tests, by name.
func all(t testing.TB) map[string]compare.Comparison {
	t.Helper()
	before := runOf("greenhouse", "1.0").breaks("valid/tag", "200/body").answers("boundary/id-zero", "200 application/json")
	after := runOf("greenhouse", "1.1").
		breaks("missing-required/name", "request/body/name").breaks("wrong-type/name", "request/body/name").
		finds("valid/plain", "warning", "200/echo", "differs from what was sent").
		answers("boundary/id-zero", "422 application/problem+json").
		without("boundary/id-negative")
	shop := runOf("flower shop", "").answers("boundary/id-zero", "400 text/plain").breaks("missing-required/name", "400/body/error")
	nursery := runOf("nursery", "7").answers("missing-required/name", "422 application/json").answers("wrong-type/name", "422").
		answers("boundary/id-zero", "400 application/json").unjudged("valid/tag")
	nursery.Harness.Version = "v1.3.0"
	return map[string]compare.Comparison{
		"implementations": compared(t, runOf("greenhouse", "1.0"), shop, nursery),
		"change":          compared(t, before, after),
		"alike":           compared(t, runOf("greenhouse", ""), runOf("nursery", "")),
		"nothing-changed": compared(t, runOf("greenhouse", "1.0"), runOf("greenhouse", "1.1")),
		"hostile":         hostile(t),
	}
}

// hostile returns a comparison of reports with markup and control characters in every text.
func hostile(t testing.TB) compare.Comparison {
	t.Helper()
	const evil = "\x1b[31m<script>alert(1)</script>\u202e\"'&\r\n\x00"
	a := runOf(evil, evil).breaks("valid/plain", "200/body").answers("boundary/id-zero", "400 "+evil)
	b := runOf("nursery", "").answers("boundary/id-zero", "400 "+strings.Repeat("x", 1<<16))
	for _, r := range []*run{&a, &b} {
		r.Contract.Title, r.Contract.Version = evil, evil
		r.Target.BaseURL = "javascript:" + evil
		r.Clauses = slices.Clone(r.Clauses)
		for i := range r.Clauses {
			r.Clauses[i].Text, r.Clauses[i].Section = evil, evil
		}
	}
	a.Results[0].Findings[0].Message = evil
	list := sources(a, b)
	list[0].File = evil
	c, err := compare.New(list)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fileName returns a.json to z.json, then aa.json and so on.
func fileName(i int) string {
	const letters = 26
	name := string(rune('a'+i%letters)) + ".json"
	if i < letters {
		return name
	}
	return string(rune('a'+i/letters-1)) + name
}
