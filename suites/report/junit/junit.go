// Package junit writes a report as JUnit XML, which CI systems read.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Write writes the XML that CI systems read: a test suite for each group of fixtures, and a test
// case for each fixture. A violation is a failure. An unjudged fixture is an error, not a skip,
// because CI systems show skips as green. Waived and excused fixtures are skipped.
//
// There is no standard. The output follows what the schemas of Ant and Jenkins have in common.
// It adds only the attribute file of a test case, which other tools read.
func Write(w io.Writer, r result.Report) error {
	text, err := xml.MarshalIndent(newSuites(r), "", "  ")
	if err != nil {
		return fmt.Errorf("writing the JUnit report: %w", err)
	}
	return terminal.WriteText(w, "the JUnit report", xml.Header+string(text)+"\n")
}

type testSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     seconds      `xml:"time,attr"`
	Suites   []*testSuite `xml:"testsuite"`
}

type testSuite struct {
	Name       string     `xml:"name,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       seconds    `xml:"time,attr"`
	Timestamp  string     `xml:"timestamp,attr"`
	Properties []property `xml:"properties>property"`
	Cases      []testCase `xml:"testcase"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testCase struct {
	Name      string  `xml:"name,attr"`
	Classname string  `xml:"classname,attr"`
	Time      seconds `xml:"time,attr"`
	File      string  `xml:"file,attr,omitempty"`
	Failure   *detail `xml:"failure"`
	Error     *detail `xml:"error"`
	Skipped   *detail `xml:"skipped"`
	Output    *cdata  `xml:"system-out"`
}

type detail struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

type cdata struct {
	Text string `xml:",cdata"`
}

// seconds is a time in milliseconds that is written in seconds. It does not include the time
// that a request waits for its turn.
type seconds float64

// MarshalText writes a decimal without an exponent.
func (t seconds) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(t)/1000, 'f', 6, 64), nil
}

func newSuites(r result.Report) *testSuites {
	all := &testSuites{Name: words.Visible(r.Contract.Title)}
	for _, group := range lists.Groups(r.Results, func(r result.Result) string { return path.Dir(r.Fixture) }) {
		suite := all.open(group.Key, r)
		for _, result := range group.Items {
			all.add(suite, newCase(r, result))
		}
	}
	// A run that is not conformant must turn the build red, even if no fixture does.
	if r.Verdict == verdict.Inconclusive || r.Verdict != verdict.Conformant && all.Failures+all.Errors == 0 {
		all.add(all.open("verdict", r), testCase{
			Name: "verdict", Classname: "verdict",
			Error: &detail{Message: words.Visible(r.Headline + ": " + r.Reason), Type: "verdict"},
		})
	}
	return all
}

func (all *testSuites) open(name string, r result.Report) *testSuite {
	suite := &testSuite{
		Name:      words.Visible(name),
		Timestamp: r.Run.Started.UTC().Format("2006-01-02T15:04:05"), // Ant's schema allows no time zone
		Properties: []property{
			{"contract", words.Visible(r.Contract.String())},
			{"target", words.Visible(r.Target.BaseURL)},
			{"run", words.Visible(r.Run.ID)},
			{"verdict", words.Visible(r.Headline + ": " + r.Reason)},
			{"reached", words.Visible(words.Reached(r))},
			{"seed", strconv.FormatUint(r.Run.Seed, 10)},
		},
	}
	all.Suites = append(all.Suites, suite)
	return suite
}

func (all *testSuites) add(suite *testSuite, c testCase) {
	suite.Cases = append(suite.Cases, c)
	suite.Tests, all.Tests = suite.Tests+1, all.Tests+1
	suite.Time, all.Time = suite.Time+c.Time, all.Time+c.Time
	switch {
	case c.Failure != nil:
		suite.Failures, all.Failures = suite.Failures+1, all.Failures+1
	case c.Error != nil:
		suite.Errors, all.Errors = suite.Errors+1, all.Errors+1
	case c.Skipped != nil:
		suite.Skipped++
	}
}

func newCase(whole result.Report, r result.Result) testCase {
	c := testCase{
		Name:      words.Visible(r.Fixture), // the id, which stays the same when the title is reworded
		Classname: words.Visible(strings.ReplaceAll(path.Dir(r.Fixture), "/", ".")),
		Time:      seconds(r.Exchange.DurationMs),
		File:      words.Visible(words.PlaceOf(r.Source).File),
	}
	var violations, notes []string
	for _, f := range r.Findings {
		if f.Severity == judge.Observation && f.Clause != r.Clause {
			continue // it answers a question that the fixture does not ask
		}
		if f.Kind() != judge.Violation {
			notes = append(notes, words.Tell(whole, r, f))
			continue
		}
		violations = append(violations, words.Tell(whole, r, f))
		if c.Failure == nil { // readers accept at most one failure per case
			c.Failure = &detail{Message: words.Visible(words.Stated(f)), Type: words.Visible(f.Clause)}
		}
	}
	replay := terminal.VisibleText(r.Curl) + "\n"
	switch {
	case c.Failure != nil:
		c.Failure.Text = words.Visible(r.Title) + "\n\n" + strings.Join(violations, "\n") + "\n" + replay
	case r.Excused:
		c.Skipped = &detail{Message: words.Visible("unjudged: " + r.Reason), Type: "excused"}
	case r.Status == judge.Unjudged:
		c.Error = &detail{Message: words.Visible("unjudged: " + r.Reason), Type: "unjudged", Text: words.Visible(r.Title) + "\n\n" + replay}
	case r.Status == judge.Waived:
		c.Skipped = &detail{Message: words.Visible("waived: " + words.WaivedBecause(r)), Type: "waived"}
	}
	if c.Failure == nil && c.Error == nil {
		notes = append([]string{words.Visible(r.Title) + "\n"}, notes...)
	}
	if len(notes) > 0 {
		c.Output = &cdata{strings.Join(notes, "\n")}
	}
	return c
}
