package reference

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// probe is a request that shows a deviation or a variation. The lines are
// header fields that replace those of a usual request ("Accept: */*"; an empty
// value removes the field), or a query ("?x=1"). $token stands for an accepted
// token.
type probe struct {
	body  string
	lines []string
}

// plainPlant is the body of a probe whose lines or answers are what matters.
const plainPlant = `{"id":7,"name":"fern"}`

// header returns the header fields of the probe.
func (p probe) header(token string) http.Header {
	h := http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}}
	for _, line := range p.lines {
		name, value, ok := strings.Cut(strings.ReplaceAll(line, "$token", token), ": ")
		if name = http.CanonicalHeaderKey(name); !ok || strings.HasPrefix(line, "?") || name == "Transfer-Encoding" {
			continue
		}
		if name, added := strings.CutPrefix(name, "+"); added {
			h.Add(name, value)
			continue
		}
		h.Del(name)
		if value != "" {
			h.Set(name, value)
		}
	}
	return h
}

// chunked reports whether the body is sent without its length.
func (p probe) chunked() bool { return slices.Contains(p.lines, chunkedLine) }

const chunkedLine = "Transfer-Encoding: chunked"

// query returns the query with its question mark, or "".
func (p probe) query(token string) string {
	for _, line := range p.lines {
		if strings.HasPrefix(line, "?") {
			return strings.ReplaceAll(line, "$token", url.QueryEscape(token))
		}
	}
	return ""
}
