package suites_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// A server that sends the same response to all requests passes no rejection, in any format.
func TestNullServersPassNoRejection(t *testing.T) {
	for name, server := range map[string]http.Handler{
		"404":      always(404, "", ""),
		"401":      always(401, "", ""),
		"400":      always(400, "application/json", `{"error":400,"message":"no"}`),
		"200 {}":   always(200, "application/json", `{}`),
		"500":      always(500, "", ""),
		"204":      always(204, "", ""),
		"hangs up": hangUp,
	} {
		t.Run(name, func(t *testing.T) {
			if name != "200 {}" && name != "404" {
				needsLong(t, "writes all formats once more")
			}
			t.Parallel()
			c := configFor(serve(t, server))
			var events bytes.Buffer
			c.Observe = func(e result.Event) { _ = result.WriteEvent(&events, e) }
			r := run(t, c)
			if r.Verdict == verdict.Conformant {
				t.Errorf("%s: %s", r.Verdict, r.Reason)
			}
			rejections := map[string]bool{}
			for _, result := range r.Results {
				if result.Expect == "rejected" && result.Status != judge.Warned { // JUnit has no status for this
					rejections[result.Fixture] = true
				}
			}
			if len(rejections) < 60 {
				t.Fatalf("%d rejections", len(rejections))
			}
			written := map[string][]byte{"events": events.Bytes()}
			for _, f := range report.Formats() {
				var out bytes.Buffer
				if err := f.Write(&out, r); err != nil {
					t.Fatal(err)
				}
				written[f.Name] = out.Bytes()
			}
			for format, text := range written {
				for _, passed := range passedIn(t, format, text) {
					if slices.ContainsFunc(strings.Fields(passed), func(word string) bool { return rejections[word] }) {
						t.Fatalf("%s has %q passed", format, passed)
					}
				}
			}
			for _, clause := range r.Clauses {
				if strings.Contains(string(clause.ID), "/request/") && clause.Status == verdict.ClausePassed {
					t.Errorf("%s passed", clause.ID)
				}
			}
		})
	}
}

// The texts that the test above looks for exist if rejections do pass.
func TestFormatsShowWhatPassed(t *testing.T) {
	c := configFor(serve(t, store{}))
	var events bytes.Buffer
	c.Observe = func(e result.Event) { _ = result.WriteEvent(&events, e) }
	r := run(t, c)
	written := map[string][]byte{"events": events.Bytes()}
	for _, f := range report.Formats() {
		var out bytes.Buffer
		if err := f.Write(&out, r); err != nil {
			t.Fatal(err)
		}
		written[f.Name] = out.Bytes()
	}
	for _, format := range []string{"events", "ndjson", "json", "ctrf", "junit"} {
		if !slices.ContainsFunc(passedIn(t, format, written[format]), func(text string) bool {
			return slices.Contains(strings.Fields(text), "createPlant/missing-required/name")
		}) {
			t.Errorf("%s does not show what passed as this test reads it", format)
		}
	}
}

// passedIn returns the names that a written report shows as passed.
func passedIn(t *testing.T, format string, text []byte) []string {
	t.Helper()
	var list []string
	read := func(part []byte, into any) {
		if err := json.Unmarshal(part, into); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
	}
	add := func(name, status string) {
		if status == "passed" || status == "pass" {
			list = append(list, name)
		}
	}
	switch format {
	case "json":
		var r result.Report
		read(text, &r)
		for _, result := range r.Results {
			add(result.Fixture, string(result.Status))
		}
	case "ndjson", "events":
		for line := range bytes.Lines(text) {
			var e result.Event
			read(line, &e)
			if e.Result != nil {
				add(e.Result.Fixture, string(e.Result.Status))
			}
		}
	case "ctrf":
		var r struct {
			Results struct {
				Tests []struct{ Name, Status string }
			}
		}
		read(text, &r)
		if len(r.Results.Tests) == 0 {
			t.Error("CTRF without tests")
		}
		for _, test := range r.Results.Tests {
			add(test.Name, test.Status)
		}
	case "junit":
		var r struct {
			Suites []struct {
				Cases []struct {
					Name    string    `xml:"name,attr"`
					Failure *struct{} `xml:"failure"`
					Error   *struct{} `xml:"error"`
					Skipped *struct{} `xml:"skipped"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Suites) == 0 {
			t.Error("JUnit without suites")
		}
		for _, suite := range r.Suites {
			for _, c := range suite.Cases {
				if c.Failure == nil && c.Error == nil && c.Skipped == nil {
					list = append(list, c.Name)
				}
			}
		}
	case "sarif":
		var r struct {
			Runs []struct {
				Results []struct {
					Kind    string
					Message struct{ Text string }
				}
			}
		}
		read(text, &r)
		for _, run := range r.Runs {
			for _, result := range run.Results {
				add(result.Message.Text, result.Kind)
			}
		}
	default: // for people: the lines with this word
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "createPlant/") && (strings.Contains(line, ">passed<") || strings.Contains(line, "| passed")) {
				list = append(list, strings.NewReplacer("<", " ", ">", " ", "`", " ", "\"", " ", "|", " ").Replace(line))
			}
		}
	}
	return list
}
