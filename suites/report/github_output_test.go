package report_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/report/github"
	"github.com/plantstore/conformance/suites/verdict"
)

func TestGitHubOutput(t *testing.T) {
	const counts = "fixtures=1\npassed=0\nfailed=1\nwarned=0\nwaived=0\nunjudged=0\n"
	for name, c := range map[string]struct{ reason, want string }{
		"a reason":                     {"1 fixture failed", "verdict=nonconformant\nheadline=nonconformant\nreason=1 fixture failed\n" + counts},
		"one that would be an output":  {"a\nverdict=conformant\r\nfailed=0", "verdict=nonconformant\nheadline=nonconformant\nreason=a\\nverdict=conformant\\r\\nfailed=0\n" + counts},
		"one that would be a document": {"<<EOF\nEOF", "verdict=nonconformant\nheadline=nonconformant\nreason=<<EOF\\nEOF\n" + counts},
		"one that would be a command":  {"\n::set-output name=a::b ##[add-mask]c", "verdict=nonconformant\nheadline=nonconformant\nreason=\\n::set-output name=a::b ##\\x5badd-mask]c\n" + counts},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			r := reporttest.Scene{Results: reporttest.OneFailure().Results, Verdict: verdict.Nonconformant, Reason: c.reason}.Report()
			if err := github.WriteOutput(&b, r); err != nil || b.String() != c.want {
				t.Errorf("%v\ngot  %q\nwant %q", err, b.String(), c.want)
			}
		})
	}
	if err := github.WriteOutput(reporttest.Full{}, reporttest.OneFailure().Report()); !errors.Is(err, reporttest.ErrFull) {
		t.Error(err)
	}
}
