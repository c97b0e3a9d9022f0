package reference

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// afterSuch makes a change from the moment on that an answer was such: for the
// requests of the same key.
func afterSuch(such condition, key func(r *request) string, c change) change {
	return func(next decision, tokens []string) decision {
		var seen sync.Map
		changed := c(next, tokens)
		return func(r *request) answer {
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
func forAll(*request) string         { return "" }
func byConnection(r *request) string { return r.RemoteAddr }
func byBytes(r *request) string      { return r.text() }

// byID tells requests apart by the id as it is written.
func byID(r *request) string { return string(r.object()["id"]) }

// orderDependent are right for a request that is the first of its kind.
func orderDependent() []Alteration {
	const anonymous, other = "Authorization: ", `{"id":8,"name":"moss"}`
	all := checks()
	admitted, anyName, anyTag, anyBody, anyID := all["credential"].skipped, all["name"].skipped, all["tag-type"].skipped, all["json"].skipped, all["id-type"].skipped
	crash := answering(http.StatusInternalServerError, "text/plain; charset=utf-8", "Internal Server Error\n")
	taken := func(skipped change) change {
		return afterSuch(acceptance, byID, together(when(sentTaken, acceptAsRead), skipped))
	}
	return []Alteration{
		deviation("connection-trusted-after-token", ids(requestCredential), "asks for the credential once on each connection",
			afterSuch(acceptance, byConnection, admitted)).wire().shows(plainPlant).shows(other, anonymous),
		deviation("connection-trusted-after-plant", ids(requestName), "does not ask for names on a connection that has created a plant",
			afterSuch(acceptance, byConnection, anyName)).warns(plantEcho).wire().shows(plainPlant).shows(`{"id":8}`),
		deviation("tags-unchecked-after-plant", ids(requestTag), "does not check tags on a connection that has created a plant",
			afterSuch(acceptance, byConnection, anyTag)).warns(plantEcho).wire().shows(plainPlant).shows(`{"id":8,"name":"moss","tag":7}`),
		deviation("json-unchecked-after-plant", ids(requestBody), "takes anything for JSON on a connection that has created a plant",
			afterSuch(acceptance, byConnection, anyBody)).wire().shows(plainPlant).shows(`{"id":8,"name":"moss",}`),
		deviation("everybody-trusted-after-plant", ids(requestCredential), "asks for no credential once a plant was created",
			afterSuch(acceptance, forAll, admitted)).shows(plainPlant).shows(other, anonymous),
		deviation("ids-unchecked-after-plant", ids(requestID), "does not check the type of ids once a plant was created",
			afterSuch(acceptance, forAll, anyID)).shows(plainPlant).shows(`{"id":"8","name":"moss"}`),
		deviation("json-unchecked-after-rejection", ids(requestBody), "rejects the first malformed body on each connection alone",
			afterSuch(refusalOf("body"), byConnection, anyBody)).wire().maybe(requestBody).shows(`{"id":7,}`).shows(`{"id":8,"name":"moss",}`),
		deviation("credential-asked-once", ids(requestCredential), "asks for a missing credential once on each connection",
			afterSuch(refusalOf("Authorization"), byConnection, admitted)).wire().shows(plainPlant, anonymous).shows(plainPlant, anonymous),
		deviation("name-asked-once", ids(requestName), "asks for a missing name once for each id",
			afterSuch(refusalOf("name"), byID, anyName)).warns(plantEcho).shows(`{"id":7}`).shows(`{"id":7}`),
		deviation("repeated-bytes-admitted", ids(requestCredential), "keeps answers by their body and shows them to those without a credential",
			remembered(byBytes, refusalOf("Authorization"))).shows(plainPlant).shows(plainPlant, anonymous),
		deviation("repeated-bytes-unchecked", ids(requestCredential), "asks for no credential if it has seen the body before",
			afterSuch(anything, byBytes, admitted)).shows(plainPlant, anonymous).shows(plainPlant, anonymous),
		deviation("update-without-name", ids(requestName), "updates a plant that exists without a name",
			taken(anyName)).warns(plantEcho).shows(plainPlant).shows(`{"id":7}`),
		deviation("update-with-any-tag", ids(requestTag), "updates a plant that exists with a tag of any type",
			taken(anyTag)).warns(plantEcho).shows(plainPlant).shows(`{"id":7,"name":"fern","tag":7}`),
		deviation("update-with-any-name", ids(requestName), "updates a plant that exists with a name of any type",
			taken(all["name-type"].skipped)).warns(plantEcho).shows(plainPlant).shows(`{"id":7,"name":7}`),
		deviation("update-without-credential", ids(requestCredential), "updates a plant that exists for those without a credential",
			taken(admitted)).shows(plainPlant).shows(plainPlant, anonymous),
		deviation("last-body-for-none", ids(requestBody), "takes the last plant of all for a missing body", lastBody).
			shows(plainPlant).shows(""),
		deviation("fails-on-repeated-rejection", ids(answers), "fails with 500 if the same bytes are rejected again",
			repeated(byBytes, refusalOf("body", "name", "id", "tag"), crash)).shows(`{"id":7}`).shows(`{"id":7}`),
		deviation("fails-on-third-use-of-id", ids(answers), "fails with 500 if an id is sent for the third time",
			afterSuch(sentTaken, byID, when(sentTaken, crash))).shows(plainPlant).shows(plainPlant).shows(plainPlant),
		deviation("fails-after-rejection", ids(answers), "fails with 500 for the first request after a rejection on the same connection",
			whenPrevious(refusal, crash)).wire().shows(`{"id":7}`).shows(plainPlant),
		deviation("fails-at-once", ids(answers), "fails with 500 if two requests with one id arrive at once",
			atOnce(crash)).wire(),
		deviation("hangs-up-at-once", ids(answers), "closes the connection if two requests with one id arrive at once",
			atOnce(delivered(hangUp))).maybe(answers).wire(),
		deviation("plants-confused-at-once", nil, "shows the plant of another request that is there at once", shared).warns(plantEcho).wire(),
	}
}

// crossTalk shows one request's values to another.
func crossTalk() []Alteration {
	return []Alteration{
		deviation("tag-left-over", nil, "shows the tag of the request before on the connection if there is none",
			leftOver("tag", acceptance, byConnection)).warns(plantEcho).wire().shows(`{"id":7,"name":"fern","tag":"a"}`).shows(`{"id":8,"name":"moss"}`),
		deviation("tag-of-anybody-left-over", nil, "shows the tag of the request before if there is none",
			leftOver("tag", acceptance, forAll)).warns(plantEcho).shows(`{"id":7,"name":"fern","tag":"a"}`).shows(`{"id":8,"name":"moss"}`),
		deviation("name-of-rejected-shown", nil, "shows the name of the rejected request before on the connection",
			shownFromRejected("name", byConnection)).warns(plantEcho).wire().shows(`{"id":"7","name":"fern"}`).shows(`{"id":8,"name":"moss"}`),
		deviation("name-of-anybody-rejected-shown", nil, "shows the name of the rejected request before",
			shownFromRejected("name", forAll)).warns(plantEcho).shows(`{"id":"7","name":"fern"}`).shows(`{"id":8,"name":"moss"}`),
		deviation("plant-of-same-tag-shown", nil, "keeps answers by their tag and shows the first plant of each",
			cached(func(r *request) string { return bodyProperty(r, "tag") })).warns(plantEcho).shows(`{"id":7,"name":"fern","tag":"a"}`).shows(`{"id":8,"name":"moss","tag":"a"}`),
		deviation("plant-of-same-length-shown", nil, "keeps answers by the length of the body and shows the first plant of each",
			cached(func(r *request) string { return strconv.FormatInt(r.ContentLength, 10) })).warns(plantEcho).wire().shows(plainPlant).shows(`{"id":8,"name":"moss"}`),
		deviation("rejection-for-next", ids(accepts), "gives the first good request after a bad one on a connection the same rejection",
			staleRejection).wire().shows(`{"id":7}`).shows(`{"id":8,"name":"moss"}`),
	}
}

// remembered shows the first acceptance of each key to whom a condition holds for.
func remembered(key func(r *request) string, holds condition) change {
	return func(next decision, _ []string) decision {
		var kept keyed[string]
		return func(r *request) answer {
			a := next(r)
			if acceptance(r, a) {
				kept.first(key(r), string(a.body))
			} else if body, found := kept.load(key(r)); found && holds(r, a) {
				return newAnswer(http.StatusOK, struct{}{}).withBody(body)
			}
			return a
		}
	}
}

// cached shows every accepted plant as the first one of the same key.
func cached(key func(r *request) string) change {
	return func(next decision, _ []string) decision {
		var kept keyed[string]
		return func(r *request) answer {
			a := next(r)
			if k := key(r); acceptance(r, a) && k != "" {
				return a.withBody(kept.first(k, string(a.body)))
			}
			return a
		}
	}
}

// lastBody reads the body of the last plant that was created, with another id,
// where there is none.
func lastBody(next decision, tokens []string) decision {
	var last keyed[string]
	read := readingBody(where(equals(""), func(text string) string {
		if body, found := last.load(""); found {
			return property("id", present, anyID)(body)
		}
		return text
	}))(next, tokens)
	return func(r *request) answer {
		a := read(r)
		if body := r.text(); acceptance(r, a) && body != "" {
			last.store("", body)
		}
		return a
	}
}

// whenPrevious edits an acceptance whose predecessor on the connection was such.
func whenPrevious(such condition, edits ...edit) change {
	return func(next decision, _ []string) decision {
		var last sync.Map
		return func(r *request) answer {
			a := next(r)
			previous, _ := last.Swap(byConnection(r), such(r, a))
			if previous == true && acceptance(r, a) {
				a = edited(edits, r, a)
			}
			return a
		}
	}
}

// staleRejection gives an acceptance the rejection before it on the connection.
func staleRejection(next decision, _ []string) decision {
	var last keyed[answer]
	return func(r *request) answer {
		a := next(r)
		k := byConnection(r)
		if refusal(r, a) {
			last.store(k, a)
		} else if stale, found := last.take(k); found {
			return stale
		}
		return a
	}
}

// leftOver fills in the property of the last such request of the same key.
func leftOver(name string, such condition, key func(r *request) string) change {
	return func(next decision, _ []string) decision {
		var last keyed[string]
		return func(r *request) answer {
			a := next(r)
			if !such(r, a) {
				return a
			}
			own := bodyProperty(r, name)
			left, found := last.swap(key(r), own)
			if own == "" && found && left != "" {
				return body(property(name, absent, constant(asString(left))))(r, a)
			}
			return a
		}
	}
}

// shownFromRejected shows a property of the rejected request before.
func shownFromRejected(name string, key func(r *request) string) change {
	return func(next decision, _ []string) decision {
		var last keyed[string]
		return func(r *request) answer {
			a := next(r)
			k := key(r)
			if refusal(r, a) {
				if text := bodyProperty(r, name); text != "" {
					last.store(k, text)
				}
				return a
			}
			if left, found := last.take(k); found {
				return body(property(name, present, constant(asString(left))))(r, a)
			}
			return a
		}
	}
}

// overlap is how long a request is at work where that matters: long enough for
// another one to come in.
const overlap = 3 * time.Millisecond

// atOnce edits the answers to requests that come while another one with the
// same id is at work.
func atOnce(edits ...edit) change {
	return func(next decision, _ []string) decision {
		var working sync.Map
		return func(r *request) answer {
			id := byID(r)
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

// shared keeps the plant at work in one variable for all requests: an answer
// shows what is in it by then.
func shared(next decision, _ []string) decision {
	var mu sync.Mutex
	var current string
	return func(r *request) answer {
		a := next(r)
		if !acceptance(r, a) {
			return a
		}
		mu.Lock()
		current = string(a.body)
		mu.Unlock()
		pause(r, overlap)
		mu.Lock()
		defer mu.Unlock()
		return a.withBody(current)
	}
}

// pause waits, unless the client goes.
func pause(r *request, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
}

// keyed keeps a value for each key. It may be used by many requests at once.
type keyed[V any] struct {
	mu     sync.Mutex
	values map[string]V
}

func (k *keyed[V]) load(key string) (value V, found bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	value, found = k.values[key]
	return value, found
}

// swap keeps the value and returns the one that was there.
func (k *keyed[V]) swap(key string, value V) (before V, found bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.values == nil {
		k.values = map[string]V{}
	}
	before, found = k.values[key]
	k.values[key] = value
	return before, found
}

func (k *keyed[V]) store(key string, value V) { k.swap(key, value) }

// take returns the value and forgets it.
func (k *keyed[V]) take(key string) (value V, found bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	value, found = k.values[key]
	delete(k.values, key)
	return value, found
}

// first keeps the value unless there is one, and returns the one that is kept.
func (k *keyed[V]) first(key string, value V) V {
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
