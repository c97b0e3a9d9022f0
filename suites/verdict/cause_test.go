package verdict_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// Each row has two findings, which are one fault or two.
func TestCauseOf(t *testing.T) {
	on := func(id string, status int, body string) judge.Outcome {
		return judge.Outcome{Fixture: id, Operation: "op", Clause: "op/request/body", Answer: status, ServerError: judge.ServerError(status, "text/html", body)}
	}
	plain := on("op/malformed/a", 400, "")
	saying := func(clause spec.ClauseID, pointer, message string) judge.Finding {
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
		"two values of a map":                  {plain, plain, saying("op/200/body/m/*/x", "/m/a/x", "has the wrong type"), saying("op/200/body/m/*/x", "/m/b/x", "has the wrong type"), true},
		"two values of a map without a clause": {plain, plain, saying("op/200/body/m", "/m/a", "has the wrong type"), saying("op/200/body/m", "/m/b", "has the wrong type"), true},
		"a map, and a value of it":             {plain, plain, saying("op/200/body/m", "/m", "has the wrong type"), saying("op/200/body/m", "/m/b", "has the wrong type"), false},
		"two required names without a clause":  {plain, plain, saying("op/200/body/m", "/m/a", "is missing"), saying("op/200/body/m", "/m/b", "is missing"), false},
		"two undeclared properties":            {plain, plain, saying("op/200/body/undeclared", "/id", "is not declared"), saying("op/200/body/undeclared", "/at", "is not declared"), true},
		"undeclared properties of two objects": {plain, plain, saying("op/200/body/undeclared", "/id", "is not declared"), saying("op/200/body/undeclared", "/a/id", "is not declared"), false},
		"two messages":                         {plain, plain, saying("op/400/body", "", "is empty"), saying("op/400/body", "", "is cut off"), false},
		"messages that differ in a quotation":  {plain, plain, saying("op/400/body", "", "is not JSON: at o"), saying("op/400/body", "", "is not JSON: at j"), true},
		"two statuses":                         {plain, on("op/malformed/a", 200, ""), own, own, false},
		"two kinds of request let through":     {plain, on("op/missing/a", 400, ""), own, own, false},
		"one kind, in a folder below":          {plain, on("op/malformed/b/c", 400, ""), own, own, true},
		"one kind, sent with another one":      {plain, judge.Outcome{Fixture: "op/valid/a", Clause: "op/accepts", Beside: "op/malformed/a", Answer: 400}, own, own, true},
		"two crashes":                          {on("op/a/a", 500, "KeyError: name"), on("op/a/b", 500, "TypeError"), failure, failure, false},
		"one crash, at two paths":              {on("op/a/a", 500, "NumberFormatException: &quot;true&quot; URI: /a/b"), on("op/b/b", 500, "NumberFormatException: &quot;x&quot; URI: /c-d"), failure, failure, true},
		"one crash, for values of two types":   {on("op/a/a", 500, "'int' object has no attribute 'strip'"), on("op/b/b", 500, "'NoneType' object has no attribute 'strip'"), failure, failure, true},
		"two crashes, for values of one type":  {on("op/a/a", 500, "'str' object has no attribute 'get'"), on("op/b/b", 500, "'str' object has no attribute 'pop'"), failure, failure, false},
		"two keys that are missing":            {on("op/a/a", 500, "KeyError: 'name'"), on("op/b/b", 500, "KeyError: 'tag'"), failure, failure, false},
		"one crash, for two values":            {on("op/a/a", 500, "expected a string, not the bool True."), on("op/b/b", 500, "expected a string, not the dict {}."), failure, failure, true},
		"one crash, which shows two texts":     {on("op/a/a", 500, `"No 'conformance Gr\u00fcnlilie 3605573385624045' here"`), on("op/b/b", 500, `"No 'conformance text' here"`), failure, failure, true},
		"one crash, at values of two lengths":  {on("op/a/a", 500, "conformance \U0001f335 3605573385624045 "+strings.Repeat("in it ", 100)), on("op/b/b", 500, "conformance name 1013360430469617 "+strings.Repeat("in it ", 100)), failure, failure, true},
		"one crash, with lists of two lengths": {on("op/a/a", 500, "values ($1, $2, $3), ($4, $5, $6) failed"), on("op/b/b", 500, "values ($1, $2, $3) failed"), failure, failure, true},
		"one crash, at two times":              {on("op/a/a", 500, "id 7f3a-11, 2026-11-22T00:20:01Z"), on("op/b/b", 500, "id 10bc-94, 2026-11-22T00:21:07Z"), failure, failure, true},
	} {
		t.Run(name, func(t *testing.T) {
			if a, b := verdict.CauseOf(c.a, c.one), verdict.CauseOf(c.b, c.other); (a == b) != c.same {
				t.Errorf("same is %t, want %t:\n%+v\n%+v", a == b, c.same, a, b)
			}
		})
	}
}

// Each row has two findings of two exchanges, which are one fault or two.
func TestFaultOf(t *testing.T) {
	on := func(fixture string, clause spec.ClauseID, status int, body string, findings ...judge.Finding) judge.Outcome {
		return judge.Outcome{Fixture: fixture, Clause: clause, Answer: status, ServerError: judge.ServerError(status, "text/html", body), Findings: findings}
	}
	media, text := judge.Finding{Clause: "a/404/media-type", Message: "is not declared"}, judge.Finding{Clause: "a/404/body", Message: "is not valid JSON: N"}
	inside := judge.Finding{Clause: "a/404/body/code", Pointer: "/code", Message: "is missing"}
	crash, page := judge.Finding{Clause: "a/answers", Message: "comes with status 500"}, judge.Finding{Clause: "a/500/body", Message: "is not valid JSON"}
	other := judge.Finding{Clause: "a/201/header/Location", Message: "comes without the header Location"}
	derived := func(fixture string, clause spec.ClauseID) judge.Outcome {
		return judge.Outcome{Fixture: fixture, Clause: clause, Answer: 200, Derived: true}
	}
	let := func(clause spec.ClauseID) judge.Finding { return judge.Finding{Clause: clause, Message: "is accepted"} }
	for name, c := range map[string]struct {
		a, b       judge.Outcome
		one, other judge.Finding
		same       bool
	}{
		"a success that is not declared":     {on("a/valid/x", "a/accepts", 201, ""), on("a/open/y", "a/silent/y", 201, ""), let("a/accepts"), let("a/accepts"), true},
		"a valid request that is refused":    {on("a/valid/x", "a/accepts", 422, ""), on("a/full/x", "a/accepts", 422, ""), let("a/accepts"), let("a/accepts"), false},
		"refused alone, and beside another":  {on("a/valid/x", "a/accepts", 400, ""), judge.Outcome{Fixture: "a/type/y", Clause: "a/request/body/n", Beside: "a/valid/z", Answer: 400}, let("a/accepts"), let("a/accepts"), true},
		"rejections with status 200":         {on("a/type/x", "a/request/body/n", 200, ""), on("b/none/x", "b/request/credential", 200, ""), judge.Finding{Clause: "a/request/body/n", Message: judge.SaysNo}, judge.Finding{Clause: "b/request/credential", Message: judge.SaysNo}, true},
		"two operations":                     {on("a/valid/x", "a/accepts", 404, "", media), on("b/valid/x", "b/accepts", 404, ""), media, judge.Finding{Clause: "b/404/media-type", Message: "is not declared"}, true},
		"two properties that are added":      {on("a/valid/x", "a/accepts", 201, ""), on("a/valid/x", "a/accepts", 201, ""), judge.Finding{Clause: "a/201/echo", Pointer: "/id", Message: "is shown, though it was not sent"}, judge.Finding{Clause: "a/201/echo", Pointer: "/at", Message: "is shown, though it was not sent"}, true},
		"two properties that are left out":   {on("a/valid/x", "a/accepts", 201, ""), on("a/valid/x", "a/accepts", 201, ""), judge.Finding{Clause: "a/201/echo", Pointer: "/id", Message: "is missing, though it was sent"}, judge.Finding{Clause: "a/201/echo", Pointer: "/at", Message: "is missing, though it was sent"}, true},
		"left out by two operations":         {on("a/valid/x", "a/accepts", 201, ""), on("b/valid/x", "b/accepts", 201, ""), judge.Finding{Clause: "a/201/echo", Pointer: "/id", Message: "is missing, though it was sent"}, judge.Finding{Clause: "b/201/echo", Pointer: "/at", Message: "is missing, though it was sent"}, false},
		"two properties that differ":         {on("a/valid/x", "a/accepts", 201, ""), on("a/valid/x", "a/accepts", 201, ""), judge.Finding{Clause: "a/201/echo", Pointer: "/id", Message: "comes back changed"}, judge.Finding{Clause: "a/201/echo", Pointer: "/at", Message: "comes back changed"}, false},
		"two statuses of a class":            {on("a/valid/x", "a/accepts", 404, "", media), on("b/valid/x", "b/accepts", 400, ""), media, judge.Finding{Clause: "b/400/media-type", Message: "is not declared"}, true},
		"two classes":                        {on("a/valid/x", "a/accepts", 404, "", media), on("b/valid/x", "b/accepts", 200, ""), media, judge.Finding{Clause: "b/200/media-type", Message: "is not declared"}, false},
		"one kind of request":                {on("a/type/x", "a/request/body/n", 200, ""), on("b/type/x", "b/request/body/n", 200, ""), let("a/request/body/n"), let("b/request/body/n"), true},
		"numbers taken for texts":            {derived("a/type/body.n.number", "a/request/body/n"), derived("b/type/body.m.number-in-2-Cat", "b/request/body/m/k"), let("a/request/body/n"), let("b/request/body/m/k"), true},
		"numbers and lists taken for texts":  {derived("a/type/body.n.number", "a/request/body/n"), derived("a/type/body.m.list", "a/request/body/m"), let("a/request/body/n"), let("a/request/body/m"), false},
		"numbers taken for texts, twice":     {derived("a/type/body.n.number", "a/request/body/n"), derived("b/type/body.n.number.times.2", "b/request/body/n"), let("a/request/body/n"), let("b/request/body/n"), true},
		"numbers taken beside a known id":    {derived("a/type/body.n.number", "a/request/body/n"), derived("a/type/body.n.number.known", "a/request/body/n"), let("a/request/body/n"), let("a/request/body/n"), true},
		"null in two places":                 {derived("a/null/body.n", "a/request/body/n"), derived("a/null/body.m", "a/request/body/m"), let("a/request/body/n"), let("a/request/body/m"), true},
		"null in a body and in a query":      {derived("a/null/body.n", "a/request/body/n"), derived("a/null/query.m", "a/request/query/m"), let("a/request/body/n"), let("a/request/query/m"), false},
		"null, and null by a table":          {derived("a/null/body.n", "a/request/body/n"), derived("a/wrong-type/body.m-null", "a/request/body/m"), let("a/request/body/n"), let("a/request/body/m"), true},
		"null as a whole body":               {derived("a/null/body", "a/request/body"), derived("a/null/body.m", "a/request/body/m"), let("a/request/body"), let("a/request/body/m"), false},
		"two kinds of request":               {on("a/type/x", "a/request/body/n", 200, ""), on("b/null/x", "b/request/body/n", 200, ""), let("a/request/body/n"), let("b/request/body/n"), false},
		"a text that is not JSON":            {on("a/valid/x", "a/accepts", 404, "", media, text), on("a/valid/x", "a/accepts", 404, "", media, text), media, text, true},
		"not JSON, but of the right type":    {on("a/valid/x", "a/accepts", 404, "", media), on("a/valid/x", "a/accepts", 404, "", text), media, text, false},
		"a property of another type's body":  {on("a/valid/x", "a/accepts", 404, "", media, inside), on("a/valid/x", "a/accepts", 404, "", media, inside), media, inside, false},
		"the page of a crash":                {on("a/valid/x", "a/accepts", 500, "", crash, page), on("a/valid/x", "a/accepts", 500, "", crash, page), crash, page, true},
		"a crash, and what was sent with it": {on("a/valid/x", "a/accepts", 500, "", crash, other), on("a/valid/x", "a/accepts", 500, "", crash, other), crash, other, false},
		"a crash that no test is about":      {on("a/valid/x", "a/accepts", 500, "", crash), on("a/open/x", "a/answers", 500, "", crash), crash, crash, true},
		"two steps of one operation":         {on("a/kept/x", "a/state/deleted", 404, ""), on("a/kept/y", "a/state/changed", 404, ""), judge.Finding{Clause: "b/answers", Message: `the step "b" (GET /b) comes with status 500`}, judge.Finding{Clause: "b/answers", Message: `the step "b-again" (GET /b) comes with status 500`}, true},
		"two crashes":                        {on("a/valid/x", "a/accepts", 500, "one", crash), on("b/valid/x", "b/accepts", 500, "other", crash), crash, crash, false},
	} {
		t.Run(name, func(t *testing.T) {
			if a, b := verdict.FaultOf(c.a, c.one), verdict.FaultOf(c.b, c.other); (a == b) != c.same {
				t.Errorf("same is %t, want %t:\n%+v\n%+v", a == b, c.same, a, b)
			}
		})
	}
}

// A breach of a schema that operations share is one fault, anywhere in their responses.
func TestFaultsOfSharedSchemas(t *testing.T) {
	type row struct {
		clause                    spec.ClauseID
		section, pointer, message string
		status                    int
	}
	one := row{"getPet/200/body/id", "#/components/schemas/Pet/properties/id (line 7)", "/id", "has the wrong type", 200}
	shared := row{"listPets/200/body/data/*/id", one.section, "/data/3/id", one.message, 200}
	for name, c := range map[string]struct {
		a, b row
		same bool
	}{
		"in a list":               {one, shared, true},
		"of Swagger 2.0":          {row{one.clause, "#/definitions/Pet", "/id", one.message, 200}, row{shared.clause, "#/definitions/Pet", "/3/id", one.message, 200}, true},
		"of another status":       {one, row{"createPet/201/body/id", one.section, "/id", one.message, 201}, true},
		"of another schema":       {one, row{shared.clause, "#/components/schemas/Cat/properties/id (line 9)", shared.pointer, one.message, 200}, false},
		"at the same place":       {one, row{"getCat/200/body/id", "#/components/schemas/Cat/properties/id (line 9)", "/id", one.message, 200}, true},
		"with another fault":      {one, row{shared.clause, one.section, shared.pointer, "is missing", 200}, false},
		"of a rejection":          {one, row{"getPet/404/body/id", one.section, "/id", one.message, 404}, false},
		"in no component":         {row{one.clause, "#/paths/~1a", "/id", one.message, 200}, row{shared.clause, "#/paths/~1a", "/data/3/id", one.message, 200}, false},
		"not of the contract's":   {row{one.clause, "2 r1", "/id", one.message, 200}, row{shared.clause, "2 r1", "/data/3/id", one.message, 200}, false},
		"not of a body, but echo": {row{"a/200/echo", "#/components/responses/Pet", "/id", "comes back changed", 200}, row{"b/200/echo", "#/components/responses/Pet", "/tag", "comes back changed", 200}, false},
	} {
		t.Run(name, func(t *testing.T) {
			faults := verdict.NewFaults([]verdict.Clause{{ID: c.a.clause, Section: c.a.section}, {ID: c.b.clause, Section: c.b.section}})
			var found []verdict.Cause
			for _, r := range []row{c.a, c.b} {
				found = append(found, verdict.FaultOf(judge.Outcome{Answer: r.status}, judge.Finding{Clause: r.clause, Pointer: r.pointer, Message: r.message}))
				faults.Add(found[len(found)-1], r.clause, 1)
			}
			if a, b := faults.Of(found[0]), faults.Of(found[1]); (a == b) != c.same {
				t.Errorf("same is %t, want %t:\n%+v\n%+v", a == b, c.same, a, b)
			}
		})
	}
}

// A success that only the default response declares is one fault, if the operation declares another.
func TestFaultsOfDefault(t *testing.T) {
	for name, c := range map[string]struct {
		declared string
		answer   int
		same     bool
	}{
		"a success beside a declared one": {"op/201/body", 202, true},
		"the only success":                {"op/404/body", 202, false},
		"of another operation":            {"other/201/body", 202, false},
		"a rejection":                     {"op/201/body", 400, false},
	} {
		faults := verdict.NewFaults([]verdict.Clause{{ID: spec.ClauseID(c.declared)}})
		var found []verdict.Cause
		for _, clause := range []string{"op/default/body/text", "op/default/body/code"} {
			fault := verdict.FaultOf(judge.Outcome{Answer: c.answer}, judge.Finding{Clause: spec.ClauseID(clause), Message: "is missing", Pointer: clause[len("op/default/body"):]})
			faults.Add(fault, spec.ClauseID(clause), 1)
			found = append(found, fault)
		}
		if same := faults.Of(found[0]) == faults.Of(found[1]); same != c.same {
			t.Errorf("%s: one fault: %t, want %t", name, same, c.same)
		}
	}
}

// If nearly each server error has a different text, the texts do not stand for as many crashes.
func TestFaultsOfServerErrors(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string // of responses of an operation
		want  int      // faults
	}{
		"the same text":            {[]string{"a", "a", "a", "a", "a"}, 1},
		"three crashes":            {[]string{"a", "b", "c"}, 3},
		"four crashes, each twice": {[]string{"a", "b", "c", "d", "a", "b", "c", "d"}, 4},
		"each has its own":         {[]string{"a", "b", "c", "d"}, 1},
		"nearly each has its own":  {[]string{"a", "b", "c", "d", "a", "a", "a"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			faults, distinct := verdict.NewFaults(nil), map[verdict.Cause]bool{}
			var list []verdict.Cause
			for _, text := range c.texts {
				failure := judge.Finding{Clause: "op/answers", Message: "comes with status 500"}
				list = append(list, verdict.FaultOf(judge.Outcome{Answer: 500, ServerError: judge.ServerError(500, "text/plain", text)}, failure))
				faults.Add(list[len(list)-1], failure.Clause, 1)
			}
			for _, fault := range list {
				distinct[faults.Of(fault)] = true
			}
			if len(distinct) != c.want {
				t.Errorf("%d faults, want %d", len(distinct), c.want)
			}
		})
	}
}

// A service that rejects with the status of an acceptance still breaks the clause. But its fault
// differs from that of a service that accepts the request.
func TestSaysNo(t *testing.T) {
	w := load(t)
	for body, want := range map[string]bool{
		`{"text":"no name"}`:            true,
		`{"text":"no name","name":"a"}`: false, // Fault does not declare a name
		`{"name":"a"}`:                  false,
		`{"text":7}`:                    false,
		`{}`:                            false,
	} {
		r := w.judge(t, "make/missing/name", answer{200, jsonType, body}, judge.Options{})
		i := slices.IndexFunc(r.Findings, func(f judge.Finding) bool { return f.Clause == "make/request/body/name" })
		if i < 0 || r.Findings[i].Severity != judge.Violation || (r.Findings[i].Message == judge.SaysNo) != want {
			t.Errorf("%s: %+v", body, r.Findings)
		}
	}
}
