package fault

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
)

// Change makes another decision out of one. It is applied once for each service, so
// what it counts or remembers belongs to that service. The tokens are those that the
// service accepts.
type Change func(next Decision, tokens []string) Decision

// Unchanged changes nothing.
func Unchanged(next Decision, _ []string) Decision { return next }

// Edit returns the answer that r gets instead of a.
type Edit func(r *Request, a Answer) Answer

// edited applies all edits to an answer, one after the other.
func edited(edits []Edit, r *Request, a Answer) Answer {
	for _, edit := range edits {
		a = edit(r, a)
	}
	return a
}

// Always edits every answer.
func Always(edits ...Edit) Change { return When(Anything, edits...) }

// When edits the answers that a condition holds for.
func When(holds Condition, edits ...Edit) Change {
	return Counting(holds, func(int64) bool { return true }, edits...)
}

// Counting edits some of the answers that a condition holds for. They are counted
// from 1; chosen selects them by their number.
func Counting(holds Condition, chosen func(n int64) bool, edits ...Edit) Change {
	return func(next Decision, _ []string) Decision {
		var count atomic.Int64
		return func(r *Request) Answer {
			a := next(r)
			if holds(r, a) && chosen(count.Add(1)) {
				a = edited(edits, r, a)
			}
			return a
		}
	}
}

// Every chooses every nth number.
func Every(nth int64) func(n int64) bool { return func(n int64) bool { return n%nth == 0 } }

// First chooses the number 1.
func First(n int64) bool { return n == 1 }

// After chooses all numbers greater than last.
func After(last int64) func(n int64) bool {
	return func(n int64) bool { return n > last }
}

// Replying answers instead of the service, which does not see the requests.
func Replying(with func() Answer) Change {
	return func(Decision, []string) Decision { return func(*Request) Answer { return with() } }
}

// If makes a change only for requests that a condition holds for. The condition sees no
// answer.
func (c Change) If(holds Condition) Change {
	return func(next Decision, tokens []string) Decision {
		changed := c(next, tokens)
		return func(r *Request) Answer {
			if holds(r, Answer{}) {
				return changed(r)
			}
			return next(r)
		}
	}
}

// Sometimes makes a change for some requests. They are counted from 1; chosen
// selects them by their number.
func Sometimes(chosen func(n int64) bool, c Change) Change {
	return func(next Decision, tokens []string) Decision {
		var count atomic.Int64
		return c.If(func(*Request, Answer) bool { return chosen(count.Add(1)) })(next, tokens)
	}
}

// Reading makes the service read another request than the one that was sent. To skip
// a check, it corrects the part that the check would reject.
func Reading(another func(r *Request) *Request) Change {
	return func(next Decision, _ []string) Decision {
		return func(r *Request) Answer { return next(another(r)) }
	}
}

// ReadingBody makes the service read an edited body.
func ReadingBody(edit TextEdit) Change {
	return Reading(func(r *Request) *Request { return r.WithBody(edit) })
}

// ReadingParts makes the service edit the n-th part of a body, from 1, as it arrives.
func ReadingParts(edit func(n int, part string) string) Change {
	return Reading(func(r *Request) *Request {
		return &Request{Request: r.Request, ReadBody: sync.OnceValues(func() (whole []byte, err error) {
			part := make([]byte, 4<<10)
			for i := 1; err == nil; i++ {
				var n int
				n, err = r.Body.Read(part)
				whole = append(whole, edit(i, string(part[:n]))...)
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return whole, err
		})}
	})
}

// ReadingHeader makes the service read an edited header field. An empty text stands
// for a missing field.
func ReadingHeader(name string, edit TextEdit) Change {
	return Reading(func(r *Request) *Request {
		sent := r.Header.Get(name)
		if read := edit(sent); read != sent {
			return r.WithHeader(name, read)
		}
		return r
	})
}

// ReadingQuery makes the service read an edited query.
func ReadingQuery(edit TextEdit) Change {
	return Reading(func(r *Request) *Request {
		return r.withURL(func(u *url.URL) { u.RawQuery = edit(u.RawQuery) })
	})
}

// ReadingPath makes the service read an edited path, as it is escaped in the URL.
func ReadingPath(edit TextEdit) Change {
	return Reading(func(r *Request) *Request {
		return r.withURL(func(u *url.URL) {
			u.RawPath = edit(u.EscapedPath())
			u.Path, _ = url.PathUnescape(u.RawPath)
		})
	})
}

// Admitting accepts requests whose Authorization is good enough: it replaces their
// credential by one that the service accepts.
func Admitting(enough func(authorization string) bool) Change {
	return func(next Decision, tokens []string) Decision {
		return func(r *Request) Answer {
			if len(tokens) > 0 && enough(r.Header.Get("Authorization")) {
				r = r.WithHeader("Authorization", "Bearer "+tokens[0])
			}
			return next(r)
		}
	}
}

// Together applies several changes. The first is nearest to the service.
func Together(changes ...Change) Change {
	return func(next Decision, tokens []string) Decision {
		for _, c := range changes {
			next = c(next, tokens)
		}
		return next
	}
}

// Answering replaces the whole answer. Without a media type it sends no Content-Type.
func Answering(status int, mediaType, body string) Edit {
	return func(_ *Request, a Answer) Answer {
		a.Status, a.Header = status, http.Header{"Content-Type": nil}
		if mediaType != "" {
			a.Header.Set("Content-Type", mediaType)
		}
		return a.WithBody(body)
	}
}

// AsText answers with a status and its name as text, as net/http does.
func AsText(status int) Edit {
	return Answering(status, "text/plain; charset=utf-8", http.StatusText(status)+"\n")
}

// Status changes the status, and drops the body if the status permits none (RFC 9110
// §6.4.1).
func Status(code int) Edit {
	return func(_ *Request, a Answer) Answer {
		a.Status = code
		if code == http.StatusNoContent || code == http.StatusNotModified {
			a.Header, a.Body = http.Header{}, nil
		}
		return a
	}
}

// Header sets a field to these values. Without values the field is not sent, and the
// server does not add it.
func Header(name string, values ...string) Edit {
	return func(_ *Request, a Answer) Answer {
		a.Header[name] = values
		return a
	}
}

// HeaderEdited edits the value of a field.
func HeaderEdited(name string, edit TextEdit) Edit {
	return func(_ *Request, a Answer) Answer {
		a.Header.Set(name, edit(a.Header.Get(name)))
		return a
	}
}

// MediaType sets Content-Type.
func MediaType(values ...string) Edit { return Header("Content-Type", values...) }

// Body edits the body.
func Body(edits ...TextEdit) Edit {
	return func(_ *Request, a Answer) Answer {
		return a.WithBody(InTurn(edits...)(string(a.Body)))
	}
}

// Delivered changes how the answer goes over the wire.
func Delivered(by Delivery) Edit {
	return func(_ *Request, a Answer) Answer {
		a.deliver = by
		return a
	}
}
