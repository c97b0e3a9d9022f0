package fault

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// remembering edits the answers that a condition holds for. What the edit remembers
// belongs to one service.
func remembering(holds Condition, edit func(known *sync.Map, r *Request, a Answer) Answer) Change {
	return func(next Decision, _ []string) Decision {
		var known sync.Map
		return func(r *Request) Answer {
			a := next(r)
			if holds(r, a) {
				a = edit(&known, r, a)
			}
			return a
		}
	}
}

// text returns a remembered text, or "".
func text(value any, _ bool) string {
	s, _ := value.(string)
	return s
}

// ForAll returns the same key for all requests.
func ForAll(*Request) string { return "" }

// ByConnection returns the same key for the requests on one connection.
func ByConnection(r *Request) string { return r.RemoteAddr }

// ByBytes returns the same key for requests with the same body.
func ByBytes(r *Request) string { return r.Text() }

// Repeated edits the answers that a condition holds for, except the first one of
// each key.
func Repeated(key func(r *Request) string, holds Condition, edits ...Edit) Change {
	return AfterSuch(holds, key, When(holds, edits...))
}

// AfterSuch makes a change for requests that follow an answer with the same key for which the
// condition held.
func AfterSuch(such Condition, key func(r *Request) string, c Change) Change {
	return func(next Decision, tokens []string) Decision {
		var seen sync.Map
		changed := c(next, tokens)
		return func(r *Request) Answer {
			k := key(r)
			decide := next
			if _, found := seen.Load(k); found {
				decide = changed
			}
			a := decide(r)
			if such(r, a) {
				seen.Store(k, true)
			}
			return a
		}
	}
}

// WhenPrevious edits an acceptance if the condition held for the previous answer on the connection.
func WhenPrevious(such Condition, edits ...Edit) Change {
	return remembering(Anything, func(last *sync.Map, r *Request, a Answer) Answer {
		previous, _ := last.Swap(ByConnection(r), such(r, a))
		if previous == true && Accepted(r, a) {
			return edited(edits, r, a)
		}
		return a
	})
}

// OnConnection edits the nth answer on each connection, and then restarts the count.
func OnConnection(n int64, edits ...Edit) Change {
	return remembering(Anything, func(counts *sync.Map, r *Request, a Answer) Answer {
		value, _ := counts.LoadOrStore(ByConnection(r), new(atomic.Int64))
		if count, ok := value.(*atomic.Int64); ok && count.Add(1) == n {
			counts.Delete(ByConnection(r))
			return edited(edits, r, a)
		}
		return a
	})
}

// Remembered replaces a rejection by the first acceptance with the same key, if the condition
// holds.
func Remembered(key func(r *Request) string, holds Condition) Change {
	return remembering(Anything, func(kept *sync.Map, r *Request, a Answer) Answer {
		if Accepted(r, a) {
			kept.LoadOrStore(key(r), string(a.Body))
		} else if body := text(kept.Load(key(r))); body != "" && holds(r, a) {
			return JSON(http.StatusOK, struct{}{}).WithBody(body)
		}
		return a
	})
}

// Cached gives every acceptance the body of the first one with the same key. It ignores empty keys.
func Cached(key func(r *Request) string) Change {
	return remembering(Accepted, func(kept *sync.Map, r *Request, a Answer) Answer {
		if k := key(r); k != "" {
			return a.WithBody(text(kept.LoadOrStore(k, string(a.Body))))
		}
		return a
	})
}

// PreviousShown gives each acceptance the body of the previous one. The first keeps its body.
func PreviousShown(next Decision, tokens []string) Decision {
	return remembering(Accepted, func(last *sync.Map, _ *Request, a Answer) Answer {
		if shown := text(last.Swap("", string(a.Body))); shown != "" {
			return a.WithBody(shown)
		}
		return a
	})(next, tokens)
}

// StaleRejection answers the first acceptance after a rejection on the same
// connection with that rejection.
func StaleRejection(next Decision, tokens []string) Decision {
	return remembering(Anything, func(last *sync.Map, r *Request, a Answer) Answer {
		if Refused(r, a) {
			last.Store(ByConnection(r), a)
			return a
		}
		value, _ := last.LoadAndDelete(ByConnection(r))
		if stale, ok := value.(Answer); ok {
			return stale
		}
		return a
	})(next, tokens)
}

// LeftOver adds a missing property from the previous request with the same key. It ignores requests
// for which the condition does not hold.
func LeftOver(name string, such Condition, key func(r *Request) string) Change {
	return remembering(such, func(last *sync.Map, r *Request, a Answer) Answer {
		own := r.Property(name)
		if left := text(last.Swap(key(r), own)); own == "" && left != "" {
			return Body(Add(name, AsString(left)))(r, a)
		}
		return a
	})
}

// ShownFromRejected shows a property of the last rejected request with the same key.
func ShownFromRejected(name string, key func(r *Request) string) Change {
	return remembering(Anything, func(last *sync.Map, r *Request, a Answer) Answer {
		own := r.Property(name)
		switch {
		case Refused(r, a) && own != "":
			last.Store(key(r), own)
		case !Refused(r, a):
			if left := text(last.LoadAndDelete(key(r))); left != "" {
				return Body(Set(name, AsString(left)))(r, a)
			}
		}
		return a
	})
}

// overlap is how long a request is in progress: long enough for another one to arrive.
const overlap = 3 * time.Millisecond

// AtOnce edits the answers to requests that arrive while another one with the same key is in
// progress. It ignores empty keys.
func AtOnce(key func(r *Request) string, edits ...Edit) Change {
	return func(next Decision, _ []string) Decision {
		var working sync.Map
		return func(r *Request) Answer {
			id := key(r)
			_, busy := working.LoadOrStore(id, true)
			if !busy {
				defer working.Delete(id)
				pause(r, overlap)
			}
			a := next(r)
			if busy && id != "" {
				a = edited(edits, r, a)
			}
			return a
		}
	}
}

// Shared keeps the accepted body in one variable for all requests: an answer shows
// what the variable holds a moment later.
func Shared(next Decision, tokens []string) Decision {
	return remembering(Accepted, func(current *sync.Map, r *Request, a Answer) Answer {
		current.Store("", string(a.Body))
		pause(r, overlap)
		return a.WithBody(text(current.Load("")))
	})(next, tokens)
}

// pause waits, unless the client disconnects.
func pause(r *Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}
