package output

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// The reason for waiting is shown in the progress line of a terminal, and elsewhere once for each
// reason.
func TestProgressWhileWaiting(t *testing.T) {
	const refused, gateway = "nothing listens on plants.example:8443; check the base URL, or whether the service runs", "plants.example:8443 answers with\n503"
	for _, row := range []struct {
		what     string
		terminal bool
		want     string
	}{
		{"on a terminal", true, "\r\x1b[Kwaiting for the target (1 s): nothing listens on plants.example:8443; check th…" +
			"\r\x1b[Kwaiting for the target (1 s): plants.example:8443 answers with\\n503" +
			"\r\x1b[Kwaiting for the first response (0 s)\r\x1b[K"},
		{"elsewhere", false, "waiting for the target: " + refused + "\nwaiting for the target: plants.example:8443 answers with\\n503\n"},
	} {
		t.Run(row.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				p := StartProgress(&out, row.terminal, 0)
				p.Wait("the target", refused)
				if !row.terminal {
					time.Sleep(time.Minute) // nothing changes in this time
				}
				time.Sleep(1100 * time.Millisecond)
				p.Wait("the target", gateway)
				time.Sleep(200 * time.Millisecond)
				p.Wait("the target", "")
				time.Sleep(200 * time.Millisecond)
				p.End()
				if got := out.String(); got != row.want {
					t.Errorf("it shows %q, want %q", got, row.want)
				}
			})
		})
	}
}

// A terminal has one line that is updated and removed, any other output a line from time to time. A
// short run shows neither. Responses count from the first one: those to controls and steps come
// before the first result.
func TestProgress(t *testing.T) {
	for _, row := range []struct {
		what        string
		terminal    bool
		early       int           // responses without a result
		first, rest time.Duration // before and after the first results
		want        string
	}{
		{"a short run on a terminal", true, 0, 0, 999 * time.Millisecond, ""},
		{"a long run on a terminal", true, 0, 1100 * time.Millisecond, 200 * time.Millisecond, "\r\x1b[Kwaiting for the first response (1 s)\r\x1b[K2 of 5 fixtures, 1 failed; 2 responses, 1.7/s, about 2 s left\r\x1b[K"},
		{"a long run that begins with controls", true, 6, 1100 * time.Millisecond, 200 * time.Millisecond, "\r\x1b[K0 of 5 fixtures, 0 failed; 6 responses, 6.0/s, about 4 s left\r\x1b[K2 of 5 fixtures, 1 failed; 8 responses, 6.7/s, about 2 s left\r\x1b[K"},
		{"a run of more requests than expected", true, 29, 0, 1100 * time.Millisecond, "\r\x1b[K2 of 5 fixtures, 1 failed; 31 responses, 31.0/s, about 2 s left\r\x1b[K"},
		{"a short run elsewhere", false, 0, 0, 9 * time.Second, ""},
		{"a long run elsewhere", false, 0, 19 * time.Second, 2 * time.Second, "waiting for the first response (10 s)\n2 of 5 fixtures, 1 failed; 2 responses, 0.1/s, about 30 s left\n"},
		{"a run elsewhere without a response for long", false, 0, 18 * time.Second, 3 * time.Second, "waiting for the first response (10 s)\n2 of 5 fixtures, 1 failed; 2 responses\n"},
	} {
		t.Run(row.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				p := StartProgress(&out, row.terminal, 30)
				p.Observe(result.NewBegun(result.Recording{Head: result.Head{Run: result.Run{Fixtures: 5}}}))
				for range row.early {
					p.Answer()
				}
				time.Sleep(row.first)
				for _, status := range []judge.Status{judge.Failed, judge.Passed} {
					p.Answer()
					p.Observe(result.Event{Result: &result.Result{Outcome: judge.Outcome{Status: status}}})
				}
				time.Sleep(row.rest)
				p.End()
				if got := out.String(); got != row.want {
					t.Errorf("it shows %q, want %q", got, row.want)
				}
			})
		})
	}
}

// The results of several runs are added. The last targets are named, and the reason for waiting
// replaces the line.
func TestProgressOfSeveralRuns(t *testing.T) {
	long := strings.Repeat("x", 60)
	for _, row := range []struct {
		what    string
		targets []string
		ended   int
		silent  time.Duration // after the only result
		want    string
	}{
		{"all are left", []string{"a", "b"}, 0, 0, "0 of 2 targets, 1 of 10 fixtures, 0 failed; 1 response, 0.8/s, about 11 s left"},
		{"many are left", []string{"a", "b", "c", "d"}, 1, 0, "1 of 4 targets, 1 of 20 fixtures, 0 failed; 1 response, 0.8/s, about 23 s left"},
		{"many are left, and silent", []string{"a", "b", "c", "d"}, 1, 2 * time.Second, "1 of 4 targets, 1 of 20 fixtures, 0 failed; 1 response"},
		{"two are left", []string{"a", "b", "c"}, 1, 0, "1 of 3 targets, left: b, c; 1 of 15 fixtures, 0 failed"},
		{"one is left", []string{"a", "b", "c"}, 2, 2 * time.Second, "2 of 3 targets, left: c; 1 of 15 fixtures, 0 failed"},
		{"one with a long name is left", []string{"a", long}, 1, 0, "1 of 2 targets, left: " + long[:28] + "…; 1 of 10 fixtures, 0 failed"},
		{"none is left", []string{"a", "b"}, 2, 0, "2 of 2 targets, 1 of 10 fixtures, 0 failed; 1 response, 0.8/s, about 11 s left"},
	} {
		t.Run(row.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				p := StartProgress(&out, true, 30)
				p.Expect(row.targets)
				p.Observe(result.NewBegun(result.Recording{Head: result.Head{Run: result.Run{Fixtures: 5}}}))
				time.Sleep(900 * time.Millisecond)
				p.Answer()
				p.Observe(result.Event{Result: &result.Result{Outcome: judge.Outcome{Status: judge.Passed}}})
				for _, name := range row.targets[:row.ended] {
					p.Ended(name)
				}
				time.Sleep(200*time.Millisecond + row.silent)
				p.Aside(out.Reset)
				time.Sleep(200 * time.Millisecond)
				p.Aside(func() { out.WriteString("A  first\n") })
				p.Aside(func() { out.WriteString("B  second\n") })
				p.End()
				line, below, _ := strings.Cut(strings.TrimPrefix(out.String(), "\r\x1b[K"), "\r")
				if line != row.want || below != "\x1b[KA  first\nB  second\n" {
					t.Errorf("it shows %q, and then %q, want %q", line, below, row.want)
				}
				if n := utf8.RuneCountInString(line); n >= cli.Columns {
					t.Errorf("%d columns: %s", n, line)
				}
			})
		})
	}
}

// If a run waits for some of its targets, these are named, even while the others go on.
func TestProgressWhileSomeAreWaitedFor(t *testing.T) {
	for _, row := range []struct {
		what     string
		terminal bool
		want     string
	}{
		{"on a terminal", true, "\r\x1b[K1 of 3 targets, waiting for nursery and 1 more (1 s): nothing listens" +
			"\r\x1b[K1 of 3 targets, waiting for orangery (1 s): 503" +
			"\r\x1b[K1 of 3 targets, left: nursery, orangery; 1 of 15 fixtures, 0 failed\r\x1b[K"},
		{"elsewhere", false, "waiting for nursery: nothing listens\nwaiting for orangery: 503\n"},
	} {
		t.Run(row.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				p := StartProgress(&out, row.terminal, 0)
				p.Expect([]string{"greenhouse", "nursery", "orangery"})
				p.Wait("nursery", "nothing listens")
				p.Wait("orangery", "503")
				p.Observe(result.NewBegun(result.Recording{Head: result.Head{Run: result.Run{Fixtures: 5}}}))
				p.Observe(result.Event{Result: &result.Result{Outcome: judge.Outcome{Status: judge.Passed}}})
				p.Ended("greenhouse")
				time.Sleep(1100 * time.Millisecond)
				p.Wait("nursery", "")
				time.Sleep(200 * time.Millisecond)
				p.Wait("orangery", "")
				time.Sleep(200 * time.Millisecond)
				p.End()
				if got := out.String(); got != row.want {
					t.Errorf("it shows %q, want %q", got, row.want)
				}
			})
		})
	}
}
