package judge_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/judgetest"
	"github.com/plantstore/conformance/suites/judge"
)

// world has the contract of the tests and its fixtures.
type world struct{ judgetest.World }

func load(t *testing.T) world { return world{judgetest.Load(t, "")} }

// answer is the response of a target: status, media type and body.
type answer judgetest.Answer

const jsonType = judgetest.JSON

func (w world) judge(t *testing.T, id string, a answer, o judge.Options) judge.Judged {
	t.Helper()
	return w.Judge(t, id, (*judgetest.Answer)(&a), o)
}

// findings returns the findings of a result as "severity clause", sorted, without the observations,
// which TestQuestions checks.
func findings(r judge.Judged) []string {
	list := []string{}
	for _, f := range r.Findings {
		if f.Severity != judge.Observation {
			list = append(list, string(f.Severity)+" "+string(f.Clause))
		}
	}
	slices.Sort(list)
	return list
}

// assertOffsets: only a finding about the response body has an offset in it.
func (w world) assertOffsets(t *testing.T, r judge.Judged) {
	t.Helper()
	for _, f := range r.Findings {
		if clause, _ := w.Contract.Clause(f.Clause); clause.ID.Status() == "" && f.Offset != -1 {
			t.Errorf("%s is about no place in the body, and points at %d", f.Clause, f.Offset)
		}
	}
}

func TestRules(t *testing.T) {
	w := load(t)
	fault := answer{400, jsonType, `{"text":"no"}`}
	for _, row := range []struct {
		rule    string
		fixture string
		answer  answer
		want    []string
	}{
		// Rule 1: an answer accepts or rejects.
		{"a 500 to a valid request", "make/valid/plain", answer{500, "", ""}, []string{"violation make/answers"}},
		{"a 500 to an invalid request", "make/missing/name", answer{500, "", ""}, []string{"violation make/answers"}},
		{"a 503 where the contract is silent", "make/open/huge", answer{503, "", ""}, []string{"violation make/answers"}},
		{"a declared 501 to a valid request", "make/valid/plain", answer{501, "", ""}, []string{"violation make/accepts", "warning make/answers"}},
		{"a declared 501 to a valid twin", "make/valid/twin", answer{501, "", ""}, []string{"warning make/answers"}},
		{"a declared 501 to an invalid request", "make/missing/name", answer{501, "", ""}, []string{"warning make/answers"}},
		{"a declared 501 where the contract is silent", "make/open/huge", answer{501, "", ""}, []string{"warning make/answers"}},
		{"a redirect that is not declared", "make/valid/plain", answer{307, "", ""}, []string{"violation make/answers"}},
		{"a redirect that only default declares", "find/valid/plain", answer{301, jsonType, `{"text":""}`}, []string{"violation find/answers"}},
		{"a redirect that is declared", "find/valid/plain", answer{302, "", ""}, nil},
		{"a declared redirect of an invalid request", "find/type/q", answer{302, "", ""}, nil},
		{"a redirect with a body, which the contract does not declare", "find/valid/plain", answer{302, "text/html", "moved"}, nil},
		{"not modified", "make/missing/name", answer{304, "", ""}, []string{"violation make/answers"}},
		{"not modified, as declared, though nothing says that the client has it", "find/valid/plain", answer{304, "", ""}, []string{"warning find/answers"}},
		{"not modified, as declared and asked for", "find/valid/again", answer{304, "", ""}, nil},
		{"not modified, as asked for alone", "part/valid/again", answer{304, "", ""}, []string{"warning part/answers"}},
		{"not modified, and not asked for", "part/valid/range", answer{304, "", ""}, []string{"violation part/answers", "warning part/answers"}},
		{"a part, as asked for alone", "part/valid/range", answer{206, "", "a"}, []string{"warning part/accepts"}},
		{"a part, and not asked for", "part/valid/plain", answer{206, "", "a"}, []string{"violation part/accepts"}},
		{"a success that only default covers", "one/valid/plain", answer{204, "", ""}, []string{"warning one/accepts"}},
		{"a success with a body that default describes", "one/valid/plain", answer{201, jsonType, `{"text":""}`}, []string{"warning one/accepts"}},
		{"a success, where the contract names none", "none/valid/plain", answer{200, jsonType, `{}`}, []string{}},
		{"a failure, where the contract names no success", "none/valid/plain", answer{500, "", ""}, []string{"violation none/answers"}},
		{"a success of a class that is declared", "some/valid/plain", answer{204, "", ""}, nil},
		{"a success where default alone is declared", "find/valid/plain", answer{204, "", ""}, nil},
		{"another status than asked for", "part/valid/range", answer{204, "", ""}, []string{"violation part/accepts"}},
		{"a switch of protocols", "make/valid/plain", answer{101, "", ""}, []string{"violation make/answers"}},
		{"a 500 that default declares, as declared", "find/valid/plain", answer{500, jsonType, `{"text":""}`}, []string{"violation find/answers"}},
		{"a 500 that default declares, otherwise", "find/valid/plain", answer{500, jsonType, `{}`}, []string{"violation find/answers", "violation find/default/body/text"}},

		// Rule 2: a valid request must be accepted, with a declared status.
		{"a valid request accepted", "make/valid/plain", answer{200, jsonType, `{"name":"a"}`}, nil},
		{"a valid request rejected", "make/valid/plain", fault, []string{"violation make/accepts"}},
		{"a valid request rejected with a status that is not declared", "make/valid/plain", answer{422, "", ""}, []string{"violation make/accepts"}},
		{"201 for 200", "make/valid/plain", answer{201, jsonType, `{"name":"a"}`}, []string{"violation make/accepts"}},
		{"204 for 200", "make/valid/plain", answer{204, "", ""}, []string{"violation make/accepts"}},
		{"any 2xx where default declares all", "find/valid/plain", answer{204, jsonType, `{"text":""}`}, nil},
		{"a valid request rejected, and wrongly so in form", "make/valid/plain", answer{400, "text/plain", "no"},
			[]string{"violation make/400/body", "violation make/400/media-type", "violation make/accepts"}},

		// Rule 3: a forbidden request must be rejected.
		{"a missing property rejected", "make/missing/name", fault, nil},
		{"a missing property accepted", "make/missing/name", answer{200, jsonType, `{"name":""}`}, []string{"violation make/request/body/name"}},
		{"a missing property accepted with 201", "make/missing/name", answer{201, "", ""}, []string{"violation make/request/body/name"}},
		{"a missing body accepted", "make/missing/body", answer{200, jsonType, `{"name":""}`}, []string{"violation make/request/body"}},
		{"a missing credential accepted", "make/missing/token", answer{200, jsonType, `{"name":"a"}`}, []string{"violation make/request/credential"}},
		{"what only should be rejected is accepted", "make/type/text", answer{200, jsonType, `{"name":"a"}`}, []string{"warning make/request/media-type"}},
		{"what only should be rejected is rejected", "make/type/text", answer{415, "", ""}, []string{}},

		// Rule 4: a declared response is as declared.
		{"an error of another media type", "make/missing/name", answer{400, "text/plain", `{"text":"no"}`}, []string{"violation make/400/media-type"}},
		{"an error without its property", "make/missing/name", answer{400, jsonType, `{}`}, []string{"violation make/400/body/text"}},
		{"an error with half of a surrogate pair", "make/missing/name", answer{400, jsonType, `{"text":"\ud83c"}`}, []string{"warning make/400/body"}},
		{"an error with a key twice", "make/missing/name", answer{400, jsonType, `{"text":"a","text":"b"}`}, []string{"violation make/400/body"}},
		{"an error that is no JSON", "make/missing/name", answer{400, jsonType, `no`}, []string{"violation make/400/body"}},
		{"every breach is told", "make/valid/sized", answer{200, "text/html", `{"name":1,"size":"3"}`},
			[]string{"violation make/200/body/name", "violation make/200/body/size", "violation make/200/media-type", "warning make/200/echo", "warning make/200/echo"}},
		{"where the contract is silent the form counts too", "make/open/huge", answer{400, jsonType, `{}`},
			[]string{"violation make/400/body/text"}},

		// Requests that only should be accepted.
		{"what should be accepted is rejected", "make/valid/should", fault, []string{"warning make/accepts"}},
		{"what should be accepted is forbidden, as declared", "one/valid/should", answer{403, jsonType, `{"text":""}`}, []string{}},
		{"what should be accepted is not found, as declared", "one/valid/should", answer{404, jsonType, `{"text":""}`}, []string{"warning one/accepts"}},
		{"what should be accepted is forbidden, which is not declared", "make/valid/should", answer{403, "", ""}, []string{"warning make/accepts"}},
		{"what must be accepted is forbidden", "one/valid/plain", answer{403, jsonType, `{"text":""}`}, []string{"violation one/accepts"}},
		{"what should be accepted is, with 201", "make/valid/should", answer{201, "", ""}, []string{"violation make/accepts"}},
		{"what should be accepted gets a 500", "make/valid/should", answer{500, "", ""}, []string{"violation make/answers"}},

		// A valid request that may be refused for a reason that the suite cannot know.
		{"a valid twin called invalid", "make/valid/twin", fault, []string{"violation make/accepts"}},
		{"a valid twin of a media type that is not taken", "make/valid/twin", answer{415, "", ""}, []string{"violation make/accepts"}},
		{"a valid twin that asks for what the service cannot write", "make/valid/twin", answer{406, "", ""}, []string{"violation make/accepts"}},
		{"a valid twin that cannot be processed", "make/valid/twin", answer{422, "", ""}, []string{"violation make/accepts"}},
		{"a valid twin of something that is not there", "make/valid/twin", answer{404, "", ""}, []string{}},
		{"a valid twin in conflict with what is there", "make/valid/twin", answer{409, "", ""}, []string{}},
		{"a valid twin that is forbidden", "make/valid/twin", answer{403, "", ""}, []string{}},
		{"a valid twin whose credential has run out", "make/valid/twin", answer{401, "", ""}, []string{}},
		{"an alternative that the service does not know", "make/valid/alternative", answer{401, "", ""}, []string{"violation make/accepts"}},
		{"an alternative that may do less", "make/valid/alternative", answer{403, "", ""}, []string{}},
		{"a valid twin and a failure", "make/valid/twin", answer{500, "", ""}, []string{"violation make/answers"}},
		{"a valid twin accepted with a status that is not declared", "make/valid/twin", answer{202, "", ""}, []string{"violation make/accepts"}},

		// Rule 11: if a gateway may respond, only the clause answers is judged.
		{"a gateway's rejection", "make/missing/gateway", answer{400, "text/html", "<p>no"}, nil},
		{"a service that lets through what a gateway may reject", "make/missing/gateway", answer{200, jsonType, `{"name":""}`}, []string{"violation make/request/body/name"}},
		{"a gateway's rejection in JSON", "make/missing/gateway", answer{400, jsonType, `{}`}, nil},
		{"a page for a browser", "make/missing/browser", answer{400, "text/html", "<p>no"}, nil},
		{"a rejection of a browser without a media type", "make/missing/browser", answer{400, "", "{}"}, nil},
		{"an undeclared rejection of a browser", "make/missing/browser", answer{422, jsonType, "{"}, nil},
		{"an error for a browser", "make/missing/browser", answer{400, jsonType, `{"text":"no"}`}, nil},
		{"an error for a browser that is none", "make/missing/browser", answer{400, jsonType, `{}`}, []string{"violation make/400/body/text"}},
		{"a page for a client without a name", "make/missing/unnamed", answer{400, "text/html", "<p>no"}, nil},
		{"an error for a client without a name that is none", "make/missing/unnamed", answer{400, jsonType, `{`}, []string{"violation make/400/body"}},
		{"a gateway that rejects what is valid", "make/valid/gateway", answer{400, "text/html", "<p>no"}, nil},
		{"a gateway's failure", "make/missing/gateway", answer{502, "text/html", "<p>bad gateway"}, []string{"violation make/answers"}},
		{"a gateway's redirect", "make/missing/gateway", answer{302, "", ""}, []string{"violation make/answers"}},
		{"a gateway and an open question", "make/open/gateway", answer{400, "text/html", "<p>no"}, nil},
		{"a service that accepts what a gateway may reject", "make/open/gateway", answer{200, jsonType, `{"name":"a","size":98}`}, nil},
		{"and shows nothing", "make/open/gateway", answer{200, jsonType, `{}`}, []string{"violation make/200/body/name", "warning make/200/echo", "warning make/200/echo"}},
		{"and shows something else", "make/open/gateway", answer{200, jsonType, `{"name":"b","size":98}`}, []string{"warning make/200/echo"}},
		{"and answers as nobody asked", "make/open/gateway", answer{200, "text/html", "<p>yes"}, []string{"violation make/200/body", "violation make/200/media-type"}},
		{"and answers as was asked", "make/open/html", answer{200, "text/html; charset=utf-8", "<p>yes"}, nil},
		{"and answers otherwise than was asked", "make/open/html", answer{200, "text/plain", "yes"}, []string{"violation make/200/body", "violation make/200/media-type"}},

		// Rule 5: an undeclared rejection is an observation.
		{"401 to a missing credential", "make/missing/token", answer{401, "", ""}, []string{}},
		{"403 as HTML to a missing credential", "make/missing/token", answer{403, "text/html", "<p>no"}, []string{}},
		{"422 to a missing property", "make/missing/name", answer{422, "application/problem+json", "{"}, []string{}},
		{"404 that default declares", "find/open/declared404", answer{404, jsonType, `{"text":""}`}, nil},

		// Rule 6: undeclared properties and a differing echo are warnings.
		{"a property that is not declared", "make/valid/plain", answer{200, jsonType, `{"name":"a","id":1}`}, []string{"warning make/200/body/undeclared"}},
		{"another name than was sent", "make/valid/plain", answer{200, jsonType, `{"name":"b"}`}, []string{"warning make/200/echo"}},
		{"a property that was not sent", "make/valid/plain", answer{200, jsonType, `{"name":"a","size":1}`}, []string{"warning make/200/echo"}},
		{"the same number written otherwise", "make/valid/sized", answer{200, jsonType, `{"name":"a","size":3.0}`}, nil},

		// Rule 7: if the contract is silent, acceptance and rejection are both right.
		{"an open question accepted", "make/open/huge", answer{200, jsonType, `{"name":"a","size":99}`}, []string{}},
		{"an open question rejected", "make/open/huge", fault, []string{}},
		{"an open question rejected with a status that is not declared", "make/open/huge", answer{413, "", ""}, []string{}},
		{"an open question accepted with a status that is not declared", "make/open/huge", answer{202, "", ""}, []string{"violation make/accepts"}},
	} {
		t.Run(row.rule, func(t *testing.T) {
			r := w.judge(t, row.fixture, row.answer, judge.Options{})
			if got := findings(r); !slices.Equal(got, append([]string{}, row.want...)) {
				t.Errorf("findings %q, want %q", got, row.want)
			}
			want := judge.Passed
			switch text := strings.Join(row.want, " "); {
			case strings.Contains(text, "violation"):
				want = judge.Failed
			case strings.Contains(text, "warning"):
				want = judge.Warned
			}
			if r.Status != want {
				t.Errorf("status %s, want %s", r.Status, want)
			}
			w.assertOffsets(t, r)
			for _, f := range r.Findings {
				if f.Message == "" || f.Severity != judge.Observation && (f.Expected == "" || f.Actual == "") {
					t.Errorf("a finding without its evidence: %+v", f)
				}
			}
		})
	}
}

// Rule 8: strict makes warnings and undeclared statuses violations of the clause on which they were
// noted, and changes nothing else.
func TestStrict(t *testing.T) {
	w := load(t)
	for _, row := range []struct {
		name, fixture string
		answer        answer
		want          []string
	}{
		{"a warning", "make/valid/plain", answer{200, jsonType, `{"name":"a","id":1}`}, []string{"violation make/200/body/undeclared"}},
		{"a should", "make/type/text", answer{200, jsonType, `{"name":"a"}`}, []string{"violation make/request/media-type"}},
		{"an undeclared status", "make/missing/name", answer{422, "", ""}, []string{"violation make/silent/other-statuses"}},
		{"an undeclared status to a missing credential", "make/missing/token", answer{401, "", ""}, []string{"violation make/silent/credential-missing"}},
		{"an undeclared status to an open question", "make/open/huge", answer{413, "", ""}, []string{"violation make/silent/size"}},
		{"a declared answer to an open question", "make/open/huge", answer{400, jsonType, `{"text":""}`}, []string{}},
		{"nothing at all", "make/valid/plain", answer{200, jsonType, `{"name":"a"}`}, []string{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := w.judge(t, row.fixture, row.answer, judge.Options{Strict: true})
			if got := findings(r); !slices.Equal(got, row.want) {
				t.Errorf("findings %q, want %q", got, row.want)
			}
			w.assertOffsets(t, r)
		})
	}
}

// An exchange exercises the clauses that it could have broken: the basis of "no green without evidence".
func TestExercised(t *testing.T) {
	w := load(t)
	for _, row := range []struct {
		name, fixture string
		answer        answer
		want          []spec.ClauseID
	}{
		{"a success", "make/valid/plain", answer{200, jsonType, `{"name":"a"}`},
			[]spec.ClauseID{"make/200/body", "make/200/body/name", "make/200/body/undeclared", "make/200/echo", "make/200/media-type", "make/accepts", "make/answers"}},
		{"an optional property, shown", "make/valid/sized", answer{200, jsonType, `{"name":"a","size":3}`},
			[]spec.ClauseID{"make/200/body", "make/200/body/name", "make/200/body/size", "make/200/body/undeclared", "make/200/echo", "make/200/media-type", "make/accepts", "make/answers"}},
		{"a rejection", "make/missing/name", answer{400, jsonType, `{"text":""}`},
			[]spec.ClauseID{"make/400/body", "make/400/body/text", "make/400/body/undeclared", "make/400/media-type", "make/answers", "make/request/body/name"}},
		{"a body that cannot be read exercises nothing inside it", "make/missing/name", answer{400, jsonType, `{`},
			[]spec.ClauseID{"make/400/body", "make/400/media-type", "make/answers", "make/request/body/name"}},
		{"a failure of the service exercises nothing it was meant for", "make/missing/name", answer{500, "", ""}, []spec.ClauseID{"make/answers"}},
		{"an undeclared rejection", "make/missing/token", answer{401, "", ""},
			[]spec.ClauseID{"make/answers", "make/request/credential"}},
		{"what must be accepted is rejected", "make/valid/plain", answer{422, "", ""}, []spec.ClauseID{"make/accepts", "make/answers"}},
		{"what must be rejected is accepted", "make/missing/name", answer{201, "", ""}, []spec.ClauseID{"make/answers", "make/request/body/name"}},
		{"a redirect that is declared", "find/valid/plain", answer{302, "", ""}, []spec.ClauseID{"find/accepts", "find/answers"}},
		{"a redirect is no rejection", "find/type/q", answer{302, "", ""}, []spec.ClauseID{"find/answers"}},
		{"a gateway's answer", "make/missing/gateway", answer{400, jsonType, `{}`}, []spec.ClauseID{"make/answers"}},
		{"an open question puts no acceptance to the test", "make/open/huge", answer{200, jsonType, `{}`},
			[]spec.ClauseID{"make/200/body", "make/200/body/name", "make/200/body/undeclared", "make/200/echo", "make/200/media-type", "make/answers"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := slices.DeleteFunc(w.judge(t, row.fixture, row.answer, judge.Options{}).Exercised, func(id spec.ClauseID) bool {
				return strings.Contains(string(id), "/silent/") // see TestQuestions
			})
			slices.Sort(got)
			if !slices.Equal(got, row.want) {
				t.Errorf("exercised %q, want %q", got, row.want)
			}
		})
	}
}
