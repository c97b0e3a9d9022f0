package reference

import (
	"maps"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
)

// change makes another service out of one: it is what a deviation or a
// variation does. It is applied once for each handler, so what it counts or
// remembers is that handler's alone. The tokens are those that are accepted.
type change func(next decision, tokens []string) decision

// unchanged is the change of a variation that the server makes.
func unchanged(next decision, _ []string) decision { return next }

// edit returns what is answered to r instead of a.
type edit func(r *request, a answer) answer

// edited is what all edits make of an answer, one after the other.
func edited(edits []edit, r *request, a answer) answer {
	for _, edit := range edits {
		a = edit(r, a)
	}
	return a
}

// condition reports whether a request, and the answer that is due to it, is
// one that a change is about.
type condition func(r *request, a answer) bool

// always edits every answer.
func always(edits ...edit) change { return when(anything, edits...) }

// when edits the answers that a condition holds for.
func when(holds condition, edits ...edit) change {
	return counting(holds, func(int64) bool { return true }, edits...)
}

// counting edits some of the answers that a condition holds for: those whose
// number, from 1 in the order in which they were decided on, is chosen.
func counting(holds condition, chosen func(n int64) bool, edits ...edit) change {
	return func(next decision, _ []string) decision {
		var count atomic.Int64
		return func(r *request) answer {
			a := next(r)
			if holds(r, a) && chosen(count.Add(1)) {
				a = edited(edits, r, a)
			}
			return a
		}
	}
}

func every(nth int64) func(n int64) bool { return func(n int64) bool { return n%nth == 0 } }
func first(n int64) bool                 { return n == 1 }
func after(last int64) func(n int64) bool {
	return func(n int64) bool { return n > last }
}

// repeated edits the answers that a condition holds for, but those to the first
// request of its key.
func repeated(key func(r *request) string, holds condition, edits ...edit) change {
	return func(next decision, tokens []string) decision {
		var seen sync.Map
		again := func(r *request, a answer) bool {
			if !holds(r, a) {
				return false
			}
			_, found := seen.LoadOrStore(key(r), true)
			return found
		}
		return when(again, edits...)(next, tokens)
	}
}

// before answers some requests without the service seeing them, so that they
// leave no trace in the store.
func before(concerns func(r *request, n int64) bool, instead func() answer) change {
	return func(next decision, _ []string) decision {
		var count atomic.Int64
		return func(r *request) answer {
			if concerns(r, count.Add(1)) {
				return instead()
			}
			return next(r)
		}
	}
}

// inCompany makes a change for those requests alone that a condition holds for,
// as they were sent. The condition sees no answer.
func inCompany(holds condition, c change) change {
	return func(next decision, tokens []string) decision {
		changed := c(next, tokens)
		return func(r *request) answer {
			if holds(r, answer{}) {
				return changed(r)
			}
			return next(r)
		}
	}
}

// sometimes makes a change for some requests: those whose number, from 1, is
// chosen.
func sometimes(chosen func(n int64) bool, c change) change {
	return func(next decision, tokens []string) decision {
		var count atomic.Int64
		return inCompany(func(*request, answer) bool { return chosen(count.Add(1)) }, c)(next, tokens)
	}
}

// reading makes the service read another request than the one that was sent. To skip
// a check, it corrects the part that the check would reject.
func reading(another func(r *request) *request) change {
	return func(next decision, _ []string) decision {
		return func(r *request) answer { return next(another(r)) }
	}
}

// readingBody has the service read an edited body.
func readingBody(edit textEdit) change {
	return reading(func(r *request) *request { return r.withBody(edit) })
}

// readingHeader has the service read an edited header field. A text that is
// empty stands for no such field.
func readingHeader(name string, edit textEdit) change {
	return reading(func(r *request) *request {
		sent := r.Header.Get(name)
		if read := edit(sent); read != sent {
			return r.withHeader(name, read)
		}
		return r
	})
}

// readingBelow makes the service read a path without its prefix. A path without
// the prefix is not a path of the service.
func readingBelow(prefix string) change {
	return reading(func(r *request) *request {
		path, _ := strings.CutPrefix(r.URL.Path, prefix)
		if path == r.URL.Path {
			path = ""
		}
		return r.withPath(path)
	})
}

// admitting lets in those whose Authorization is good enough, by giving them a
// credential that is accepted.
func admitting(enough func(authorization string) bool) change {
	return func(next decision, tokens []string) decision {
		return func(r *request) answer {
			if len(tokens) > 0 && enough(r.Header.Get("Authorization")) {
				r = r.withHeader("Authorization", "Bearer "+tokens[0])
			}
			return next(r)
		}
	}
}

// together makes several changes: the first is nearest to the service.
func together(changes ...change) change {
	return func(next decision, tokens []string) decision {
		for _, c := range changes {
			next = c(next, tokens)
		}
		return next
	}
}

// answering gives another answer altogether. Without a media type it names none.
func answering(status int, mediaType, body string) edit {
	return func(_ *request, a answer) answer {
		a.status, a.header = status, http.Header{"Content-Type": nil}
		if mediaType != "" {
			a.header.Set("Content-Type", mediaType)
		}
		return a.withBody(body)
	}
}

// refused is a rejection (§7) with this status, because of that part of the
// request.
func refused(status int, part, problem string) answer {
	a := newAnswer(status, map[string]any{"error": status, "message": part + " " + problem})
	a.rejected = part
	return a
}

// refuse answers with a rejection.
func refuse(status int, part, problem string) edit {
	return func(*request, answer) answer { return refused(status, part, problem) }
}

// acceptAsRead accepts the plant in the request.
func acceptAsRead(r *request, _ answer) answer {
	o := r.object()
	maps.DeleteFunc(o, func(name string, _ jsontext.Value) bool { return name != "name" && name != "tag" })
	return newAnswer(http.StatusOK, o)
}

// withSentID adds the id of the request to a plant.
func withSentID(r *request, a answer) answer {
	return body(property("id", absent, constant(string(r.object()["id"]))))(r, a)
}

// status changes the status, and drops the body where there can be none (RFC
// 9110 §6.4.1).
func status(code int) edit {
	return func(_ *request, a answer) answer {
		a.status = code
		if code == http.StatusNoContent || code == http.StatusNotModified {
			a.header, a.body = http.Header{}, nil
		}
		return a
	}
}

// header sets a field to these values; with none, the field is not sent, nor
// added by the server.
func header(name string, values ...string) edit {
	return func(_ *request, a answer) answer {
		a.header[name] = values
		return a
	}
}

func mediaType(values ...string) edit { return header("Content-Type", values...) }

// body edits the body.
func body(edits ...textEdit) edit {
	return func(_ *request, a answer) answer {
		text := string(a.body)
		for _, edit := range edits {
			text = edit(text)
		}
		return a.withBody(text)
	}
}

// delivered has the answer delivered in another way.
func delivered(by delivery) edit {
	return func(_ *request, a answer) answer {
		a.deliver = by
		return a
	}
}
