package console_test

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

func TestConsole(t *testing.T) {
	for name, s := range reporttest.All() {
		t.Run(name, func(t *testing.T) {
			reporttest.Golden(t, name+".txt", reporttest.Written(t, console.Printer{Detail: console.Normal}.Write, s.Report()))
		})
	}
	all := reporttest.All()["everything"].Report()
	for name, c := range map[string]console.Printer{
		"quiet":   {Detail: console.Quiet},
		"verbose": {Detail: console.Verbose},
		"colour":  {Detail: console.Verbose, Color: true},
	} {
		t.Run(name, func(t *testing.T) {
			reporttest.Golden(t, "everything-"+name+".txt", reporttest.Written(t, c.Write, all))
		})
	}
}

var (
	heading = regexp.MustCompile(`^✗ \S+   breaks \S+`)
	line    = regexp.MustCompile(`(?m)^ {0,4}\S`)
)

// Every page has the same form: a failure has at most six lines, not counting continuation
// lines, the verdict is the last line, and color changes nothing else.
func TestConsoleForm(t *testing.T) {
	for name, s := range reporttest.All() {
		r := s.Report()
		page := string(reporttest.Written(t, console.Printer{Detail: console.Normal}.Write, r))
		for block := range strings.SplitSeq(page, "\n\n") {
			if lines := len(line.FindAllString(block, -1)); heading.MatchString(block) && lines > 6 {
				t.Errorf("%s: a failure of %d lines:\n%s", name, lines, block)
			}
		}
		lines := strings.Split(strings.TrimSuffix(page, "\n"), "\n")
		if last := lines[len(lines)-1]; last != r.Headline+": "+s.Reason {
			t.Errorf("%s: the last line is %q", name, last)
		}
		if quiet := string(reporttest.Written(t, console.Printer{Detail: console.Quiet}.Write, r)); quiet != lines[len(lines)-1]+"\n" {
			t.Errorf("%s: quiet says %q", name, quiet)
		}
		if coloured := string(reporttest.Written(t, console.Printer{Detail: console.Normal, Color: true}.Write, r)); colours.ReplaceAllString(coloured, "") != page {
			t.Errorf("%s: colour changes the text", name)
		}
		reporttest.Harmless(t, name, page)
	}
}

// The command can be copied: it is not cut, and a line break in it is not escaped, because a
// shell would send the escape.
func TestReplayIsWhole(t *testing.T) {
	s := reporttest.OneFailure()
	s.Results[0].Exchange.Request.Body = []byte(strings.Repeat("x", 5000) + "\n" + strings.Repeat("y", 5000))
	r := s.Report()
	if page := string(reporttest.Written(t, console.Printer{Detail: console.Normal}.Write, r)); !strings.Contains(page, "    replay    "+r.Results[0].Curl+"\n") {
		t.Errorf("the command is not in\n%s", page)
	}
}

// A run with 300 fixtures that all find one fault fits on one page.
func TestOneFaultIsOneFailure(t *testing.T) {
	s := reporttest.OneCause()
	one := s.Results[0]
	s.Results = nil
	for range 300 {
		s.Results = append(s.Results, one)
	}
	if lines := strings.Count(string(reporttest.Written(t, console.Printer{Detail: console.Normal}.Write, s.Report())), "\n"); lines > 40 {
		t.Errorf("%d lines", lines)
	}
}

// If each of 60 operations has different faults, the page shows examples and how to see the
// rest. The verbose page shows all.
func TestPoorServiceFitsOnTwoPages(t *testing.T) {
	r := reporttest.Conformant().Report()
	r.Results, r.Clauses, r.Observations = nil, nil, nil
	response := func(status int) result.Exchange {
		return result.Exchange{Response: &result.Response{Status: status}}
	}
	for i := range 60 {
		op := fmt.Sprintf("operation%02d", i)
		for _, severity := range []judge.Severity{judge.Violation, judge.Warning} {
			clause := fmt.Sprintf("%s/200/body/%s%02d", op, severity, i)
			r.Clauses = append(r.Clauses, verdict.Clause{ID: spec.ClauseID(clause), Level: spec.Must, Status: verdict.ClauseVacuous})
			r.Results = append(r.Results, result.Result{
				Outcome:  judge.Outcome{Fixture: op + "/valid/" + string(severity), Clause: spec.ClauseID(op + "/accepts"), Status: judge.Failed, Findings: []judge.Finding{{Clause: spec.ClauseID(clause), Severity: severity, Message: "is missing", Expected: "a string"}}},
				Exchange: response(http.StatusOK), Curl: "curl " + op,
			})
		}
		r.Results = append(r.Results, result.Result{Outcome: judge.Outcome{Fixture: op + "/valid/unjudged", Status: judge.Unjudged, Reason: "the reason of " + op}})
		r.Observations = append(r.Observations, verdict.Answers{Clause: spec.ClauseID(fmt.Sprintf("%s/silent/question-%d", op, i)), Answers: []verdict.Answer{{Answer: "404", Fixtures: []string{op}}}})
		r.Reached.Missing = append(r.Reached.Missing, verdict.Unreached{Reason: "the step " + op + " (POST /things) got 400", Operations: []string{op}}, verdict.Unreached{Reason: "the document lacks " + op, Operations: []string{op}})
	}
	page := string(reporttest.Written(t, console.Printer{Detail: console.Normal}.Write, r))
	if lines := strings.Count(page, "\n"); lines > 150 {
		t.Errorf("%d lines:\n%s", lines, page)
	}
	for _, more := range []string{"48 more broken clauses", "54 more questions", "56 more warnings", "56 more reasons", "50 more faults"} {
		if !strings.Contains(page, "  and "+more+"; see all with --verbose, or with --report html=FILE\n") {
			t.Errorf("it does not say that there are %s", more)
		}
	}
	if !strings.Contains(page, "--verbose lists all operations that were not reached\n") {
		t.Error("it does not say where the other operations are")
	}
	whole := string(reporttest.Written(t, console.Printer{Detail: console.Verbose}.Write, r))
	for _, of := range []string{"breaks operation59/", "departs from operation59/", "✗ operation59/", "? the reason of operation59", "· operation59/silent/", "because the step operation59 (POST", "because the document lacks operation59"} {
		if !strings.Contains(strings.ReplaceAll(whole, "\n", " "), of) {
			t.Errorf("the verbose page lacks %q", of)
		}
	}
	if strings.Contains(whole, "see all") || strings.Contains(whole, "--verbose lists") {
		t.Error("the verbose page says that it is not whole")
	}
}

func TestConsoleSaysWhenItCannotWrite(t *testing.T) {
	err := console.Printer{Detail: console.Normal}.Write(reporttest.Full{}, result.Report{})
	if !errors.Is(err, reporttest.ErrFull) || err.Error() != "writing to the console: no space left" {
		t.Error(err)
	}
}

// No text in a report can control the terminal.
func FuzzConsole(f *testing.F) {
	reporttest.Fuzz(f, func(t *testing.T, r result.Report) {
		for _, detail := range []console.Detail{console.Quiet, console.Normal, console.Verbose} {
			page := string(reporttest.Written(t, console.Printer{Detail: detail}.Write, r))
			reporttest.Harmless(t, "the page", page)
			reporttest.CheckNoCommands(t, "the page", page)
			coloured := string(reporttest.Written(t, console.Printer{Detail: detail, Color: true}.Write, r))
			if colours.ReplaceAllString(coloured, "") != page {
				t.Errorf("colour changes the text:\n%q", coloured)
			}
		}
	})
}

// The console lists what the run could not remove, with the commands to remove it.
func TestConsoleListsWhatIsLeft(t *testing.T) {
	r := reporttest.Conformant().Report()
	for i := range 12 {
		url := "http://a/things/" + string(rune('a'+i))
		exchange := result.Exchange{Request: result.Request{Method: "DELETE", URL: url}}
		if i > 1 {
			exchange.Response = &result.Response{Status: 409}
		}
		r.Results[0].Steps = append(r.Results[0].Steps, result.Step{ID: "remove", Cleanup: true, Left: i > 0, Curl: "curl -X DELETE '" + url + "'", Exchange: exchange})
	}
	page := string(reporttest.Written(t, console.Printer{Detail: console.Normal}.Write, r))
	if !strings.Contains(page, "! 11 clean-up requests got 409 (10), no response (1); what the run created may still be there:\n  curl -X DELETE 'http://a/things/b'\n") || !strings.Contains(page, "  and 1 more, which --verbose lists\n") || strings.Contains(page, "things/a'") {
		t.Errorf("got\n%s", page)
	}
}

// colours matches the sequences with which the console changes the color of its text.
var colours = regexp.MustCompile("\x1b\\[(0|1|2|31|32|33)m") // no others are used
