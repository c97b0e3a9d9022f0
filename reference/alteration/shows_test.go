package alteration_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/reference/alteration"
)

// Each deviation with probes changes the answer to them.
func TestDeviationsShow(t *testing.T) {
	for _, d := range alteration.Deviations() {
		if len(d.Probes) == 0 {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			checkShows(t, reference.Options{Deviation: d}, d.Wire, d.Probes)
		})
	}
}

// Each variation changes an answer, but accepts a plain plant and rejects invalid requests.
func TestVariationsShow(t *testing.T) {
	for _, v := range alteration.Variations() {
		if len(v.Probes) > 0 {
			t.Run(v.Name, func(t *testing.T) {
				t.Parallel()
				checkShows(t, reference.Options{Variation: v}, v.Wire, v.Probes)
			})
		}
		if len(v.TLS) == 0 && v.Prefix == "" {
			t.Run(v.Name+"/keeps the contract", func(t *testing.T) {
				t.Parallel()
				checkKeeps(t, reference.Options{Variation: v}, v.Wire)
			})
		}
	}
}

func checkShows(t *testing.T, o reference.Options, wire bool, probes []alteration.Probe) {
	t.Helper()
	o.Tokens = []string{alteration.ProbeToken}
	transcribe := inProcess
	if wire {
		transcribe = onTheWire
	}
	strict, _ := transcribe(t, reference.New(reference.Options{Tokens: o.Tokens}), probes, false)
	if got, unasked := transcribe(t, reference.New(o), probes, true); got == strict && !unasked {
		t.Errorf("it answers as the reference does:\n%.2000s", got)
	}
}

// checkKeeps checks for 200 to a plain plant with and without a tag, and for 4xx to requests that
// the contract forbids.
func checkKeeps(t *testing.T, o reference.Options, wire bool) {
	t.Helper()
	const tagged, anonymous = `{"id":7001,"name":"Monstera","tag":"indoor"}`, "Authorization: "
	o.Tokens = []string{alteration.ProbeToken}
	transcribe := inProcess
	if wire {
		transcribe = onTheWire
	}
	handler := reference.New(o)
	for _, test := range []struct {
		probe alteration.Probe
		want  string
	}{
		{alteration.Probe{Body: `{"id":7002,"name":"Ficus"}`}, "200"},
		{alteration.Probe{Body: tagged}, "200"},
		{alteration.Probe{tagged, []string{anonymous}}, "4"},
		{alteration.Probe{Body: ""}, "4"},
		{alteration.Probe{Body: "[]"}, "4"},
		{alteration.Probe{Body: `{"id":7003}`}, "4"},
		{alteration.Probe{Body: `{"name":"Monstera"}`}, "4"},
		{alteration.Probe{Body: `{"id":7004,"name":"Monstera","tag":7}`}, "4"},
	} {
		got, _ := transcribe(t, handler, []alteration.Probe{test.probe}, false)
		if final := finalAnswer.FindString(got); !strings.HasPrefix(final, test.want) {
			t.Errorf("%s %s got %.200s, want %s", test.probe.Body, test.probe.Lines, got, test.want)
		}
	}
}

var finalAnswer = regexp.MustCompile(`(?m)^[2-5]\d\d `)

// inProcess sends the probes through the handler and returns a transcript of the answers.
func inProcess(t *testing.T, handler http.Handler, probes []alteration.Probe, _ bool) (transcript string, unasked bool) {
	t.Helper()
	var all strings.Builder
	for _, p := range probes {
		var body io.Reader = strings.NewReader(p.Body)
		if chunked(p) {
			body = io.MultiReader(body)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/plants"+query(p, alteration.ProbeToken), body)
		r.Header = header(p, alteration.ProbeToken)
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, r)
		fmt.Fprintln(&all, recorder.Code, recorder.Header(), recorder.Body)
	}
	return all.String(), false
}

// onTheWire sends the probes on one connection and returns a transcript of the answers. With look,
// it waits and reports whether something unrequested follows, including the end of the connection.
func onTheWire(t *testing.T, handler http.Handler, probes []alteration.Probe, look bool) (transcript string, unasked bool) {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	const patience = 5 * time.Second
	if err := connection.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(connection)
	var all strings.Builder
	for _, p := range probes {
		if _, err := io.WriteString(connection, onWire(p)); err != nil {
			fmt.Fprintln(&all, "the request was not taken")
			return all.String(), true
		}
		if !transcribeOne(&all, in) {
			return all.String(), true
		}
	}
	if !look {
		return all.String(), false
	}
	_ = connection.SetDeadline(time.Now().Add(300 * time.Millisecond))
	_, err = in.ReadByte()
	return all.String(), !errors.Is(err, os.ErrDeadlineExceeded)
}

// date matches what differs between any two answers.
var date = regexp.MustCompile(`Date:\[[^\]]*\]`)

// transcribeOne reads one answer and anything before it, and reports whether it was complete.
func transcribeOne(all *strings.Builder, in *bufio.Reader) bool {
	for {
		response, err := http.ReadResponse(in, nil)
		if err != nil {
			fmt.Fprintln(all, "no answer")
			return false
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		fmt.Fprintln(all, response.StatusCode, response.Status, response.Proto, response.TransferEncoding, date.ReplaceAllString(fmt.Sprint(response.Header), ""), response.Trailer, string(body))
		if err != nil {
			fmt.Fprintln(all, "cut off")
			return false
		}
		if response.StatusCode >= http.StatusOK {
			return true
		}
	}
}

// onWire returns the probe as it is sent.
func onWire(p alteration.Probe) string {
	var b strings.Builder
	fmt.Fprintf(&b, "POST %s%s HTTP/1.1\r\nHost: plants\r\n", "/plants", query(p, alteration.ProbeToken))
	_ = header(p, alteration.ProbeToken).Write(&b)
	if chunked(p) {
		fmt.Fprintf(&b, "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(p.Body), p.Body)
	} else {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(p.Body), p.Body)
	}
	return b.String()
}

// Deviations for concurrent requests show only if requests are concurrent.
func TestDeviationsShowAtOnce(t *testing.T) {
	for _, d := range alteration.Deviations() {
		if !strings.HasSuffix(d.Name, "-at-once") {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			server := httptest.NewServer(reference.New(reference.Options{Tokens: []string{alteration.ProbeToken}, Deviation: d}))
			defer server.Close()
			const patience = 200
			for range patience {
				if twoAtOnce(t, server.Listener.Addr().String(), d.Name == "plants-confused-at-once") {
					return
				}
			}
			t.Error("it never showed")
		})
	}
}

// twoAtOnce sends two concurrent requests, with different names or with one id. It reports whether
// one of them got neither its plant nor a 400.
func twoAtOnce(t *testing.T, address string, different bool) bool {
	t.Helper()
	var pair sync.WaitGroup
	wrong := make([]bool, 2)
	for i := range wrong {
		pair.Go(func() {
			connection, err := net.Dial("tcp", address)
			if err != nil {
				return
			}
			defer connection.Close()
			name, id := "fern", strconv.FormatInt(rand.Int64(), 10)
			if different {
				name = fmt.Sprint("fern ", i)
			} else {
				id = "7"
			}
			_, _ = io.WriteString(connection, onWire(alteration.Probe{Body: fmt.Sprintf(`{"id":%s,"name":%q}`, id, name)}))
			var all strings.Builder
			transcribeOne(&all, bufio.NewReader(connection))
			wrong[i] = !strings.Contains(all.String(), `"name":"`+name+`"`) && !strings.HasPrefix(all.String(), "400")
		})
	}
	pair.Wait()
	return wrong[0] || wrong[1]
}

// header returns the header fields of the probe.
func header(p alteration.Probe, token string) http.Header {
	h := http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "User-Agent": {"probe"}}
	for _, line := range p.Lines {
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

// chunked reports whether the body is sent without a Content-Length.
func chunked(p alteration.Probe) bool { return slices.Contains(p.Lines, "Transfer-Encoding: chunked") }

// query returns the query with its question mark, or "".
func query(p alteration.Probe, token string) string {
	for _, line := range p.Lines {
		if strings.HasPrefix(line, "?") {
			return strings.ReplaceAll(line, "$token", url.QueryEscape(token))
		}
	}
	return ""
}
