package report_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/report/ctrf"
	"github.com/plantstore/conformance/suites/report/github"
	"github.com/plantstore/conformance/suites/report/har"
	"github.com/plantstore/conformance/suites/report/junit"
	"github.com/plantstore/conformance/suites/report/markdown"
	"github.com/plantstore/conformance/suites/report/sarif"
	"github.com/plantstore/conformance/suites/result"
)

// TestFormats compares the output of each format for the scenes with golden files, the rules of
// the format and its published schema. Hostile texts must also satisfy these rules.
func TestFormats(t *testing.T) {
	for name, format := range map[string]struct {
		write  func(io.Writer, result.Report) error
		schema string // published schema; "" if there is none
		golden string // for the scene "everything"; one for each scene if it begins with a dot
		check  func(*testing.T, []byte)
	}{
		"ctrf":     {ctrf.Write, ctrfSchema, "ctrf.json", checkCTRF},
		"har":      {har.Write, harSchema, "har.json", checkHAR},
		"junit":    {junit.Write, "", "junit.xml", checkJUnit},
		"sarif":    {sarif.Write, sarifSchema, "sarif.json", checkSARIF},
		"github":   {github.Write, "", ".txt", checkGitHub},
		"markdown": {markdown.Write, "", ".md", func(t *testing.T, text []byte) { checkMarkdown(t, string(text)) }},
	} {
		t.Run(name, func(t *testing.T) {
			check := format.check
			if format.schema != "" {
				schema := reporttest.CompileFile(format.schema)(t)
				check = func(t *testing.T, text []byte) {
					t.Helper()
					reporttest.Meets(t, schema, text)
					format.check(t, text)
				}
			}
			if !strings.HasPrefix(format.golden, ".") {
				reporttest.Golden(t, format.golden, reporttest.Written(t, format.write, reporttest.Everything().Report()))
			}
			for scene, s := range reporttest.All() {
				t.Run(scene, func(t *testing.T) {
					text := reporttest.Written(t, format.write, s.Report())
					if strings.HasPrefix(format.golden, ".") {
						reporttest.Golden(t, scene+format.golden, text)
					}
					check(t, text)
				})
			}
			reporttest.EachHostile(t, func(t *testing.T, text string, r result.Report) {
				if text == "" && name == "junit" {
					t.Skip("a failure without a clause has no type in JUnit")
				}
				check(t, reporttest.Written(t, format.write, r))
			})
		})
	}
}

func TestFormatsSayWhenTheyCannotWrite(t *testing.T) {
	for _, format := range report.Formats() {
		if err := format.Write(reporttest.Full{}, reporttest.Everything().Report()); !errors.Is(err, reporttest.ErrFull) {
			t.Errorf("%s: %v", format.Name, err)
		}
	}
}

func TestFormatNamed(t *testing.T) {
	for _, format := range report.Formats() {
		if got, err := report.FormatNamed(format.Name, report.Formats()); err != nil || got.Name != format.Name {
			t.Errorf("%s: %v %v", format.Name, got.Name, err)
		}
	}
	if _, err := report.FormatNamed("pdf", report.Formats()); err == nil || err.Error() != `report format "pdf" is unknown; there are badge, ctrf, github, har, html, json, junit, markdown, ndjson and sarif` {
		t.Error(err)
	}
}

// Every report says which part of the contract was not reached, and why. A badge has no room for
// it, and HAR contains only exchanges.
func TestReachedIsInEveryReport(t *testing.T) {
	for _, format := range report.Formats() {
		if format.Name == "badge" || format.Name == "har" {
			continue
		}
		text := string(reporttest.Written(t, format.Write, reporttest.WrongBaseURL().Report()))
		if !strings.Contains(text, "need another base URL") || !strings.Contains(text, "createPlant") {
			t.Errorf("%s does not say what was not reached", format.Name)
		}
	}
}
