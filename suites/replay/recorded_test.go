package replay_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/replay/redact"
)

// All secrets are redacted, even if there are many. Only the judge sees them
// unredacted.
func TestSecretsOfRecordedExchanges(t *testing.T) {
	var texts []string
	for i := range 40 {
		texts = append(texts, strings.Repeat(string(rune('a'+i%26)), 1000+i))
	}
	first, last := "the-first-secret", "the-last-secret"
	s := redact.Many(append(append([]string{first}, texts...), "abc", last))
	both := "abc " + first + " " + last
	x := replay.Recorded(s, replay.Request{Method: "POST", URL: "http://a/" + last, Header: []fixtures.Field{{Name: "X", Value: both}}, Body: []byte(both)},
		http.StatusOK, http.Header{"X": {both}}, []byte(both))
	const want = "abc [redacted] [redacted]"
	if x.Request.URL != "http://a/[redacted]" || x.Request.Header[0].Value != want || x.Response.Header.Get("X") != want || string(x.Response.Body) != want || x.Redact(both) != want {
		t.Errorf("the exchange is %+v %+v", x.Request, x.Response)
	}
	header, body := x.Raw()
	if header.Get("X") != both || string(body) != both || string(x.Request.Body) != both {
		t.Errorf("the judge sees %v, %s and %s", header, body, x.Request.Body)
	}
	if got := string(s.Bytes(x.Request.Body)); got != want {
		t.Errorf("the body is %s", got)
	}
	x = replay.Unanswered(s, replay.Request{}, &replay.Failure{Kind: replay.Unreachable, Message: both})
	if x.Failure.Message != want {
		t.Errorf("the failure is %s", x.Failure.Message)
	}
}
