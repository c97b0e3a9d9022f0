package report_test

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/report"
)

// console is what a person sees.
func console(t testing.TB, c report.Console, r report.Report) string {
	t.Helper()
	var out bytes.Buffer
	c.Out = &out
	if err := c.Write(r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestConsole(t *testing.T) {
	for name, s := range scenes() {
		t.Run(name, func(t *testing.T) {
			golden(t, "console/"+name+".txt", []byte(console(t, report.Console{Detail: report.Normal}, s.report())))
		})
	}
	all := scenes()["everything"].report()
	for name, c := range map[string]report.Console{
		"quiet":   {Detail: report.Quiet},
		"verbose": {Detail: report.Verbose},
		"colour":  {Detail: report.Verbose, Color: true},
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, "console/everything-"+name+".txt", []byte(console(t, c, all)))
		})
	}
}

var (
	heading = regexp.MustCompile(`^✗ \S+   breaks \S+`)
)

// Whatever the run, the page keeps its form: a failure has six lines at most,
// the verdict is the last line, and colour adds nothing but colour.
func TestConsoleForm(t *testing.T) {
	for name, s := range scenes() {
		r := s.report()
		page := console(t, report.Console{Detail: report.Normal}, r)
		for block := range strings.SplitSeq(page, "\n\n") {
			if lines := strings.Count(strings.TrimSpace(block), "\n") + 1; heading.MatchString(block) && lines > 6 {
				t.Errorf("%s: a failure of %d lines:\n%s", name, lines, block)
			}
		}
		lines := strings.Split(strings.TrimSuffix(page, "\n"), "\n")
		if last := lines[len(lines)-1]; last != r.Headline+": "+s.reason {
			t.Errorf("%s: the last line is %q", name, last)
		}
		if quiet := console(t, report.Console{Detail: report.Quiet}, r); quiet != lines[len(lines)-1]+"\n" {
			t.Errorf("%s: quiet says %q", name, quiet)
		}
		if coloured := console(t, report.Console{Detail: report.Normal, Color: true}, r); colours.ReplaceAllString(coloured, "") != page {
			t.Errorf("%s: colour changes the text", name)
		}
		harmless(t, name, page)
	}
}

// The command is there to be copied: it is not cut, and a line break in it is
// not written as two characters, which a shell would send.
func TestReplayIsWhole(t *testing.T) {
	s := oneFailure()
	s.results[0].Exchange.Request.Body = []byte(strings.Repeat("x", 5000) + "\n" + strings.Repeat("y", 5000))
	r := s.report()
	if page := console(t, report.Console{Detail: report.Normal}, r); !strings.Contains(page, "    replay    "+r.Results[0].Curl+"\n") {
		t.Errorf("the command is not in\n%s", page)
	}
}

// A run with 300 fixtures that all come across one fault fits on one page.
func TestOneFaultIsOneFailure(t *testing.T) {
	s := oneCause()
	one := s.results[0]
	s.results = nil
	for range 300 {
		s.results = append(s.results, one)
	}
	if lines := strings.Count(console(t, report.Console{Detail: report.Normal}, s.report()), "\n"); lines > 40 {
		t.Errorf("%d lines", lines)
	}
}

func TestConsoleSaysWhenItCannotWrite(t *testing.T) {
	err := report.Console{Out: failing{}, Detail: report.Normal}.Write(report.Report{})
	if !errors.Is(err, errFull) || err.Error() != "writing to the console: no space left" {
		t.Error(err)
	}
}

// Whatever a report holds, the console shows it without obeying it.
func FuzzConsole(f *testing.F) {
	fuzz(f, func(t *testing.T, r report.Report) {
		for _, detail := range []report.Detail{report.Quiet, report.Normal, report.Verbose} {
			page := console(t, report.Console{Detail: detail}, r)
			harmless(t, "the page", page)
			checkNoCommands(t, "the page", page)
			coloured := console(t, report.Console{Detail: detail, Color: true}, r)
			if colours.ReplaceAllString(coloured, "") != page {
				t.Errorf("colour changes the text:\n%q", coloured)
			}
		}
	})
}
