package report_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/internal/scenes"
	"github.com/plantstore/conformance/suites/report"
)

func TestFormatsSayWhenTheyCannotWrite(t *testing.T) {
	for _, format := range report.Formats() {
		if err := format.Write(scenes.Full{}, scenes.Everything().Report()); !errors.Is(err, scenes.ErrFull) {
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

// Every report with words for its run says what of the contract was not reached, and why.
func TestReachedIsInEveryReport(t *testing.T) {
	for _, format := range report.Formats() {
		if format.Name == "badge" || format.Name == "har" { // one word, and exchanges alone
			continue
		}
		text := string(scenes.Written(t, format.Write, scenes.WrongBaseURL().Report()))
		if !strings.Contains(text, "need the id of something that exists") || !strings.Contains(text, "createPlant") {
			t.Errorf("%s does not say what was not reached", format.Name)
		}
	}
}
