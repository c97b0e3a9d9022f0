package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/plantstore/conformance/suites/judge"
)

// WriteJUnit writes the XML that CI systems read: a test suite for each group
// of fixtures, a test case for each fixture. A violation is a failure; what
// could not be judged is an error, never a skip, because a skip is green.
func WriteJUnit(w io.Writer, r Report) error {
	all := junitSuites{Name: r.Contract.Title, Time: seconds(r.Run.DurationMs)}
	for _, result := range r.Results {
		name := result.Fixture[:max(strings.LastIndexByte(result.Fixture, '/'), 0)]
		if n := len(all.Suites); n == 0 || all.Suites[n-1].Name != name {
			all.Suites = append(all.Suites, junitSuite{Name: name, Timestamp: r.Run.Started.UTC().Format(time.RFC3339)})
		}
		all.add(&all.Suites[len(all.Suites)-1], result)
	}
	for i := range all.Suites {
		all.Suites[i].Time = seconds(all.Suites[i].milliseconds)
	}
	if !r.Run.Complete || len(r.Results) == 0 || r.Verdict == string(judge.Inconclusive) {
		all.verdict(r)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("writing the JUnit report: %w", err)
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return fmt.Errorf("writing the JUnit report: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err //nolint:wrapcheck // the writer's own
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name         string      `xml:"name,attr"`
	Tests        int         `xml:"tests,attr"`
	Failures     int         `xml:"failures,attr"`
	Errors       int         `xml:"errors,attr"`
	Skipped      int         `xml:"skipped,attr"`
	Time         string      `xml:"time,attr"`
	Timestamp    string      `xml:"timestamp,attr"`
	Cases        []junitCase `xml:"testcase"`
	milliseconds float64
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	Classname string        `xml:"classname,attr"`
	Time      string        `xml:"time,attr"`
	File      string        `xml:"file,attr,omitempty"`
	Failures  []junitDetail `xml:"failure"`
	Error     *junitDetail  `xml:"error"`
	Output    *junitText    `xml:"system-out"`
}

type junitDetail struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitText struct {
	Text string `xml:",chardata"`
}

func (all *junitSuites) add(suite *junitSuite, r Result) {
	c := junitCase{
		Name:      r.Fixture[strings.LastIndexByte(r.Fixture, '/')+1:] + ": " + r.Title,
		Classname: strings.ReplaceAll(suite.Name, "/", "."),
		Time:      seconds(r.Exchange.DurationMs),
		File:      r.Source[:max(strings.LastIndexByte(r.Source, ':'), 0)],
	}
	var notes []string
	for _, f := range r.Findings {
		text := findingText(f)
		if judge.Severity(f.Severity) == judge.Violation {
			c.Failures = append(c.Failures, junitDetail{f.Clause + ": " + f.Message, f.Clause, text + "\nreplay    " + r.Curl + "\n"})
			continue
		}
		notes = append(notes, f.Severity+" "+f.Clause+"\n"+text)
	}
	if r.Status == string(judge.Unjudged) {
		c.Error = &junitDetail{"unjudged: " + r.Reason, "unjudged", r.Curl + "\n"}
		suite.Errors++
		all.Errors++
	}
	if len(notes) > 0 {
		c.Output = &junitText{strings.Join(notes, "\n")}
	}
	if len(c.Failures) > 0 {
		suite.Failures++
		all.Failures++
	}
	suite.Tests++
	all.Tests++
	suite.milliseconds += r.Exchange.DurationMs
	suite.Cases = append(suite.Cases, c)
}

// verdict adds a case for a run that is not green though none of its fixtures
// need be red.
func (all *junitSuites) verdict(r Report) {
	all.Tests++
	all.Errors++
	all.Suites = append(all.Suites, junitSuite{
		Name: "verdict", Tests: 1, Errors: 1, Time: seconds(0), Timestamp: r.Run.Started.UTC().Format(time.RFC3339),
		Cases: []junitCase{{
			Name: "verdict", Classname: "verdict", Time: seconds(0),
			Error: &junitDetail{r.Verdict + ": " + r.Reason, r.Verdict, ""},
		}},
	})
}

func findingText(f Finding) string {
	var b strings.Builder
	fmt.Fprintln(&b, f.Message)
	for _, row := range [][2]string{{"at", f.place()}, {"expected", f.Expected}, {"got", f.Actual}} {
		if row[1] != "" {
			fmt.Fprintf(&b, "%-9s %s\n", row[0], row[1])
		}
	}
	return b.String()
}

// place says where in the body the finding lies.
func (f Finding) place() string {
	switch {
	case f.Offset < 0:
		return ""
	case f.Pointer == "":
		return fmt.Sprintf("byte %d of the body", f.Offset)
	}
	return fmt.Sprintf("%s, byte %d of the body", f.Pointer, f.Offset)
}

func seconds(milliseconds float64) string { return fmt.Sprintf("%.6f", milliseconds/1000) }
