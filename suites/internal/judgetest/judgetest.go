// Package judgetest contains what the tests of the judge and of the verdict share: a small contract,
// its fixtures, and a function to judge a response to a fixture.
package judgetest

import (
	_ "embed"
	"net/http"
	"testing"
	"testing/fstest"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
)

// things is a small contract, and thingClauses is its overlay.
//
//go:embed things.yaml
var things []byte

const thingClauses = `
clauses:
  make/200/echo: {text: a 200 response shows the thing that was sent}
  make/silent/size: {level: silent, section: '1', text: how large?}
`

var files = fstest.MapFS{
	"make/valid/plain.yaml":        fixture("make/accepts", "accepted", `{body: {name: a}}`),
	"make/valid/sized.yaml":        fixture("make/accepts", "accepted", `{body: {name: a, size: 3}}`),
	"make/missing/name.yaml":       fixture("make/request/body/name", "rejected", `{body: {}}`),
	"make/missing/body.yaml":       fixture("make/request/body", "rejected", `{}`),
	"make/missing/token.yaml":      fixture("make/request/credential", "rejected", `{credential: none, body: {name: a}}`),
	"make/type/text.yaml":          fixture("make/request/media-type", "rejected", `{headers: {Content-Type: text/plain}, body: {name: a}}`),
	"make/open/huge.yaml":          fixture("make/silent/size", "either", `{body: {name: a, size: 99}}`),
	"make/valid/size.yaml":         fixture("make/200/body/size", "accepted", `{body: {name: a, size: 3}}`),
	"make/missing/mild.yaml":       fixture("make/request/body/name", "rejected\nlevel: should", `{body: {}}`),
	"make/missing/basic.yaml":      fixture("make/request/credential", "rejected", `{credential: {header: Basic $token}, body: {name: a}}`),
	"make/valid/should.yaml":       fixture("make/accepts", "accepted\nlevel: should", `{body: {name: b}}`),
	"make/valid/twin.yaml":         fixture("make/accepts", "accepted\njudge: validity\ncontrol: make/open/huge", `{body: {name: a, size: 3}}`),
	"make/valid/twin-of-twin.yaml": fixture("make/accepts", "accepted\njudge: validity\ncontrol: make/valid/twin", `{body: {name: a, size: 4}}`),
	"make/valid/alternative.yaml":  fixture("make/accepts", "accepted\njudge: validity\ncontrol: make/open/huge", `{credential: {with: [token]}, body: {name: a}}`),
	"make/valid/gateway.yaml":      fixture("make/accepts", "accepted\njudge: answers", `{body: {name: b}}`),
	"make/missing/gateway.yaml":    fixture("make/request/body/name", "rejected\njudge: answers", `{body: {}}`),
	"make/open/html.yaml":          fixture("make/silent/size", "either\njudge: answers", `{headers: {Accept: text/html}, body: {name: a, size: 97}}`),
	"make/missing/browser.yaml":    fixture("make/request/body/name", "rejected\njudge: answers", `{headers: {Accept: 'text/html, */*;q=0.8'}, body: {}}`),
	"make/missing/unnamed.yaml":    fixture("make/request/body/name", "rejected\njudge: answers", `{headers: {User-Agent: null}, body: {}}`),
	"make/open/gateway.yaml":       fixture("make/silent/size", "either\njudge: answers", `{body: {name: a, size: 98}}`),
	"make/missing/large.yaml":      fixture("make/request/body/name", "rejected\ncontrol: make/open/huge", `{body: {size: 99}}`),
	"make/missing/mildly.yaml":     fixture("make/request/body/name", "rejected\ncontrol: make/valid/should", `{body: {size: 9}}`),
	"find/type/q.yaml":             fixture("find/request/query/q", "rejected", `{query: {q: x}}`),
	"find/valid/plain.yaml":        fixture("find/accepts", "accepted", `{}`),
	"find/valid/again.yaml":        fixture("find/accepts", "accepted", `{headers: {If-None-Match: '"1"'}}`),
	"one/valid/plain.yaml":         fixture("one/accepts", "accepted", `{}`),
	"one/valid/should.yaml":        fixture("one/accepts", "accepted\nlevel: should", `{}`),
	"none/valid/plain.yaml":        fixture("none/accepts", "accepted", `{}`),
	"some/valid/plain.yaml":        fixture("some/accepts", "accepted", `{}`),
	"part/valid/plain.yaml":        fixture("part/accepts", "accepted", `{}`),
	"part/valid/range.yaml":        fixture("part/accepts", "accepted", `{headers: {Range: bytes=0-1}}`),
	"part/valid/again.yaml":        fixture("part/accepts", "accepted", `{headers: {If-None-Match: '"1"'}}`),
	"find/open/declared404.yaml":   fixture("find/answers", "either", `{}`),
}

func fixture(clause, expect, request string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("title: t\nclause: " + clause + "\nexpect: " + expect + "\nrequest: " + request + "\n")}
}

// A World is the contract and its fixtures by id.
type World struct {
	Contract *spec.Contract
	Fixtures map[string]fixtures.Fixture
}

// Load reads the contract and its fixtures. more are lines to add to the overlay.
func Load(t *testing.T, more string) World {
	t.Helper()
	contract, err := spec.Load(t.Context(), spec.Source{Name: "things.yaml", Data: things}, &spec.Source{Name: "clauses.yaml", Data: []byte(thingClauses + more)})
	if err != nil {
		t.Fatal(err)
	}
	list, err := fixtures.Load(contract, fixtures.Set{Name: "fixtures", FS: files})
	if err != nil {
		t.Fatal(err)
	}
	return World{contract, lists.By(list, func(f fixtures.Fixture) string { return f.ID })}
}

// An Answer is the response of a target.
type Answer struct {
	Status    int
	MediaType string
	Body      string
}

// JSON is the media type of most responses.
const JSON = "application/json"

// Judge judges a response to a fixture. If a is nil, the exchange has no connection.
func (w World) Judge(t *testing.T, id string, a *Answer, o judge.Options) judge.Judged {
	t.Helper()
	f, ok := w.Fixtures[id]
	if !ok {
		t.Fatalf("no fixture %s", id)
	}
	if a == nil {
		x := replay.Exchange{Failure: &replay.Failure{Kind: replay.Unreachable, Message: "nothing listens"}}
		return judge.Exchange(t.Context(), w.Contract, f, x, o)
	}
	header := http.Header{}
	if a.MediaType != "" {
		header.Set("Content-Type", a.MediaType)
	}
	m := f.Message(1, 0)
	return judge.Exchange(t.Context(), w.Contract, f, replay.Recorded(nil, replay.Request{Method: m.Method, Header: m.Header, Body: m.Body}, a.Status, header, []byte(a.Body)), o)
}
