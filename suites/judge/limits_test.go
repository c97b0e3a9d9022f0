package judge_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/replay/redact"
)

// exchange returns the response of a target to a fixture, to be judged.
func (w world) exchange(id string, a answer) replay.Exchange {
	m := w.Fixtures[id].Message(1, 0)
	header := http.Header{"Content-Type": {a.MediaType}}
	return replay.Recorded(nil, replay.Request{Method: m.Method, Body: m.Body}, a.Status, header, []byte(a.Body))
}

// A body that exceeds a limit of the harness says nothing about the service. The rest of the
// response is still judged.
func TestBodiesBeyondALimit(t *testing.T) {
	w := load(t)
	deep := `{"name":"a","size":` + strings.Repeat("[", 9) + strings.Repeat("]", 9) + `}`
	o := judge.Options{Limits: instance.Limits{Depth: 9}}
	for _, row := range []struct {
		name, fixture string
		answer        answer
		want          judge.Status
	}{
		{"an acceptance", "make/valid/plain", answer{200, jsonType, deep}, judge.Unjudged},
		{"a rejection", "make/missing/name", answer{400, jsonType, deep}, judge.Unjudged},
		{"an open question", "make/open/huge", answer{400, jsonType, deep}, judge.Unjudged},
		{"a request that must be rejected and is accepted", "make/missing/name", answer{200, jsonType, deep}, judge.Failed},
		{"a request that must be accepted and is rejected", "make/valid/plain", answer{400, jsonType, deep}, judge.Failed},
		{"an answer of another media type", "make/valid/plain", answer{200, "text/plain", deep}, judge.Failed},
		{"an answer that is not judged by its body", "make/missing/token", answer{401, jsonType, deep}, judge.Passed},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := judge.Exchange(t.Context(), w.Contract, w.Fixtures[row.fixture], w.exchange(row.fixture, row.answer), o)
			if r.Status != row.want {
				t.Errorf("status %s, want %s: %+v", r.Status, row.want, r.Findings)
			}
			const reason = "the body is nested more than 9 levels deep; raise --max-depth"
			if r.Status == judge.Unjudged && r.Reason != reason {
				t.Errorf("unjudged because %q, want %q", r.Reason, reason)
			}
		})
	}
}

// An exchange that is not judged because the run ends is unjudged, with the reason.
func TestTheEndOfTheRunEndsTheJudging(t *testing.T) {
	w := load(t)
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	late, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	for name, row := range map[string]struct {
		ctx  context.Context
		want string
	}{
		"interrupted": {interrupted, "the run was interrupted"},
		"deadline":    {late, "the deadline ended the run"},
	} {
		t.Run(name, func(t *testing.T) {
			x := w.exchange("make/missing/name", answer{400, jsonType, `{"text":1}`})
			r := judge.Exchange(row.ctx, w.Contract, w.Fixtures["make/missing/name"], x, judge.Options{})
			if r.Status != judge.Unjudged || r.Reason != row.want || len(r.Findings)+len(r.Exercised) > 0 {
				t.Errorf("got %+v", r.Outcome)
			}
			if failure := r.Exchange.Failure; failure == nil || failure.Kind != replay.Canceled {
				t.Errorf("the exchange ended with %+v", failure)
			}
		})
	}
}

// A finding about a returned text quotes no part of a secret.
func TestEchoesQuoteNoSecret(t *testing.T) {
	w := load(t)
	const secret = "s3cr3t-t0ken-0f-s0me-length"
	x := replay.Recorded(redact.New([]string{secret}), replay.Request{Body: []byte(`{"name":"a"}`)}, 200, http.Header{"Content-Type": {jsonType}}, []byte(`{"name":"a `+secret+`"}`))
	r := judge.Exchange(t.Context(), w.Contract, w.Fixtures["make/valid/plain"], x, judge.Options{})
	if len(r.Findings) != 1 || r.Findings[0].Message != "comes back changed" || strings.Contains(r.Findings[0].Actual, "s3") {
		t.Errorf("got %+v", r.Findings)
	}
}
