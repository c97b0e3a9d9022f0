package main

import (
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// hang makes a target that answers nothing as long as the test lasts. It gives
// a channel that is closed when the first request has arrived.
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

// One answer that takes too long is a violation.
func TestTimeout(t *testing.T) {
	hang(t)
	conformance(t, "run", "--only", "createPlant/valid/plain", "--timeout", "100ms").
		wants(t, exitNonconformant, "breaks createPlant/answers", "within 100ms")
}

// A run that takes too long ends with what it has.
func TestDeadline(t *testing.T) {
	t.Chdir(t.TempDir())
	hang(t)
	result := conformance(t, "run", "--deadline", "200ms", "--report", "json=report.json", "--report", "junit=report.xml")
	result.wants(t, exitInconclusive, "inconclusive: ", "deadline")
	if r := readReport(t, readFile(t, "report.json")); r.Run.Complete || r.Verdict != "inconclusive" || r.Counts.Unjudged != r.Counts.Fixtures {
		t.Errorf("complete %v, %s, %+v", r.Run.Complete, r.Verdict, r.Counts)
	}
	checkJUnit(t, readFile(t, "report.xml"), 0)
}

// lateListener breaks the first connections off, as many as early says: the
// service is not up yet.
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

func TestWaitEnds(t *testing.T) {
	aim(t, "http://"+closedPort)
	conformance(t, "run", "--wait", "100ms", "--only", "createPlant/valid/plain").wants(t, exitInconclusive, "nothing listens on")
}

// Requests are not begun faster than they may be.
func TestRate(t *testing.T) {
	store := plantStore()
	var mu sync.Mutex
	var begun []time.Time
	serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		begun = append(begun, time.Now())
		mu.Unlock()
		store(w, r)
	})
	conformance(t, "run", "--rate", "50", "--only", "createPlant/valid").wants(t, exitConformant)
	const interval = time.Second / 50
	least := time.Duration(len(begun)-2) * interval // one interval is left to the machine
	if took := begun[len(begun)-1].Sub(begun[0]); took < least {
		t.Errorf("%d requests took %s, at least %s are due", len(begun), took, least)
	}
}

// No more requests are under way than there may be.
func TestConcurrency(t *testing.T) {
	store := plantStore()
	var mu sync.Mutex
	underWay, most := 0, 0
	serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		underWay++
		most = max(most, underWay)
		mu.Unlock()
		store(w, r)
		mu.Lock()
		underWay--
		mu.Unlock()
	})
	conformance(t, "run", "--concurrency", "1").wants(t, exitConformant)
	if most != 1 {
		t.Errorf("%d requests at a time, want 1", most)
	}
}

// A body that is too long is not read to its end.
func TestMaxBody(t *testing.T) {
	serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"name": "` + strings.Repeat("x", 2048) + `"}`))
	})
	conformance(t, "run", "--only", "createPlant/valid/plain", "--max-body", "1KiB").
		wants(t, exitNonconformant, "longer than 1024 bytes")
	conformance(t, "run", "--only", "createPlant/valid/plain", "--max-body", "3kB").
		wants(t, exitConformant)
}
