package replay_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plantstore/conformance/suites/replay"
)

const spent = ", and this limit is reached"

func maxRequests(n int) func(*replay.Limits) {
	return func(l *replay.Limits) { l.MaxRequests, l.Concurrency = n, 1 }
}

func TestMaxRequests(t *testing.T) {
	for _, row := range []struct {
		name      string
		throttled int32 // number of requests that get 429
		most      int
		times     int // how often the first of three messages is sent
		requests  int32
		status    []int // of the recorded responses; 0 means no response
		failures  []replay.FailureKind
	}{
		{"as many as there are", 0, 3, 1, 3, []int{200, 200, 200}, []replay.FailureKind{"", "", ""}},
		{"no limit", 1, 0, 1, 4, []int{200, 200, 200}, []replay.FailureKind{"", "", ""}},
		{"one is sent again", 1, 3, 1, 3, []int{200, 200, 0}, []replay.FailureKind{"", "", replay.OverBudget}},
		{"none is left to send one again", 1, 1, 1, 1, []int{429, 0, 0}, []replay.FailureKind{replay.OverBudget, replay.OverBudget, replay.OverBudget}},
		{"each time counts", 0, 2, 3, 2, []int{0, 0, 0}, []replay.FailureKind{replay.OverBudget, replay.OverBudget, replay.OverBudget}},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				handler, requests := throttling(row.throttled, http.StatusTooManyRequests, func() string { return "" })
				messages := posts(3)
				messages[0].Times = row.times
				for i, x := range all(t.Context(), called(t, handler, maxRequests(row.most)), messages) {
					why := ""
					if row.failures[i] != "" {
						why = spent
					}
					checkFailure(t, x, row.failures[i], why)
					status := 0
					if x.Response != nil {
						status = x.Response.Status
					}
					if status != row.status[i] {
						t.Errorf("%d: recorded %d, want %d", i, status, row.status[i])
					}
				}
				if got := requests.Load(); got != row.requests {
					t.Errorf("%d requests were sent, want %d", got, row.requests)
				}
			})
		})
	}
}

func TestNoPauseForWhatCannotBeSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler, _ := throttling(1, http.StatusTooManyRequests, func() string { return "30" })
		begun := time.Now()
		checkFailure(t, all(t.Context(), called(t, handler, maxRequests(1)), posts(1))[0], replay.OverBudget, "--max-requests is 1"+spent)
		if took := time.Since(begun); took > 0 {
			t.Errorf("took %s", took)
		}
	})
}

func TestAWaitTakesNothingFromTheRequests(t *testing.T) {
	c := called(t, func(http.ResponseWriter, *http.Request) {}, maxRequests(1))
	if err := c.WaitReady(t.Context(), patience, nil); err != nil {
		t.Fatal(err)
	}
	checkFailure(t, all(t.Context(), c, posts(1))[0], "", "")
}
