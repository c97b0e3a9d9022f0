package judge_test

import (
	"slices"
	"testing"

	"github.com/plantstore/conformance/suites/internal/judgetest"
	"github.com/plantstore/conformance/suites/judge"
)

// For any status, an exchange answers each question that it relates to.
func TestQuestions(t *testing.T) {
	w := world{judgetest.Load(t, `
  make/silent/rejection-conditions: {level: silent, section: '1', text: what else leads to 400?}
  make/silent/text-value: {level: silent, section: '1', text: which texts are there?}
`)}
	const statuses, missing, conditions, values, size = "silent/other-statuses: ", "silent/credential-missing: ", "silent/rejection-conditions: ", "silent/text-value: ", "silent/size: "
	for _, row := range []struct {
		name, fixture string
		answer        answer
		want          []string
	}{
		{"a success says nothing", "make/valid/plain", answer{200, jsonType, `{"name":"a"}`}, nil},
		{"a missing credential is accepted", "make/missing/token", answer{200, jsonType, `{"name":"a"}`}, []string{missing + "200 application/json"}},
		{"a missing credential gets a declared status", "make/missing/token", answer{400, jsonType, `{"text":"no"}`}, []string{missing + "400 application/json", values + `400 with text "no"`}},
		{"a missing credential gets another", "make/missing/token", answer{401, "", ""}, []string{missing + "401", statuses + "401"}},
		{"another scheme is a missing credential too", "make/missing/basic", answer{403, "text/html", "<p>"}, []string{missing + "403 text/html", statuses + "403 text/html"}},
		{"parameters of the media type are left out", "make/missing/token", answer{401, "Text/HTML; charset=utf-8", ""}, []string{missing + "401 text/html", statuses + "401 text/html"}},
		{"a rejection with a declared status", "make/missing/name", answer{400, jsonType, `{"text":"a"}`}, []string{conditions + "400 application/json", values + `400 with text "a"`}},
		{"a rejection with another", "make/missing/name", answer{422, jsonType, `{"detail":[]}`}, []string{statuses + "422 application/json"}},
		{"what must be rejected is accepted", "make/missing/name", answer{200, jsonType, `{"name":""}`}, nil},
		{"a failure of the service", "make/valid/plain", answer{500, "text/plain", "oops"}, []string{statuses + "500 text/plain"}},
		{"an undeclared success", "make/valid/plain", answer{201, jsonType, `{"name":"a"}`}, []string{statuses + "201 application/json"}},
		{"its own question, accepted", "make/open/huge", answer{200, jsonType, `{"name":"a"}`}, []string{size + "200 application/json"}},
		{"its own question, refused", "make/open/huge", answer{413, "", ""}, []string{size + "413", statuses + "413"}},
		{"a value in a list is none", "make/missing/name", answer{400, jsonType, `[{"text":"a"}]`}, []string{conditions + "400 application/json"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := w.judge(t, row.fixture, row.answer, judge.Options{})
			var got []string
			for _, f := range r.Findings {
				if f.Severity == judge.Observation {
					got = append(got, string(f.Clause)[len("make/"):]+": "+f.Actual)
					if !slices.Contains(r.Exercised, f.Clause) {
						t.Errorf("%s is not exercised", f.Clause)
					}
				}
			}
			slices.Sort(got)
			slices.Sort(row.want)
			if !slices.Equal(got, row.want) {
				t.Errorf("got  %q\nwant %q", got, row.want)
			}
		})
	}
}
