package output

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/result"
)

const (
	progressAfter = time.Second            // a shorter run shows no progress
	progressTick  = 200 * time.Millisecond // on a terminal
	progressLine  = 10 * time.Second       // elsewhere
	rateLasts     = 2 * time.Second        // without a response; after that, no rate is shown
)

// Progress shows on standard error how far a long run is. On a terminal it updates one line,
// elsewhere it prints a line from time to time.
type Progress struct {
	out      io.Writer
	terminal bool
	width    int
	started  time.Time
	requests int // expected by the service, over all runs; 0 if unknown
	stop     chan struct{}
	stopped  sync.WaitGroup

	mu                  sync.Mutex
	runs                int      // 0 for a single run, which is not counted
	left                []string // the targets whose runs have not ended
	done, total, failed int
	answered            int       // responses; those to controls and steps come before the first result
	explored            int       // requests
	latest              time.Time // when the last response came
	absent              []absence // targets that are not ready; the longest wait first
	shown               bool      // on a terminal, the line is visible
}

type absence struct {
	target, reason string
	since          time.Time
}

// StartProgress starts to show progress. requests is how many the service should get, or 0.
func StartProgress(out io.Writer, terminal bool, requests int) *Progress {
	p := &Progress{out: out, terminal: terminal, width: cli.Width(out), started: time.Now(), requests: requests, stop: make(chan struct{})}
	p.stopped.Go(p.show)
	return p
}

// Observe records an event of the run.
func (p *Progress) Observe(e result.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case e.Begun != nil:
		p.total = e.Begun.Run.Fixtures * max(p.runs, 1)
	case e.Result != nil:
		p.done++
		if e.Result.Status == judge.Failed {
			p.failed++
		}
	}
}

// Answer records a response.
func (p *Progress) Answer() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answered, p.latest = p.answered+1, time.Now()
}

// Explore records how many requests exploration has sent.
func (p *Progress) Explore(requests int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.explored = requests
}

// Wait records why a target is not ready. An empty reason ends the wait.
func (p *Progress) Wait(target, reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	reason = report.Visible(reason)
	known := slices.IndexFunc(p.absent, func(a absence) bool { return a.target == target })
	switch {
	case reason == "":
		p.absent = slices.DeleteFunc(p.absent, func(a absence) bool { return a.target == target })
		if p.answered == 0 {
			p.started = time.Now()
		}
		return
	case known < 0:
		p.absent = append(p.absent, absence{target, reason, time.Now()})
	default:
		p.absent[known].reason = reason
	}
	if !p.terminal {
		fmt.Fprintf(p.out, "waiting for %s: %s\n", target, reason)
	}
}

// Expect sets the targets of the runs that follow, which all send the same fixtures.
func (p *Progress) Expect(targets []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.runs, p.left = len(targets), slices.Clone(targets)
}

// Ended records the end of the run against a target.
func (p *Progress) Ended(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = slices.DeleteFunc(p.left, func(name string) bool { return name == target })
}

// Aside removes the progress line and calls write, which may print to the same screen.
func (p *Progress) Aside(write func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
	p.shown = false
	write()
}

// print must be called with mu locked, and so must line and state.
func (p *Progress) print() {
	switch {
	case p.terminal:
		fmt.Fprint(p.out, "\r\x1b[K", cli.Shorten(p.line(), p.width-1)) // a wrapped line could not be erased
		p.shown = true
	case len(p.absent) == 0 || p.done > 0: // otherwise Wait has printed the reason
		fmt.Fprintln(p.out, p.line())
	}
}

// End stops the progress. It returns when the line is removed and nothing more will be shown.
func (p *Progress) End() {
	close(p.stop)
	p.stopped.Wait()
}

func (p *Progress) show() {
	wait, tick := progressAfter, progressTick
	if !p.terminal {
		wait, tick = progressLine, progressLine
	}
	for {
		select {
		case <-p.stop:
			p.Aside(func() {})
			return
		case <-time.After(wait):
		}
		wait = tick
		p.mu.Lock()
		p.print()
		p.mu.Unlock()
	}
}

// line returns the progress as one line. It names the last one or two targets: the run may wait for
// only one of them, and the rate over all targets says nothing about it.
func (p *Progress) line() string {
	if p.runs == 0 {
		return p.state(true)
	}
	count := fmt.Sprintf("%d of %d targets, ", p.runs-len(p.left), p.runs)
	if n := len(p.left); n == 0 || n > 2 || n == p.runs || len(p.absent) > 0 {
		return count + p.state(true)
	}
	count, state := count+"left: ", "; "+p.state(false)
	const least = 8 // even if the numbers are long
	return count + cli.Shorten(strings.Join(p.left, ", "), max(least, p.width-1-len(count+state))) + state
}

func (p *Progress) state(rated bool) string {
	passed := time.Since(p.started).Seconds()
	switch {
	case len(p.absent) > 0: // a rate cannot tell how long a wait takes
		longest, more := p.absent[0], ""
		if others := len(p.absent) - 1; others > 0 {
			more = fmt.Sprintf(" and %d more", others)
		}
		return fmt.Sprintf("waiting for %s%s (%.0f s): %s", longest.target, more, time.Since(longest.since).Seconds(), longest.reason)
	case p.done == 0 && p.answered == 0:
		return fmt.Sprintf("waiting for the first response (%.0f s)", passed)
	}
	text := fmt.Sprintf("%d of %d fixtures, %d failed", p.done, p.total, p.failed)
	if p.explored > 0 {
		return fmt.Sprintf("%s, exploring: %s sent", text, judge.Number(p.explored, "request"))
	}
	if !rated {
		return text
	}
	text += "; " + judge.Number(p.answered, "response")
	if time.Since(p.latest) < rateLasts {
		text += fmt.Sprintf(", %.1f/s", float64(p.answered)/passed)
		if left := p.remaining(passed); left >= 0 {
			text += fmt.Sprintf(", about %.0f s left", left)
		}
	}
	return text
}

// remaining estimates the remaining seconds, or returns -1 if it cannot. It takes the lower of two
// estimates: results come late, and a service that rejects much gets fewer requests.
func (p *Progress) remaining(passed float64) float64 {
	left := -1.0
	if p.requests > p.answered {
		left = passed * float64(p.requests-p.answered) / float64(p.answered)
	}
	if p.done > 0 {
		if byResults := passed * float64(p.total-p.done) / float64(p.done); left < 0 || byResults < left {
			left = byResults
		}
	}
	return left
}
