package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/result"
)

// services are many different implementations, each on a separate port.
type services []*member

type member struct {
	name, url string
	options   reference.Options
	handler   atomic.Pointer[http.Handler]
	stuck     atomic.Pointer[chan struct{}] // if it is not nil, no request is answered
	answering sync.RWMutex
}

// newFleet starts size services: deviations of the reference, except for those that hang, and at
// the end variations, except for those that need another server. The answers of these variations do
// not depend on the order of requests: the last targets of a run get several requests at a time.
func newFleet(t *testing.T, size int) services {
	t.Helper()
	const last = 40
	var all, end []reference.Options
	for _, d := range reference.Deviations() {
		if !d.Hangs {
			all = append(all, reference.Options{Deviation: d})
		}
	}
	for _, v := range reference.Variations() {
		if len(v.TLS) == 0 && v.Prefix == "" {
			end = append(end, reference.Options{Variation: v})
		}
	}
	if len(all) < size-last || len(end) < last {
		t.Fatalf("the reference differs in %d and %d ways only", len(all), len(end))
	}
	all = append(all[:size-last], end[:last]...)
	var f services
	for i, options := range all {
		options.Tokens = []string{testToken}
		m := &member{name: fmt.Sprintf("t%03d", i), options: options}
		m.empty()
		server := httptest.NewServer(m)
		t.Cleanup(server.Close)
		m.url = server.URL
		f = append(f, m)
	}
	return f
}

func (m *member) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.answering.RLock()
	defer m.answering.RUnlock()
	if stuck := m.stuck.Load(); stuck != nil {
		<-*stuck
	}
	(*m.handler.Load()).ServeHTTP(w, r)
}

// empty removes all plants, so that the same ids can be sent again. It waits for requests of a
// process that was killed.
func (m *member) empty() {
	m.answering.Lock()
	defer m.answering.Unlock()
	handler := reference.New(m.options)
	m.handler.Store(&handler)
}

func (f services) empty() {
	for _, m := range f {
		m.empty()
	}
}

// list returns the fleet as a file of targets.
func (f services) list() string {
	text := "targets:\n"
	for _, m := range f {
		text += fmt.Sprintf("- {name: %s, base-url: %q}\n", m.name, m.url)
	}
	return text
}

// testFleet tests 200 targets, once in one process and once in eight. One of the eight is killed in
// the middle and restarted. The reports and the matrix differ only in times and ids.
func (p program) testFleet(t *testing.T) {
	if !long {
		t.Skip("takes half a minute; LONG_TESTS=1 asks for it")
	}
	const size, parts, killed = 200, 8, 3
	t.Chdir(t.TempDir())
	t.Setenv(target.TokenVariable, testToken)
	quickly(t)
	f := newFleet(t, size)
	write(t, "targets.yaml", f.list())
	write(t, "whole/x", "")
	write(t, "parts/x", "")
	// Every target but the last gets one request at a time, because some answers depend on the
	// order of requests.
	flags := []string{"run", "--targets", "targets.yaml", "--seed", "7",
		"--only", "createPlant/valid/plain", "--only", "createPlant/valid/tag", "--only", "createPlant/no-token", "--only", "createPlant/missing-required/name", "--only", "createPlant/open/same-id"}
	p.run(t, slices.Concat(flags, []string{"--concurrency", "8", "--quiet", "--report", "json=whole/{target}.json", "--matrix", "json=whole.matrix"})...).
		wants(t, exitNonconformant, "200 targets: ")
	f.empty()

	part := func(i int) []string {
		return slices.Concat(flags, []string{"--concurrency", "2", "--shard", fmt.Sprintf("%d/%d", i, parts), "--report", "json=parts/{target}.json"})
	}
	p.killInTheMiddle(t, f[killed-1:], part(killed))
	if n := len(reportsIn(t, "parts")); n == 0 || n >= size/parts {
		t.Fatalf("%d reports of %d were there when it was killed", n, size/parts)
	}
	f.empty() // otherwise the next run would send ids that are taken
	ended := make(chan outcome, parts)
	for i := range parts {
		c, out, stderr := p.command(t, part(i+1)...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		go func() {
			_ = c.Wait()
			ended <- outcome{c.ProcessState.ExitCode(), out.String(), stderr.String()}
		}()
	}
	for range parts {
		(<-ended).wants(t, exitNonconformant, "25 targets: ")
	}

	names := reportsIn(t, "parts")
	if whole := reportsIn(t, "whole"); len(names) != size || !slices.Equal(names, whole) {
		t.Fatalf("there are %d reports, and %d of the whole", len(names), len(whole))
	}
	for _, name := range names {
		if a, b := settledReport(t, filepath.Join("whole", name)), settledReport(t, filepath.Join("parts", name)); a != b {
			t.Errorf("%s is another:\n%s", name, firstDifference(a, b))
		}
	}
	compared := []string{"compare", "--quiet", "--report", "json=parts.matrix"}
	for _, name := range names {
		compared = append(compared, filepath.Join("parts", name))
	}
	p.run(t, compared...).wants(t, exitConformant, "200 implementations side by side")
	if a, b := settledMatrix(t, "whole.matrix"), settledMatrix(t, "parts.matrix"); a != b {
		t.Errorf("the matrix is another:\n%s", firstDifference(a, b))
	}
}

// killInTheMiddle starts one of eight shards, which has every eighth target. Its fourth target does
// not answer. It kills the process when the report of the first target is complete.
func (p program) killInTheMiddle(t *testing.T, f services, args []string) {
	t.Helper()
	stuck := make(chan struct{})
	m := f[3*8]
	m.stuck.Store(&stuck)
	defer func() {
		m.stuck.Store(nil)
		close(stuck)
	}()
	c, _, _ := p.command(t, args...)
	c.Stdout = nil
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "A ") {
			break
		}
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, out)
	if err := c.Wait(); err == nil || c.ProcessState.ExitCode() >= 0 {
		t.Fatalf("it ended by itself: %v", err)
	}
}

// reportsIn returns the reports in a folder, without incomplete ones of a killed process.
func reportsIn(t *testing.T, folder string) []string {
	t.Helper()
	return slices.DeleteFunc(filesIn(t, folder), func(name string) bool { return filepath.Ext(name) != ".json" })
}

// settledReport returns a report without times and ids.
func settledReport(t *testing.T, path string) string {
	t.Helper()
	r := readReport(t, readFile(t, path))
	r.Run.ID, r.Run.DurationMs, r.Run.Started = "", 0, time.Time{}
	for _, results := range [][]result.Result{r.Results, r.Controls} {
		for i := range results {
			x := &results[i].Exchange
			x.DurationMs, results[i].Replies = 0, nil
			x.Request.Headers = maps.Clone(x.Request.Headers)
			delete(x.Request.Headers, "User-Agent")
			if x.Response != nil {
				delete(x.Response.Headers, "Date")
			}
		}
	}
	return asJSON(t, r)
}

func settledMatrix(t *testing.T, path string) string {
	t.Helper()
	var c compare.Comparison
	if err := json.Unmarshal(readFile(t, path), &c); err != nil {
		t.Fatal(err)
	}
	for i := range c.Columns {
		c.Columns[i].Run, c.Columns[i].Started = "", time.Time{}
		c.Columns[i].File = filepath.Base(c.Columns[i].File)
	}
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// firstDifference returns the first lines that differ in two texts.
func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("line %d: %s\n    and: %s", i+1, as[i], bs[i])
		}
	}
	return fmt.Sprintf("%d lines and %d", len(as), len(bs))
}
