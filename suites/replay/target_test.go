package replay_test

import (
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

func TestTargetIsChecked(t *testing.T) {
	for _, row := range []struct {
		name   string
		target replay.Target
		want   string // a part of the error; "" means no error
	}{
		{"http", replay.Target{BaseURL: "http://plants.example"}, ""},
		{"https, port and path", replay.Target{BaseURL: "https://plants.example:8443/v1/@x/"}, ""},
		{"IPv6", replay.Target{BaseURL: "http://[::1]:8080"}, ""},
		{"headers", replay.Target{BaseURL: "http://h", Headers: fields("X-Api-Key", "x", "Host", "a.example:80", "Cookie", "a=b")}, ""},
		{"empty", replay.Target{}, "base URL is empty"},
		{"no scheme", replay.Target{BaseURL: "localhost:8080"}, `base URL "localhost:8080" must begin with http:// or https://`},
		{"path only", replay.Target{BaseURL: "/v1"}, "must begin with http"},
		{"another scheme", replay.Target{BaseURL: "ftp://h"}, "must begin with http"},
		{"no host", replay.Target{BaseURL: "http:///v1"}, "has no host"},
		{"opaque", replay.Target{BaseURL: "http:plants"}, "has no host"},
		{"no URL", replay.Target{BaseURL: "http://h:port"}, "base URL is not a URL"},
		{"port 0", replay.Target{BaseURL: "http://h:0"}, "must be 1 to 65535"},
		{"port 70000", replay.Target{BaseURL: "http://h:70000"}, "must be 1 to 65535"},
		{"query", replay.Target{BaseURL: "http://h/?key=s3cret"}, "has a query or a fragment"},
		{"empty query", replay.Target{BaseURL: "http://h/?"}, "has a query or a fragment"},
		{"fragment", replay.Target{BaseURL: "http://h/#s3cret"}, "has a query or a fragment"},
		{"user", replay.Target{BaseURL: "http://user:s3cret@h"}, "contains a user name or password"},
		{"user without a scheme", replay.Target{BaseURL: "user:s3cret@h"}, "contains a user name or password"},
		{"user and no URL", replay.Target{BaseURL: "http://user:s3cret@h:x"}, "base URL is not a URL"},
		{"token with a newline", replay.Target{BaseURL: "http://h", Token: "s3cret\n"}, "the token has white space around it"},
		{"token with a control character", replay.Target{BaseURL: "http://h", Token: "s3\x00cret"}, "or a control character in it"},
		{"user agent", replay.Target{BaseURL: "http://h", UserAgent: "a\nb"}, "user agent contains a control character"},
		{"Content-Type", replay.Target{BaseURL: "http://h", Headers: fields("content-type", "a/b")}, "belongs to the fixtures or the connection"},
		{"Expect", replay.Target{BaseURL: "http://h", Headers: fields("Expect", "100-continue")}, "belongs to the fixtures or the connection"},
		{"header name", replay.Target{BaseURL: "http://h", Headers: fields("X Y", "1")}, `header name "X Y" is not valid`},
		{"empty header name", replay.Target{BaseURL: "http://h", Headers: fields("", "1")}, `header name "" is not valid`},
		{"header value", replay.Target{BaseURL: "http://h", Headers: fields("X", "s3cret\r\nY: 1")}, "the value of header X contains a control character"},
		{"Host", replay.Target{BaseURL: "http://h", Headers: fields("Host", "a b")}, "is not a host"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, err := replay.NewClient(row.target, replay.DefaultLimits())
			if row.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				c.Close()
				return
			}
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Fatalf("%v, want … %s …", err, row.want)
			}
			if strings.Contains(err.Error(), "s3cret") {
				t.Errorf("a secret is told: %v", err)
			}
		})
	}
}

func TestLimitsAreChecked(t *testing.T) {
	for _, row := range []struct {
		change func(*replay.Limits)
		want   string
	}{
		{func(l *replay.Limits) {}, ""},
		{func(l *replay.Limits) { l.MaxPause, l.MaxBody, l.MaxHeader, l.Rate = 0, 1, 1, math.Inf(1) }, ""},
		{func(l *replay.Limits) { l.Concurrency = 0 }, "concurrency is 0; it must be at least 1"},
		{func(l *replay.Limits) { l.MaxRequests = -1 }, "max-requests is -1; it must be 0 (no limit) or more"},
		{func(l *replay.Limits) { l.Rate = -1 }, "rate is -1; it must be 0 (no limit) or more"},
		{func(l *replay.Limits) { l.Rate = math.NaN() }, "rate is NaN"},
		{func(l *replay.Limits) { l.Timeout = 0 }, "timeout is 0s; it must be more than 0s"},
		{func(l *replay.Limits) { l.MaxBody = 0 }, "max-body is 0 bytes; it must be at least 1"},
		{func(l *replay.Limits) { l.MaxHeader = 0 }, "max-header is 0 bytes; it must be at least 1"},
		{func(l *replay.Limits) { l.MaxPause = -time.Second }, "is -1s; it must be 0s (none) or more"},
	} {
		l := replay.DefaultLimits()
		row.change(&l)
		err := l.Validate()
		if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v, want %q", err, row.want)
		}
		if _, clientErr := replay.NewClient(replay.Target{BaseURL: "http://h"}, l); (clientErr == nil) != (err == nil) {
			t.Errorf("NewClient: %v, Validate: %v", clientErr, err)
		}
	}
}

// The target is not to blame for a slow upload: a long body gets one more second for each 256 KiB.
func TestTimeToSend(t *testing.T) {
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	l := replay.DefaultLimits()
	l.Timeout = 100 * time.Millisecond
	for length, want := range map[int]string{10: "no response within 100ms", 300 << 10: "no response within 1.1s"} {
		m := fixtures.Message{Method: http.MethodPost, Path: "/", Body: make([]byte, length), HasBody: true}
		newClient(t, replay.Target{BaseURL: server.URL}, l).All(t.Context(), replay.OneBatch(m), func(_, _ int, x replay.Exchange) {
			if x.Failure == nil || x.Failure.Message != want {
				t.Errorf("%d bytes: %+v, want %s", length, x.Failure, want)
			}
		})
	}
}
