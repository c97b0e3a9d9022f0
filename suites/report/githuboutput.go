package report

import (
	"fmt"
	"io"

	"github.com/plantstore/conformance/suites/result"
)

// WriteGitHubOutput writes what later steps of a workflow may ask a step for,
// as lines of $GITHUB_OUTPUT: verdict, headline, reason and the counts fixtures, passed,
// failed, warned, waived and unjudged. Each is one line, whatever the reason
// holds, so that nothing of a target becomes an output of its own.
func WriteGitHubOutput(w io.Writer, r result.Report) error {
	_, err := fmt.Fprintf(w, "verdict=%s\nheadline=%s\nreason=%s\nfixtures=%d\npassed=%d\nfailed=%d\nwarned=%d\nwaived=%d\nunjudged=%d\n",
		cut(r.Verdict, annotationWidth), cut(r.Headline, annotationWidth), cut(r.Reason, annotationWidth),
		r.Counts.Fixtures, r.Counts.Passed, r.Counts.Failed, r.Counts.Warned, r.Counts.Waived, r.Counts.Unjudged)
	if err != nil {
		return fmt.Errorf("writing the outputs for GitHub: %w", err)
	}
	return nil
}
