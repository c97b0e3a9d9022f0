package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/plantstore/conformance/suites/judge"
)

const (
	progressAfter = time.Second            // a run that is shorter shows none
	progressTick  = 200 * time.Millisecond // on a terminal
	progressLine  = 10 * time.Second       // elsewhere
)

// progress tells on standard error how far a long run is: in one line that
// changes on a terminal, in a line now and then elsewhere.
type progress struct {
	out      io.Writer
	terminal bool
	started  time.Time
	stop     chan struct{}
	stopped  sync.WaitGroup

	mu                  sync.Mutex
	done, total, failed int
}

func startProgress(out io.Writer, terminal bool) *progress {
	p := &progress{out: out, terminal: terminal, started: time.Now(), stop: make(chan struct{})}
	p.stopped.Go(p.show)
	return p
}

// count takes note of a result.
func (p *progress) count(r judge.Result, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = p.done+1, total
	if r.Status == judge.Failed {
		p.failed++
	}
}

// end returns when nothing more will be shown, and leaves no line behind on a
// terminal.
func (p *progress) end() {
	close(p.stop)
	p.stopped.Wait()
}

func (p *progress) show() {
	wait, tick, shown := progressAfter, progressTick, false
	if !p.terminal {
		wait, tick = progressLine, progressLine
	}
	for {
		select {
		case <-p.stop:
			if shown && p.terminal {
				fmt.Fprint(p.out, "\r\x1b[K")
			}
			return
		case <-time.After(wait):
		}
		wait, shown = tick, true
		if p.terminal {
			fmt.Fprintf(p.out, "\r\x1b[K%s", p.line())
		} else {
			fmt.Fprintln(p.out, p.line())
		}
	}
}

func (p *progress) line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	so := "waiting for the first answer"
	if p.total > 0 {
		so = fmt.Sprintf("%d of %d fixtures, %d failed", p.done, p.total, p.failed)
	}
	return fmt.Sprintf("%s (%.0f s)", so, time.Since(p.started).Seconds())
}
