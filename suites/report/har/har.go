// Package har writes the exchanges of a run as an HTTP Archive, for tools that
// show exchanges.
package har

import (
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/style"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// Write writes the exchanges as an HTTP Archive, version 1.2, which browser tools open. A report
// does not contain HTTP versions, sizes on the wire or start times of exchanges. The archive
// marks versions and sizes as unknown, and gives each exchange the start time of the run.
func Write(w io.Writer, r result.Report) error {
	return terminal.WriteJSON(w, "the HAR report", "  ", map[string]log{"log": newArchive(r)})
}

type log struct {
	Version string            `json:"version"`
	Creator map[string]string `json:"creator"`
	Pages   []page            `json:"pages"`
	Entries []entry           `json:"entries"`
	Comment string            `json:"comment"`
}

// page groups the entries: some browsers refuse an archive without a page.
type page struct {
	Started time.Time `json:"startedDateTime"`
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Timings struct{}  `json:"pageTimings"`
}

type entry struct {
	Page     string    `json:"pageref"`
	Started  time.Time `json:"startedDateTime"`
	Time     float64   `json:"time"` // in milliseconds: the sum of the timings
	Request  request   `json:"request"`
	Response response  `json:"response"`
	Cache    struct{}  `json:"cache"`
	Timings  timings   `json:"timings"`
	Error    string    `json:"_error,omitempty"` // the name that Chromium uses
	Comment  string    `json:"comment"`
}

// timings are in milliseconds.
type timings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

type request struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []cookie  `json:"cookies"`
	Headers     []field   `json:"headers"`
	Query       []field   `json:"queryString"`
	PostData    *postData `json:"postData,omitempty"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int       `json:"bodySize"`
}

type response struct {
	Status      int      `json:"status"` // 0 if there was no response, as in browsers
	StatusText  string   `json:"statusText"`
	HTTPVersion string   `json:"httpVersion"`
	Cookies     []cookie `json:"cookies"`
	Headers     []field  `json:"headers"`
	Content     content  `json:"content"`
	RedirectURL string   `json:"redirectURL"`
	HeadersSize int      `json:"headersSize"`
	BodySize    int      `json:"bodySize"`
}

type field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type cookie struct {
	Name     string     `json:"name"`
	Value    string     `json:"value"`
	Path     string     `json:"path,omitempty"`
	Domain   string     `json:"domain,omitempty"`
	Expires  *time.Time `json:"expires,omitempty"`
	HTTPOnly bool       `json:"httpOnly,omitempty"`
	Secure   bool       `json:"secure,omitempty"`
}

type postData struct {
	MimeType string `json:"mimeType"`
	Text     string `json:"text"`
	Encoding string `json:"encoding,omitempty"` // not in HAR 1.2, but other tools write and read it
	Comment  string `json:"comment,omitempty"`
}

type content struct {
	Size     int    `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"`
	Cut      bool   `json:"_truncated,omitempty"` // a custom key, which must begin with an underscore
	Comment  string `json:"comment,omitempty"`
}

const (
	pageID  = "run"
	unknown = "unknown"
	noSize  = -1
)

func newArchive(r result.Report) log {
	started := r.Run.Started.UTC().Truncate(time.Millisecond) // HAR uses milliseconds
	log := log{
		Version: "1.2", Creator: map[string]string{"name": "conformance", "version": r.Harness.Version},
		Pages:   []page{{Started: started, ID: pageID, Title: r.Contract.String()}},
		Entries: []entry{},
		Comment: "the start time of each exchange is that of the run",
	}
	add := func(x result.Exchange, comment string) {
		log.Entries = append(log.Entries, entry{
			Page: pageID, Started: started, Time: x.DurationMs, Timings: timings{Wait: x.DurationMs},
			Request: newRequest(x.Request), Response: newResponse(x.Response), Error: x.Failure, Comment: comment,
		})
	}
	for _, one := range r.Results {
		steps := func(cleanup bool) {
			for _, step := range one.Steps {
				if step.Cleanup == cleanup {
					add(step.Exchange, words.Visible("step "+step.ID+" of "+one.Fixture))
				}
			}
		}
		steps(false)
		add(one.Exchange, comment(one))
		steps(true)
	}
	return log
}

// comment names the fixture of an exchange, and its violations and warnings.
func comment(r result.Result) string {
	grave := lists.Filter(r.Findings, func(f judge.Finding) bool { return f.Severity != judge.Observation })
	said := append([]string{r.Fixture + ": " + string(r.Status)}, lists.Map(grave, words.Stated)...)
	return words.Visible(strings.Join(said, "; "))
}

func newRequest(r result.Request) request {
	out := request{
		Method: r.Method, URL: absolute(r.URL), HTTPVersion: unknown,
		Cookies: []cookie{}, Headers: headers(r.Headers), Query: query(r.URL),
		HeadersSize: noSize, BodySize: len(r.Raw()),
	}
	if r.Truncated {
		out.BodySize = noSize
	}
	for _, value := range header(r.Headers, "Cookie") {
		cookies, err := http.ParseCookie(value)
		if err != nil {
			continue // the header field still shows it
		}
		for _, c := range cookies {
			out.Cookies = append(out.Cookies, newCookie(c))
		}
	}
	if r.Body.Body != "" {
		out.PostData = &postData{mediaType(r.Headers), r.Body.Body, r.Encoding, note(r.Body)}
	}
	return out
}

func newResponse(r *result.Response) response {
	out := response{
		HTTPVersion: unknown, Cookies: []cookie{}, Headers: []field{},
		HeadersSize: noSize, BodySize: noSize, Content: content{MimeType: "x-unknown"}, // as in browsers
	}
	if r == nil {
		return out
	}
	out.Status, out.StatusText, out.Headers = r.Status, http.StatusText(r.Status), headers(r.Headers)
	for _, value := range header(r.Headers, "Set-Cookie") {
		if c, err := http.ParseSetCookie(value); err == nil {
			out.Cookies = append(out.Cookies, newCookie(c))
		}
	}
	if location := header(r.Headers, "Location"); len(location) > 0 {
		out.RedirectURL = location[0]
	}
	out.Content = content{Size: len(r.Raw()), MimeType: mediaType(r.Headers), Text: r.Body.Body, Encoding: r.Encoding}
	if r.Truncated {
		out.Content.Size, out.Content.Cut, out.Content.Comment = noSize, true, cutOff
	}
	return out
}

const cutOff = "the beginning of the body"

// note says what HAR has no key for: a request body that is cut off or not UTF-8.
func note(b result.Body) string {
	var notes []string
	if b.Truncated {
		notes = append(notes, cutOff)
	}
	if b.Encoding != "" {
		notes = append(notes, "in "+b.Encoding+", because the body is not UTF-8")
	}
	return strings.Join(notes, ", ")
}

// absolute returns the URL, or a placeholder if it is not absolute, because HAR requires that.
func absolute(text string) string {
	if u, err := url.Parse(text); err != nil || !u.IsAbs() {
		return "about:invalid"
	}
	return text
}

// query returns the query parameters of the URL in their order.
func query(address string) []field {
	fields, inQuery := []field{}, style.Style{In: "query"}
	_, query, _ := strings.Cut(address, "?")
	query, _, _ = strings.Cut(query, "#")
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		fields = append(fields, field{inQuery.Unescape(name), inQuery.Unescape(value)})
	}
	return fields
}

// headers returns the header fields by name, with the values of a field in their order.
func headers(headers http.Header) []field {
	fields := []field{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		for _, value := range headers[name] {
			fields = append(fields, field{name, value})
		}
	}
	return fields
}

// header returns the values of a header field. Its name is case-insensitive.
func header(headers http.Header, name string) []string {
	var values []string
	for _, key := range slices.Sorted(maps.Keys(headers)) {
		if strings.EqualFold(key, name) {
			values = append(values, headers[key]...)
		}
	}
	return values
}

func mediaType(headers http.Header) string {
	return strings.Join(header(headers, "Content-Type"), ", ")
}

func newCookie(c *http.Cookie) cookie {
	out := cookie{Name: c.Name, Value: c.Value, Path: c.Path, Domain: c.Domain, HTTPOnly: c.HttpOnly, Secure: c.Secure}
	if !c.Expires.IsZero() {
		out.Expires = &c.Expires
	}
	return out
}
