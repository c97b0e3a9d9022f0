package judge

import (
	"bytes"
	"cmp"
	"net/http"
	"strings"

	"github.com/plantstore/conformance/fixtures"
)

// versioned compares the ETag with the one before the change. The recorded responses are redacted, and only the
// beginning of the earlier body is kept. A weak ETag may stay, and any may if the content does.
func (j *judging) versioned() {
	now := j.exchange.Response
	if !j.isUnconditionalRead() { // the full content is always a right response
		j.exercise(j.fixture.Clause.ID)
	}
	for i, step := range j.exchange.Steps {
		if !j.isShown(step.ID) || step.Exchange.Response == nil {
			continue
		}
		first := step.Exchange.Response
		before, after := first.Header.Get("ETag"), now.Header.Get("ETag")
		if asked, _ := fixtures.FindField(j.exchange.Request.Header, "If-None-Match"); asked != "" && asked == before && asked == after && j.fixture.Operation.SaysNotModified() {
			j.exercise(j.fixture.Clause.ID)
			j.breach(j.fixture.Clause.ID, j.warning(), "the content is sent again, though If-None-Match has the current ETag", "304", j.answer())
		}
		if before == "" || strings.HasPrefix(before, "W/") || after == "" || bytes.HasPrefix(now.Body, first.Body) {
			return
		}
		j.exercise(j.fixture.Clause.ID)
		if after == before {
			j.breach(j.fixture.Clause.ID, j.severity(), "other content has the same strong ETag as before", "another ETag than "+before, "ETag: "+after)
			return
		}
		for _, s := range j.exchange.Steps[i+1:] {
			isChange := !s.Cleanup && (s.Message.Method == http.MethodPut || s.Message.Method == http.MethodPatch)
			if r := s.Exchange.Response; isChange && r != nil && r.Header.Get("ETag") == before {
				j.breach(j.fixture.Clause.ID, j.warning(), "the response to the change has the ETag from before it (RFC 9110 §9.3.4)", "the new ETag, "+after, "ETag: "+before+" in the response to "+j.fixture.StepOperation(s.ID).ID)
			}
		}
		return
	}
}

// unmodified compares the ETag that 304 calls current with that of the read before it. A weak and a
// strong one may match (RFC 9110 §13.1.2).
func (j *judging) unmodified() {
	asked, _ := fixtures.FindField(j.exchange.Request.Header, "If-None-Match")
	current := ""
	for _, r := range j.earlier() {
		current = cmp.Or(r.Header.Get("ETag"), current)
	}
	if current == "" {
		return
	}
	j.exercise(j.fixture.Clause.ID)
	if strings.TrimPrefix(current, "W/") != strings.TrimPrefix(asked, "W/") {
		j.breaks("304 says that the client has the current content, but If-None-Match has another ETag", "the content, whose ETag is "+current)
	}
}
