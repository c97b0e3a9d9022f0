package fault

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Repeated edits the answers that a condition holds for, but those to the first
// request of its key.
func Repeated(key func(r *Request) string, holds Condition, edits ...Edit) Change {
	return func(next Decision, tokens []string) Decision {
		var seen sync.Map
		again := func(r *Request, a Answer) bool {
			if !holds(r, a) {
				return false
			}
			_, found := seen.LoadOrStore(key(r), true)
			return found
		}
		return When(again, edits...)(next, tokens)
	}
}

// AfterSuch makes a change from the moment on that an answer was such: for the
// requests of the same key.
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

// forAll, byConnection and byBytes are keys of requests that are told apart.
func ForAll(*Request) string { return "" }

func ByConnection(r *Request) string { return r.RemoteAddr }

func ByBytes(r *Request) string { return r.Text() }

// Remembered shows the first acceptance of each key to whom a condition holds for.
func Remembered(key func(r *Request) string, holds Condition) Change {
	return func(next Decision, _ []string) Decision {
		var kept Keyed[string]
		return func(r *Request) Answer {
			a := next(r)
			if Accepted(r, a) {
				kept.first(key(r), string(a.Body))
			} else if body, found := kept.Load(key(r)); found && holds(r, a) {
				return JSON(http.StatusOK, struct{}{}).WithBody(body)
			}
			return a
		}
	}
}

// Cached shows every accepted plant as the first one of the same key.
func Cached(key func(r *Request) string) Change {
	return func(next Decision, _ []string) Decision {
		var kept Keyed[string]
		return func(r *Request) Answer {
			a := next(r)
			if k := key(r); Accepted(r, a) && k != "" {
				return a.WithBody(kept.first(k, string(a.Body)))
			}
			return a
		}
	}
}

// WhenPrevious edits an acceptance whose predecessor on the connection was such.
func WhenPrevious(such Condition, edits ...Edit) Change {
	return func(next Decision, _ []string) Decision {
		var last sync.Map
		return func(r *Request) Answer {
			a := next(r)
			previous, _ := last.Swap(ByConnection(r), such(r, a))
			if previous == true && Accepted(r, a) {
				a = edited(edits, r, a)
			}
			return a
		}
	}
}

// StaleRejection gives an acceptance the rejection before it on the connection.
func StaleRejection(next Decision, _ []string) Decision {
	var last Keyed[Answer]
	return func(r *Request) Answer {
		a := next(r)
		k := ByConnection(r)
		if Refused(r, a) {
			last.Store(k, a)
		} else if stale, found := last.take(k); found {
			return stale
		}
		return a
	}
}

// LeftOver fills in the property of the last such request of the same key.
func LeftOver(name string, such Condition, key func(r *Request) string) Change {
	return func(next Decision, _ []string) Decision {
		var last Keyed[string]
		return func(r *Request) Answer {
			a := next(r)
			if !such(r, a) {
				return a
			}
			own := r.Property(name)
			left, found := last.swap(key(r), own)
			if own == "" && found && left != "" {
				return Body(Property(name, Absent, Constant(AsString(left))))(r, a)
			}
			return a
		}
	}
}

// ShownFromRejected shows a property of the rejected request before.
func ShownFromRejected(name string, key func(r *Request) string) Change {
	return func(next Decision, _ []string) Decision {
		var last Keyed[string]
		return func(r *Request) Answer {
			a := next(r)
			k := key(r)
			if Refused(r, a) {
				if text := r.Property(name); text != "" {
					last.Store(k, text)
				}
				return a
			}
			if left, found := last.take(k); found {
				return Body(Property(name, Present, Constant(AsString(left))))(r, a)
			}
			return a
		}
	}
}

// overlap is how long a request is at work where that matters: long enough for
// another one to come in.
const overlap = 3 * time.Millisecond

// AtOnce edits the answers to requests that come while another one with the
// same id is at work.
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

// Shared keeps the plant at work in one variable for all requests: an answer
// shows what is in it by then.
func Shared(next Decision, _ []string) Decision {
	var mu sync.Mutex
	var current string
	return func(r *Request) Answer {
		a := next(r)
		if !Accepted(r, a) {
			return a
		}
		mu.Lock()
		current = string(a.Body)
		mu.Unlock()
		pause(r, overlap)
		mu.Lock()
		defer mu.Unlock()
		return a.WithBody(current)
	}
}

// pause waits, unless the client goes.
func pause(r *Request, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
}

// Keyed keeps a value for each key. It may be used by many requests at once.
type Keyed[V any] struct {
	mu     sync.Mutex
	values map[string]V
}

func (k *Keyed[V]) Load(key string) (value V, found bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	value, found = k.values[key]
	return value, found
}

// swap keeps the value and returns the one that was there.
func (k *Keyed[V]) swap(key string, value V) (before V, found bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.values == nil {
		k.values = map[string]V{}
	}
	before, found = k.values[key]
	k.values[key] = value
	return before, found
}

func (k *Keyed[V]) Store(key string, value V) { k.swap(key, value) }

// take returns the value and forgets it.
func (k *Keyed[V]) take(key string) (value V, found bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	value, found = k.values[key]
	delete(k.values, key)
	return value, found
}

// first keeps the value unless there is one, and returns the one that is kept.
func (k *Keyed[V]) first(key string, value V) V {
	k.mu.Lock()
	defer k.mu.Unlock()
	if kept, found := k.values[key]; found {
		return kept
	}
	if k.values == nil {
		k.values = map[string]V{}
	}
	k.values[key] = value
	return value
}

// PreviousShown answers with the plant of the acceptance before, and the first
// with its own.
func PreviousShown(next Decision, _ []string) Decision {
	var mu sync.Mutex
	var last string
	return func(r *Request) Answer {
		a := next(r)
		if !Accepted(r, a) {
			return a
		}
		mu.Lock()
		defer mu.Unlock()
		shown := last
		if last = string(a.Body); shown == "" {
			return a
		}
		return a.WithBody(shown)
	}
}

// OnConnection edits the nth answer on each connection.
func OnConnection(n int64, edits ...Edit) Change {
	return func(next Decision, _ []string) Decision {
		var counts Keyed[*atomic.Int64]
		return func(r *Request) Answer {
			a := next(r)
			if counts.first(ByConnection(r), new(atomic.Int64)).Add(1) == n {
				counts.take(ByConnection(r))
				a = edited(edits, r, a)
			}
			return a
		}
	}
}
