package judge_test

import (
	"testing"

	"github.com/plantstore/conformance/suites/judge"
)

// What is one fault and what is two: each row is two findings.
func TestCauseOf(t *testing.T) {
	on := func(id string, status int, body string) judge.Outcome {
		return judge.Outcome{Fixture: id, Operation: "op", Clause: "op/request/body", Answer: status, ServerError: judge.ServerError(status, "text/html", body)}
	}
	plain := on("op/malformed/a", 400, "")
	saying := func(clause, pointer, message string) judge.Finding {
		return judge.Finding{Clause: clause, Pointer: pointer, Message: message}
	}
	failure := saying("op/answers", "", "comes with status 500")
	own := saying("op/request/body", "", "is accepted")
	for name, c := range map[string]struct {
		a, b       judge.Outcome
		one, other judge.Finding
		same       bool
	}{
		"the same in two fixtures":             {plain, on("op/valid/b", 400, ""), saying("op/400/body/x", "/x", "is missing"), saying("op/400/body/x", "/x", "is missing"), true},
		"two clauses":                          {plain, plain, saying("op/400/body/x", "/x", "is missing"), saying("op/400/body/y", "/x", "is missing"), false},
		"two places":                           {plain, plain, saying("op/200/echo", "/name", "differs"), saying("op/200/echo", "/tag", "differs"), false},
		"two items of a list":                  {plain, plain, saying("op/200/body/*/x", "/0/x", "is missing"), saying("op/200/body/*/x", "/17/x", "is missing"), true},
		"two undeclared properties":            {plain, plain, saying("op/200/body/undeclared", "/id", "is not declared"), saying("op/200/body/undeclared", "/at", "is not declared"), true},
		"undeclared properties of two objects": {plain, plain, saying("op/200/body/undeclared", "/id", "is not declared"), saying("op/200/body/undeclared", "/a/id", "is not declared"), false},
		"two messages":                         {plain, plain, saying("op/400/body", "", "is empty"), saying("op/400/body", "", "is cut off"), false},
		"messages that differ in a quotation":  {plain, plain, saying("op/400/body", "", "is not JSON: at o"), saying("op/400/body", "", "is not JSON: at j"), true},
		"two statuses":                         {plain, on("op/malformed/a", 200, ""), own, own, false},
		"two kinds of request let through":     {plain, on("op/missing/a", 400, ""), own, own, false},
		"one kind, in a folder below":          {plain, on("op/malformed/b/c", 400, ""), own, own, true},
		"two crashes":                          {on("op/a/a", 500, "KeyError: name"), on("op/a/b", 500, "TypeError"), failure, failure, false},
		"one crash, at two paths":              {on("op/a/a", 500, "NumberFormatException: &quot;true&quot; URI: /a/b"), on("op/b/b", 500, "NumberFormatException: &quot;x&quot; URI: /c-d"), failure, failure, true},
		"one crash, at two times":              {on("op/a/a", 500, "id 7f3a-11, 2026-11-22T00:20:01Z"), on("op/b/b", 500, "id 10bc-94, 2026-11-22T00:21:07Z"), failure, failure, true},
	} {
		t.Run(name, func(t *testing.T) {
			if a, b := judge.CauseOf(c.a, c.one), judge.CauseOf(c.b, c.other); (a == b) != c.same {
				t.Errorf("same is %t, want %t:\n%+v\n%+v", a == b, c.same, a, b)
			}
		})
	}
}

// Which causes are one fault: each row is two findings of two exchanges.
func TestFaultOf(t *testing.T) {
	on := func(fixture, clause string, status int, body string, findings ...judge.Finding) judge.Outcome {
		return judge.Outcome{Fixture: fixture, Clause: clause, Answer: status, ServerError: judge.ServerError(status, "text/html", body), Findings: findings}
	}
	media, text := judge.Finding{Clause: "a/404/media-type", Message: "is not declared"}, judge.Finding{Clause: "a/404/body", Message: "is not valid JSON: N"}
	inside := judge.Finding{Clause: "a/404/body/code", Pointer: "/code", Message: "is missing"}
	crash, page := judge.Finding{Clause: "a/answers", Message: "comes with status 500"}, judge.Finding{Clause: "a/500/body", Message: "is not valid JSON"}
	derived := func(fixture, clause string) judge.Outcome {
		return judge.Outcome{Fixture: fixture, Clause: clause, Answer: 200, Derived: true}
	}
	let := func(clause string) judge.Finding { return judge.Finding{Clause: clause, Message: "is accepted"} }
	for name, c := range map[string]struct {
		a, b       judge.Outcome
		one, other judge.Finding
		same       bool
	}{
		"two operations":                    {on("a/valid/x", "a/accepts", 404, "", media), on("b/valid/x", "b/accepts", 404, ""), media, judge.Finding{Clause: "b/404/media-type", Message: "is not declared"}, true},
		"two properties that are added":     {on("a/valid/x", "a/accepts", 201, ""), on("a/valid/x", "a/accepts", 201, ""), judge.Finding{Clause: "a/201/echo", Pointer: "/id", Message: "is shown, though it was not sent"}, judge.Finding{Clause: "a/201/echo", Pointer: "/at", Message: "is shown, though it was not sent"}, true},
		"two properties that are left out":  {on("a/valid/x", "a/accepts", 201, ""), on("a/valid/x", "a/accepts", 201, ""), judge.Finding{Clause: "a/201/echo", Pointer: "/id", Message: "is missing, though it was sent"}, judge.Finding{Clause: "a/201/echo", Pointer: "/at", Message: "is missing, though it was sent"}, true},
		"left out by two operations":        {on("a/valid/x", "a/accepts", 201, ""), on("b/valid/x", "b/accepts", 201, ""), judge.Finding{Clause: "a/201/echo", Pointer: "/id", Message: "is missing, though it was sent"}, judge.Finding{Clause: "b/201/echo", Pointer: "/at", Message: "is missing, though it was sent"}, false},
		"two properties that differ":        {on("a/valid/x", "a/accepts", 201, ""), on("a/valid/x", "a/accepts", 201, ""), judge.Finding{Clause: "a/201/echo", Pointer: "/id", Message: "comes back changed"}, judge.Finding{Clause: "a/201/echo", Pointer: "/at", Message: "comes back changed"}, false},
		"two statuses of a class":           {on("a/valid/x", "a/accepts", 404, "", media), on("b/valid/x", "b/accepts", 400, ""), media, judge.Finding{Clause: "b/400/media-type", Message: "is not declared"}, true},
		"two classes":                       {on("a/valid/x", "a/accepts", 404, "", media), on("b/valid/x", "b/accepts", 200, ""), media, judge.Finding{Clause: "b/200/media-type", Message: "is not declared"}, false},
		"one kind of request":               {on("a/type/x", "a/request/body/n", 200, ""), on("b/type/x", "b/request/body/n", 200, ""), let("a/request/body/n"), let("b/request/body/n"), true},
		"numbers taken for texts":           {derived("a/type/body.n.number", "a/request/body/n"), derived("b/type/body.m.number-in-2-Cat", "b/request/body/m/k"), let("a/request/body/n"), let("b/request/body/m/k"), true},
		"numbers and lists taken for texts": {derived("a/type/body.n.number", "a/request/body/n"), derived("a/type/body.m.list", "a/request/body/m"), let("a/request/body/n"), let("a/request/body/m"), false},
		"null in two places":                {derived("a/null/body.n", "a/request/body/n"), derived("a/null/body.m", "a/request/body/m"), let("a/request/body/n"), let("a/request/body/m"), true},
		"null in a body and in a query":     {derived("a/null/body.n", "a/request/body/n"), derived("a/null/query.m", "a/request/query/m"), let("a/request/body/n"), let("a/request/query/m"), false},
		"null, and null by a table":         {derived("a/null/body.n", "a/request/body/n"), derived("a/wrong-type/body.m-null", "a/request/body/m"), let("a/request/body/n"), let("a/request/body/m"), true},
		"null as a whole body":              {derived("a/null/body", "a/request/body"), derived("a/null/body.m", "a/request/body/m"), let("a/request/body"), let("a/request/body/m"), false},
		"two kinds of request":              {on("a/type/x", "a/request/body/n", 200, ""), on("b/null/x", "b/request/body/n", 200, ""), let("a/request/body/n"), let("b/request/body/n"), false},
		"a text that is not JSON":           {on("a/valid/x", "a/accepts", 404, "", media, text), on("a/valid/x", "a/accepts", 404, "", media, text), media, text, true},
		"not JSON, but of the right type":   {on("a/valid/x", "a/accepts", 404, "", media), on("a/valid/x", "a/accepts", 404, "", text), media, text, false},
		"a property of another type's body": {on("a/valid/x", "a/accepts", 404, "", media, inside), on("a/valid/x", "a/accepts", 404, "", media, inside), media, inside, false},
		"the page of a crash":               {on("a/valid/x", "a/accepts", 500, "", crash, page), on("a/valid/x", "a/accepts", 500, "", crash, page), crash, page, true},
		"a crash that no test is about":     {on("a/valid/x", "a/accepts", 500, "", crash), on("a/open/x", "a/answers", 500, "", crash), crash, crash, true},
		"two crashes":                       {on("a/valid/x", "a/accepts", 500, "one", crash), on("b/valid/x", "b/accepts", 500, "other", crash), crash, crash, false},
	} {
		t.Run(name, func(t *testing.T) {
			if a, b := judge.FaultOf(c.a, c.one), judge.FaultOf(c.b, c.other); (a == b) != c.same {
				t.Errorf("same is %t, want %t:\n%+v\n%+v", a == b, c.same, a, b)
			}
		})
	}
}
