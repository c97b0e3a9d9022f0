package judge_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
)

func TestFailuresOfTheExchange(t *testing.T) {
	w := load(t)
	f := w.fixtures["make/missing/name"]
	for kind, want := range map[replay.FailureKind]judge.Status{
		replay.Incomplete:  judge.Failed,
		replay.OverLimit:   judge.Unjudged,
		replay.Unreachable: judge.Unjudged,
		replay.Throttled:   judge.Unjudged,
		replay.OverBudget:  judge.Unjudged,
		replay.GivenUp:     judge.Unjudged,
		replay.Canceled:    judge.Unjudged,
		replay.Unreadable:  judge.Unjudged,
	} {
		t.Run(string(kind), func(t *testing.T) {
			r := judge.Exchange(t.Context(), w.contract, f, replay.Exchange{Failure: &replay.Failure{Kind: kind, Message: "because"}}, judge.Options{})
			if r.Status != want {
				t.Fatalf("status %s, want %s", r.Status, want)
			}
			if want == judge.Failed {
				if got := findings(r); !slices.Equal(got, []string{"violation make/answers"}) || !slices.Equal(r.Exercised, []string{"make/answers"}) || r.Findings[0].Message != "because" {
					t.Errorf("findings %+v", r.Findings)
				}
				return
			}
			if r.Reason != "because" || len(r.Findings) > 0 || len(r.Exercised) > 0 {
				t.Errorf("an unjudged result says something: %+v", r)
			}
		})
	}
}

// What happens around a response is judged by the clause on answers.
func TestConnection(t *testing.T) {
	w := load(t)
	for _, row := range []struct {
		name    string
		change  func(*replay.Exchange)
		options judge.Options
		want    []string
	}{
		{"a request that was sent once more", func(x *replay.Exchange) { x.Resent = "because" }, judge.Options{}, []string{"warning make/answers"}},
		{"the same, strictly", func(x *replay.Exchange) { x.Resent = "because" }, judge.Options{Strict: true}, []string{"violation make/answers"}},
		{"and not answered either", func(x *replay.Exchange) {
			x.Resent, x.Response, x.Failure = "because", nil, &replay.Failure{Kind: replay.Incomplete, Message: "closed"}
		}, judge.Options{}, []string{"violation make/answers"}},
		{"and not answered because the run ended", func(x *replay.Exchange) {
			x.Resent, x.Response, x.Failure = "because", nil, &replay.Failure{Kind: replay.Canceled, Message: "interrupted"}
		}, judge.Options{}, []string{}},
		{"gzip that was refused", func(x *replay.Exchange) { x.Response.Refused = true }, judge.Options{}, []string{"warning make/answers"}},
		{"gzip that was refused, strict", func(x *replay.Exchange) { x.Response.Refused = true }, judge.Options{Strict: true}, []string{"violation make/answers"}},
		{"bytes after the response", func(x *replay.Exchange) { x.Unasked = []byte("HTTP/1.1 200 OK") }, judge.Options{}, []string{"violation make/answers"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			x := replay.Recorded(nil, replay.Request{Method: http.MethodPost}, 400, http.Header{"Content-Type": {jsonType}}, []byte(`{"text":"no"}`))
			row.change(&x)
			if got := findings(judge.Exchange(t.Context(), w.contract, w.fixtures["make/missing/name"], x, row.options)); !slices.Equal(got, row.want) {
				t.Errorf("findings %q, want %q", got, row.want)
			}
		})
	}
}
