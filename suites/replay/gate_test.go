package replay

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		passed := func() time.Duration { return time.Since(begun) }
		g := &gate{budget: 10 * time.Second}
		if g.wait(t.Context()); passed() != 0 {
			t.Errorf("an open gate held for %s", passed())
		}
		for _, row := range []struct {
			pause time.Duration
			fits  bool
			until time.Duration // when the gate opens
		}{
			{3 * time.Second, true, 3 * time.Second},
			{2 * time.Second, true, 3 * time.Second}, // within the current pause: costs nothing
			{5 * time.Second, true, 5 * time.Second}, // costs two more
			{11 * time.Second, false, 5 * time.Second},
		} {
			if fits := g.pause(row.pause); fits != row.fits {
				t.Errorf("a pause of %s fits: %t", row.pause, fits)
			}
			if got := g.until.Sub(begun); got != row.until {
				t.Errorf("after a pause of %s the gate opens at %s, want %s", row.pause, got, row.until)
			}
		}
		if g.budget != 5*time.Second {
			t.Errorf("%s are left, want 5s", g.budget)
		}
		time.AfterFunc(2*time.Second, func() { g.pause(7 * time.Second) }) // a longer pause, during the wait
		if g.wait(t.Context()); passed() != 9*time.Second {
			t.Errorf("passed after %s, want 9s", passed())
		}
		g.pause(time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := g.wait(ctx); err == nil || passed() != 9*time.Second+time.Millisecond {
			t.Errorf("%v after %s", err, passed())
		}
	})
}
