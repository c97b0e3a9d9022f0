package compare_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/result"
)

// findsAt adds a finding about a property of the response body.
func (r run) findsAt(id string, severity judge.Severity, part, pointer, message string) run {
	return r.finds(id, severity, part, message).change(id, func(result *result.Result) { result.Findings[len(result.Findings)-1].Pointer = pointer })
}

// Each row is about one property and one severity. If the clause is broken at another place, a
// warning does not become a failure.
func TestRowsNameTheProperty(t *testing.T) {
	before := runOf("a", "1").findsAt("valid/plain", "warning", "200/echo", "/tag", "differs from what was sent")
	after := runOf("a", "2").
		findsAt("valid/plain", "warning", "200/echo", "/tag", "differs from what was sent").
		findsAt("valid/plain", "warning", "200/echo", "/name", "differs from what was sent").
		findsAt("valid/tag", "violation", "200/echo", "/tag", "is missing")
	var got []string
	c := compared(t, before, after)
	for _, s := range c.Change.Worse {
		got = append(got, fmt.Sprintf("%s %s %s %s", s.Severity, s.Pointer, s.Before, s.After))
	}
	if want := []string{"violation /tag passed failed", "warning /name passed warned"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	text := string(reporttest.Written(t, compare.Console{Detail: console.Normal}.Write, c))
	for _, want := range []string{"\n    /name differs from what was sent\n", "\n    /tag is missing\n", "1 clause newly broken"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if !strings.Contains(string(reporttest.Written(t, compare.WriteHTML, c)), "/name differs from what was sent") {
		t.Error("the page does not name the property")
	}
}

// An answer to two questions is one difference. A value in the body and the status are different
// answers.
func TestAnswersToSeveralQuestions(t *testing.T) {
	noting := func(r run, value string) run {
		return r.change("wrong-type/name", func(result *result.Result) {
			result.Findings = append(result.Findings,
				judge.Finding{Clause: "createPlant/silent/field-bounds", Severity: "observation", Actual: "x", Offset: -1},
				judge.Finding{Clause: "createPlant/silent/other-statuses", Severity: "observation", Actual: "x", Offset: -1},
				judge.Finding{Clause: "createPlant/silent/field-bounds", Severity: "observation", Pointer: "/error", Actual: value, Offset: -1})
		})
	}
	var got []string
	c := compared(t, noting(runOf("a", "1").answers("wrong-type/name", "400"), "400 with error 1"), noting(runOf("a", "2").answers("wrong-type/name", "422"), "400 with error 2"))
	for _, s := range c.Silences {
		for _, d := range s.Differences {
			got = append(got, strings.TrimPrefix(string(s.Clause), "createPlant/silent/")+": "+strings.Join(d.Answers, " > "))
		}
	}
	slices.Sort(got)
	if want := []string{"field-bounds: 400 with error 1 > 400 with error 2", "other-statuses: 400 > 422"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
