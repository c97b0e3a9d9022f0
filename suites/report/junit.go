package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// WriteJUnit writes the XML that CI systems read: a test suite for each group
// of fixtures, a test case for each fixture. A violation is a failure; what
// could not be judged is an error, never a skip, because a skip is green: that
// is for what is waived, and for what the contract excuses.
//
// There is no standard. This keeps to what the schemas of Ant and Jenkins have
// in common, but for the attribute file of a test case, which others read.
func WriteJUnit(w io.Writer, r result.Report) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("writing the JUnit report: %w", err)
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(newJUnit(r)); err != nil {
		return fmt.Errorf("writing the JUnit report: %w", err)
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return fmt.Errorf("writing the JUnit report: %w", err)
	}
	return nil
}

type junitSuites struct {
	XMLName  xml.Name      `xml:"testsuites"`
	Name     string        `xml:"name,attr"`
	Tests    int           `xml:"tests,attr"`
	Failures int           `xml:"failures,attr"`
	Errors   int           `xml:"errors,attr"`
	Time     junitTime     `xml:"time,attr"`
	Suites   []*junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       junitTime       `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name      string       `xml:"name,attr"`
	Classname string       `xml:"classname,attr"`
	Time      junitTime    `xml:"time,attr"`
	File      string       `xml:"file,attr,omitempty"`
	Failure   *junitDetail `xml:"failure"`
	Error     *junitDetail `xml:"error"`
	Skipped   *junitDetail `xml:"skipped"`
	Output    *junitText   `xml:"system-out"`
}

type junitDetail struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

type junitText struct {
	Text string `xml:",cdata"`
}

// junitTime is in milliseconds, and written in seconds: the target's own time,
// without any wait for a turn.
type junitTime float64

// MarshalText writes a decimal without an exponent.
func (t junitTime) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(t)/1000, 'f', 6, 64), nil
}

func newJUnit(r result.Report) *junitSuites {
	all := &junitSuites{Name: Visible(r.Contract.Title)}
	groups := map[string]*junitSuite{}
	for _, result := range r.Results {
		name := path.Dir(result.Fixture)
		if groups[name] == nil {
			groups[name] = all.open(name, r)
		}
		all.add(groups[name], newJUnitCase(r, result))
	}
	// Whatever keeps a run from being conformant must turn the build red, even
	// where no fixture does.
	if r.Verdict == judge.Inconclusive || r.Verdict != judge.Conformant && all.Failures+all.Errors == 0 {
		all.add(all.open("verdict", r), junitCase{
			Name: "verdict", Classname: "verdict",
			Error: &junitDetail{Message: Visible(r.Headline + ": " + r.Reason), Type: "verdict"},
		})
	}
	return all
}

func (all *junitSuites) open(name string, r result.Report) *junitSuite {
	suite := &junitSuite{
		Name:      Visible(name),
		Timestamp: r.Run.Started.UTC().Format("2006-01-02T15:04:05"), // Ant's schema allows no time zone
		Properties: []junitProperty{
			{"contract", Visible(r.Contract.Title + " " + r.Contract.Version)},
			{"target", Visible(r.Target.BaseURL)},
			{"run", Visible(r.Run.ID)},
			{"verdict", Visible(r.Headline + ": " + r.Reason)},
			{"seed", strconv.FormatUint(r.Run.Seed, 10)},
		},
	}
	all.Suites = append(all.Suites, suite)
	return suite
}

func (all *junitSuites) add(suite *junitSuite, c junitCase) {
	failures, errors, skipped := 0, 0, 0
	if c.Failure != nil {
		failures = 1
	}
	if c.Error != nil {
		errors = 1
	}
	if c.Skipped != nil {
		skipped = 1
	}
	suite.Cases = append(suite.Cases, c)
	suite.Tests, all.Tests = suite.Tests+1, all.Tests+1
	suite.Failures, all.Failures = suite.Failures+failures, all.Failures+failures
	suite.Errors, all.Errors = suite.Errors+errors, all.Errors+errors
	suite.Skipped += skipped
	suite.Time, all.Time = suite.Time+c.Time, all.Time+c.Time
}

func newJUnitCase(whole result.Report, r result.Result) junitCase {
	c := junitCase{
		Name:      Visible(r.Fixture), // the id, which stays the same when the title is reworded
		Classname: Visible(strings.ReplaceAll(path.Dir(r.Fixture), "/", ".")),
		Time:      junitTime(r.Exchange.DurationMs),
		File:      Visible(placeOf(r.Source).file),
	}
	var violations, notes []string
	for _, f := range r.Findings {
		if f.Severity == judge.Observation && f.Clause != r.Clause {
			continue // it answers a question that the fixture does not ask
		}
		if f.Kind() != judge.Violation {
			notes = append(notes, junitFinding(whole, r, f))
			continue
		}
		violations = append(violations, junitFinding(whole, r, f))
		if c.Failure == nil { // readers take one failure of a case at most
			c.Failure = &junitDetail{Message: Visible(f.Clause + ": " + sentence(f)), Type: Visible(f.Clause)}
		}
	}
	replay := strings.Join(terminal.VisibleLines(r.Curl), "\n") + "\n"
	switch {
	case c.Failure != nil:
		c.Failure.Text = Visible(r.Title) + "\n\n" + strings.Join(violations, "\n") + "\n" + replay
	case r.Excused:
		c.Skipped = &junitDetail{Message: Visible("unjudged: " + r.Reason), Type: "excused"}
	case r.Status == judge.Unjudged:
		c.Error = &junitDetail{Message: Visible("unjudged: " + r.Reason), Type: "unjudged", Text: Visible(r.Title) + "\n\n" + replay}
	case r.Status == judge.Waived:
		c.Skipped = &junitDetail{Message: Visible("waived: " + waivedBecause(r)), Type: "waived"}
	}
	if c.Failure == nil && c.Error == nil {
		notes = append([]string{Visible(r.Title) + "\n"}, notes...)
	}
	if len(notes) > 0 {
		c.Output = &junitText{strings.Join(notes, "\n")}
	}
	return c
}

// junitFinding tells a finding in a few lines.
func junitFinding(whole result.Report, r result.Result, f judge.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n", f.Kind(), Visible(f.Clause), Visible(sentence(f)))
	for _, e := range evidenceOf(r, f) {
		if e.text != "" {
			fmt.Fprintf(&b, "%-9s %s\n", e.name, e.text)
		}
	}
	if f.Kind() == judge.Warning {
		fmt.Fprintf(&b, "%-9s %s\n", "why", whyWarning(whole, r, f))
	}
	return b.String()
}

// waivedBecause is the reason of the first violation that is waived.
func waivedBecause(r result.Result) string {
	for _, f := range r.Findings {
		if f.Waived != "" {
			return f.Waived
		}
	}
	return ""
}
