package services_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/services"
	"github.com/plantstore/conformance/suites/internal/services/books"
	"github.com/plantstore/conformance/suites/internal/services/parcels"
)

func all() []services.Service { return []services.Service{books.Service(), parcels.Service()} }

// TestDeviations sends the request of each deviation to the faithful service and to the
// service with the deviation. Only the first one responds as the document requires.
func TestDeviations(t *testing.T) {
	for _, s := range all() {
		for _, d := range s.Deviations {
			t.Run(s.Name+"/"+d.Name, func(t *testing.T) {
				right, wrong := answer(t, s, services.Options{}, d.Shows), answer(t, s, services.Options{Deviation: d}, d.Shows)
				if complaint := shows(spec.ClauseID(d.Clause), d.Shows, right, wrong); complaint != "" {
					t.Errorf("%s: %s\n%s %s\n%s\nfaithful: %s\ndeviating: %s", d.Says, complaint, d.Shows.Method, d.Shows.Target, d.Shows.Body, right.text, wrong.text)
				}
			})
		}
	}
}

// shows returns why the responses do not show that the clause is broken, or "".
func shows(clause spec.ClauseID, p services.Probe, right, wrong reply) string {
	switch {
	case right.status >= http.StatusInternalServerError || right.status == 0:
		return "the faithful service fails"
	case clause.IsAnswers():
		return unless(wrong.status >= http.StatusInternalServerError || wrong.status == 0, "the deviating service answers")
	case clause.OnRequest():
		return unless(right.refuses() && wrong.accepts(), "want a refusal and an acceptance")
	case clause.IsAccepts() && p.Wrong == "":
		return unless(right.accepts() && wrong.refuses(), "want an acceptance and a refusal")
	case p.Right == "" && p.Wrong == "":
		return "nothing shows it"
	case !strings.Contains(right.text, p.Right) || p.Right != "" && strings.Contains(wrong.text, p.Right):
		return fmt.Sprintf("only the faithful service should answer %s", p.Right)
	case !strings.Contains(wrong.text, p.Wrong) || p.Wrong != "" && strings.Contains(right.text, p.Wrong):
		return fmt.Sprintf("only the deviating service should answer %s", p.Wrong)
	}
	return ""
}

func unless(holds bool, complaint string) string {
	if holds {
		return ""
	}
	return complaint
}

// TestVariations sends the request of each variation to the faithful service and to the
// service with the variation. The responses differ, and neither is a failure.
func TestVariations(t *testing.T) {
	for _, s := range all() {
		for _, v := range s.Variations {
			if v.Shows.Method == "" {
				continue
			}
			t.Run(s.Name+"/"+v.Name, func(t *testing.T) {
				usual, varied := answer(t, s, services.Options{}, v.Shows), answer(t, s, services.Options{Variation: v}, v.Shows)
				if usual.text == varied.text || varied.fails() {
					t.Errorf("%s\n%s %s\n%s\nfaithful: %s\nvaried: %s", v.Says, v.Shows.Method, v.Shows.Target, v.Shows.Body, usual.text, varied.text)
				}
			})
		}
	}
}

// TestTables checks how many deviations and variations there are, and their names.
func TestTables(t *testing.T) {
	for _, s := range all() {
		var names []string
		sly := 0
		for _, d := range s.Deviations {
			names = append(names, d.Name)
			if d.Conditional {
				sly++
			}
		}
		for _, v := range s.Variations {
			names = append(names, v.Name)
		}
		slices.Sort(names)
		if unique := slices.Compact(slices.Clone(names)); len(unique) < len(names) {
			t.Errorf("%s: %d names are used twice", s.Name, len(names)-len(unique))
		}
		t.Logf("%s: %d deviations (%d sly), %d variations", s.Name, len(s.Deviations), sly, len(s.Variations))
		if len(s.Deviations) < 60 || len(s.Variations) < 25 || sly < 12 {
			t.Errorf("%s has too few", s.Name)
		}
	}
}

// reply is the response to a probe. Its status is 0 if there is no response.
type reply struct {
	request *http.Request
	status  int
	header  http.Header
	body    []byte
	text    string // the whole response
}

func (a reply) accepts() bool { return a.status/100 == 2 }

func (a reply) refuses() bool { return a.status/100 == 4 }

func (a reply) fails() bool {
	return a.status == 0 || a.status >= http.StatusInternalServerError && a.header.Get("Retry-After") == ""
}

// answer sends a probe to a new instance of a service.
func answer(t *testing.T, s services.Service, o services.Options, p services.Probe) reply {
	t.Helper()
	server := httptest.NewServer(s.New(o))
	t.Cleanup(server.Close)
	if p.Twice {
		send(t, server, p)
	}
	return send(t, server, p)
}

func send(t *testing.T, server *httptest.Server, p services.Probe) reply {
	t.Helper()
	var body io.Reader
	if p.Body != "" {
		body = strings.NewReader(p.Body)
	}
	if p.Chunked {
		body = io.MultiReader(body)
	}
	request, err := http.NewRequestWithContext(t.Context(), p.Method, server.URL+p.Target, body)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range p.Header {
		name, value, _ := strings.Cut(line, ": ")
		request.Header.Add(name, value)
	}
	response, err := server.Client().Do(request)
	if err != nil {
		return reply{text: err.Error()}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return reply{text: err.Error()}
	}
	response.Header.Del("Date")
	answered := reply{status: response.StatusCode, header: response.Header.Clone(), body: text, request: request}
	var b strings.Builder
	fmt.Fprintln(&b, response.Status, response.ContentLength, response.TransferEncoding, response.Close, response.Trailer)
	response.Header.Write(&b)
	b.WriteString(strings.ReplaceAll(string(text), server.URL, ""))
	answered.text = b.String()
	return answered
}
