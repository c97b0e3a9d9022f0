package main

import (
	"errors"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// hang makes a target that answers no request during the test. The channel is closed when the first
// request arrives.
func hang(t *testing.T) (asked chan struct{}) {
	t.Helper()
	asked = make(chan struct{})
	var once sync.Once
	release := make(chan struct{})
	serve(t, func(http.ResponseWriter, *http.Request) {
		once.Do(func() { close(asked) })
		<-release
	})
	t.Cleanup(func() { close(release) }) // before the server is closed
	return asked
}

// A response that exceeds the time limit is a violation.
func TestTimeout(t *testing.T) {
	hang(t)
	conformance(t, "run", "--only", "createPlant/valid/plain", "--timeout", "100ms").
		wants(t, exitNonconformant, "breaks createPlant/answers", "within 100ms")
}

// A run that exceeds the deadline ends with the results that it has.
func TestDeadline(t *testing.T) {
	quickly(t)
	t.Chdir(t.TempDir())
	hang(t)
	result := conformance(t, "run", "--deadline", "200ms", "--report", "json=report.json", "--report", "junit=report.xml")
	result.wants(t, exitInconclusive, "inconclusive: ", "deadline")
	if r := readReport(t, readFile(t, "report.json")); r.Run.Complete || r.Verdict != "inconclusive" || r.Counts.Unjudged != r.Counts.Fixtures {
		t.Errorf("complete %v, %s, %+v", r.Run.Complete, r.Verdict, r.Counts)
	}
	checkJUnit(t, readFile(t, "report.xml"), 0)
}

// lateListener closes the first early connections, like a service that is not ready.
type lateListener struct {
	net.Listener
	early int
}

func (l *lateListener) Accept() (net.Conn, error) {
	for ; l.early > 0; l.early-- {
		connection, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		_ = connection.Close()
	}
	return l.Listener.Accept()
}

func TestWaitForAServiceThatComesUpLate(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: plantStore()}
	ended := make(chan error)
	go func() { ended <- server.Serve(&lateListener{listener, 2}) }()
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	aim(t, "http://"+listener.Addr().String())
	conformance(t, "run", "--wait", "1m", "--only", "createPlant/valid").wants(t, exitConformant)
}

// If a service does not become ready, one sentence reports it, and nothing is sent.
func TestWaitEnds(t *testing.T) {
	quickly(t)
	t.Chdir(t.TempDir())
	aim(t, "http://"+closedPort)
	result := conformance(t, "run", "--wait", "100ms", "--report", "json=report.json")
	const sentence = "the target did not answer within 100ms: nothing listens on " + closedPort + "; "
	result.wants(t, exitInconclusive, "\ninconclusive: "+sentence)
	if told := "waiting for the target: nothing listens on " + closedPort; strings.Count(result.err, told) != 1 {
		t.Errorf("%q is not told once on standard error: %s", told, result.err)
	}
	r := readReport(t, readFile(t, "report.json"))
	if r.Counts.Unjudged != r.Counts.Fixtures || !r.Run.Complete {
		t.Errorf("complete %v, %+v", r.Run.Complete, r.Counts)
	}
	for _, result := range r.Results {
		if !strings.HasPrefix(result.Reason, sentence) {
			t.Errorf("%s is unjudged because %s", result.Fixture, result.Reason)
		}
	}
}

func TestWaitIsQuiet(t *testing.T) {
	quickly(t)
	aim(t, "http://"+closedPort)
	result := conformance(t, "run", "--quiet", "--wait", "100ms")
	result.wants(t, exitInconclusive)
	if result.err != "" || strings.Count(result.out, "\n") != 1 {
		t.Errorf("it says %q, and on standard error %q", result.out, result.err)
	}
}

// A service behind a gateway is tested as it is when --wait ends. The wait does not count for the
// deadline.
func TestWaitBehindAGateway(t *testing.T) {
	begun := time.Now()
	store := plantStore()
	serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		store(w, r)
	})
	conformance(t, "run", "--wait", "1100ms", "--deadline", "1s", "--only", "createPlant/valid/plain").wants(t, exitConformant, "answers with 502")
	if took := time.Since(begun); took < 1100*time.Millisecond {
		t.Errorf("it waited for %s", took)
	}
}

// Requests do not exceed the rate.
func TestRate(t *testing.T) {
	store := plantStore()
	var requests atomic.Int64
	serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		store(w, r)
	})
	begun := time.Now()
	conformance(t, "run", "--rate", "50", "--only", "createPlant/valid").wants(t, exitConformant)
	const interval = time.Second / 50
	// Requests that go together at the start and the end save up to two intervals. A slow machine
	// only takes longer.
	least := time.Duration(requests.Load()-3) * interval
	if took := time.Since(begun); took < least {
		t.Errorf("%d requests took %s, at least %s are due", requests.Load(), took, least)
	}
}

// counted calls count with 1 when a request arrives, and with -1 before the answer is sent: after
// the answer, the client may send the next request.
func counted(handler http.HandlerFunc, count func(change int)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		count(1)
		answer := httptest.NewRecorder()
		handler(answer, r)
		count(-1)
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	}
}

// The number of concurrent requests does not exceed the limit.
func TestConcurrency(t *testing.T) {
	quicklyUnlessLong(t)
	var mu sync.Mutex
	underWay, most := 0, 0
	serve(t, counted(plantStore(), func(change int) {
		mu.Lock()
		defer mu.Unlock()
		underWay += change
		most = max(most, underWay)
	}))
	conformance(t, "run", "--concurrency", "1").wants(t, exitConformant)
	if most != 1 {
		t.Errorf("%d requests at a time, want 1", most)
	}
}

// A body that is too long is not read to its end, and is unjudged.
func TestMaxBody(t *testing.T) {
	serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"name": "` + strings.Repeat("x", 2048) + `"}`))
	})
	conformance(t, "run", "--only", "createPlant/valid/plain", "--max-body", "1KiB").
		wants(t, exitInconclusive, "longer than 1024 bytes; --max-body raises this limit")
	conformance(t, "run", "--only", "createPlant/valid/plain", "--max-body", "3kB").
		wants(t, exitConformant)
}

// JSON that exceeds a limit of the harness is unjudged.
func TestLimitsOfJSON(t *testing.T) {
	for _, row := range []struct{ flag, body string }{
		{"--max-depth", strings.Repeat("[", 3) + strings.Repeat("]", 3)},
		{"--max-number", "1000"},
	} {
		t.Run(row.flag, func(t *testing.T) {
			serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(`{"name": "x", "y": ` + row.body + `}`))
			})
			conformance(t, "run", "--only", "createPlant/valid/plain", row.flag, "3").
				wants(t, exitInconclusive, "raise "+row.flag)
			conformance(t, "run", "--only", "createPlant/valid/plain", row.flag, "4").
				wants(t, exitConformant)
		})
	}
}

// A header that is too long is unjudged, too.
func TestMaxHeader(t *testing.T) {
	store := plantStore()
	serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Trace", strings.Repeat("x", 70_000))
		store(w, r)
	})
	conformance(t, "run", "--only", "createPlant/valid/plain").
		wants(t, exitInconclusive, "longer than 65536 bytes; --max-header raises this limit")
	conformance(t, "run", "--only", "createPlant/valid/plain", "--max-header", "80KiB").
		wants(t, exitConformant)
}

// Retries count. The report says which requests could not be sent.
func TestMaxRequests(t *testing.T) {
	store := plantStore()
	var sent atomic.Int64
	serve(t, func(w http.ResponseWriter, r *http.Request) {
		if sent.Add(1) == 1 {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		store(w, r)
	})
	result := conformance(t, "run", "--only", "createPlant/valid/plain", "--only", "createPlant/open/same-id", "--tries", "1", "--max-requests", "3")
	result.wants(t, exitInconclusive, "1 of 2 fixtures could not be judged: --max-requests is 3, and this limit is reached")
	if got := sent.Load(); got != 3 {
		t.Errorf("%d requests were sent", got)
	}
}
