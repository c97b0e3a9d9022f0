package fault

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Condition reports whether a change is about a request and its answer.
type Condition func(r *Request, a Answer) bool

// Anything always holds.
func Anything(*Request, Answer) bool { return true }

// Accepted holds if the request is accepted.
func Accepted(_ *Request, a Answer) bool { return a.Rejected == "" }

// Refused holds if the request is rejected, for any reason.
func Refused(_ *Request, a Answer) bool { return a.Rejected != "" }

// RefusedFor holds if the request is rejected because of one of these parts, as
// [Answer.Rejected] has them.
func RefusedFor(parts ...string) Condition {
	return func(_ *Request, a Answer) bool { return slices.Contains(parts, a.Rejected) }
}

// HasStatus holds for answers with that status.
func HasStatus(status int) Condition {
	return func(_ *Request, a Answer) bool { return a.Status == status }
}

// HasBody holds for answers with a body.
func HasBody(_ *Request, a Answer) bool { return len(a.Body) > 0 }

// Both holds if all conditions hold.
func Both(conditions ...Condition) Condition {
	return func(r *Request, a Answer) bool {
		return !slices.ContainsFunc(conditions, func(holds Condition) bool { return !holds(r, a) })
	}
}

// Not holds if the condition does not.
func Not(holds Condition) Condition {
	return func(r *Request, a Answer) bool { return !holds(r, a) }
}

// Sent holds if such returns true for the body of the request. It does not hold if the body cannot
// be read.
func Sent(such func(text string) bool) Condition {
	return func(r *Request, _ Answer) bool {
		body, err := r.ReadBody()
		return err == nil && such(string(body))
	}
}

// SentValue holds if the body is a JSON object and such returns true for the JSON of the named
// property. The JSON of a missing property is empty.
func SentValue(name string, such func(value string) bool) Condition {
	return Sent(func(text string) bool {
		o, ok := ParseObject(text)
		return ok && such(string(o[name]))
	})
}

// SentProperty holds if the body is a JSON object and the named property has one of the kinds.
func SentProperty(name string, of Kinds) Condition { return SentValue(name, of.Include) }

// SentText holds if the body is a JSON object, the named property is a string, and such returns
// true for its text.
func SentText(name string, such func(text string) bool) Condition {
	return SentValue(name, func(value string) bool { return AString.Include(value) && such(FromString(value)) })
}

// SentNoBody holds if there is no body, or an empty one.
func SentNoBody(r *Request, a Answer) bool { return Sent(Equals(""))(r, a) }

// SentMalformed holds if there is a body that is not I-JSON.
func SentMalformed(r *Request, a Answer) bool { return Sent(AllOf(NotEmpty, NoneOf(IsJSON)))(r, a) }

// SentMore holds if the body is longer than this number of bytes.
func SentMore(bytes int) Condition {
	return Sent(func(text string) bool { return len(text) > bytes })
}

// SentChunked holds if the request does not state the length of its body.
func SentChunked(r *Request, _ Answer) bool { return r.ContentLength < 0 }

// IsBearer reports whether the value of Authorization is a bearer token.
func IsBearer(authorization string) bool {
	token, ok := strings.CutPrefix(authorization, "Bearer ")
	return ok && strings.TrimSpace(token) != ""
}

// SentField holds if such returns true for a value of the named header field.
func SentField(name string, such func(value string) bool) Condition {
	return func(r *Request, _ Answer) bool { return slices.ContainsFunc(r.Header.Values(name), such) }
}

// SentQuery holds if such returns true for the query of the URL. A missing query is empty.
func SentQuery(such func(query string) bool) Condition {
	return func(r *Request, _ Answer) bool { return such(r.URL.RawQuery) }
}

// Matches looks for a match of a regular expression. It compiles the expression on
// first use, because one process uses only few of them.
func Matches(expression string) func(text string) bool {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	return func(text string) bool { return compiled().MatchString(text) }
}

// AllOf reports whether all predicates return true.
func AllOf(each ...func(text string) bool) func(text string) bool {
	return func(text string) bool {
		return !slices.ContainsFunc(each, func(such func(string) bool) bool { return !such(text) })
	}
}

// NoneOf reports whether all predicates return false.
func NoneOf(each ...func(text string) bool) func(text string) bool {
	return func(text string) bool {
		return !slices.ContainsFunc(each, func(such func(string) bool) bool { return such(text) })
	}
}

// Longer reports whether a text has more than this number of characters.
func Longer(characters int) func(text string) bool {
	return func(text string) bool { return utf8.RuneCountInString(text) > characters }
}

// Equals reports whether a text is equal to what.
func Equals(what string) func(text string) bool {
	return func(text string) bool { return text == what }
}

// NotEmpty reports whether a text is not empty.
func NotEmpty(text string) bool { return text != "" }

// Contains reports whether a text contains the part.
func Contains(part string) func(text string) bool {
	return func(text string) bool { return strings.Contains(text, part) }
}

// BeyondUTF8 reports whether a text is not valid UTF-8.
func BeyondUTF8(text string) bool { return !utf8.ValidString(text) }

// BeyondASCII reports whether a text has a character that is not ASCII.
func BeyondASCII(text string) bool { return beyond(text, unicode.MaxASCII) }

// BeyondBMP reports whether a text has a character beyond U+FFFF.
func BeyondBMP(text string) bool { return beyond(text, 0xFFFF) }

func beyond(text string, last rune) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return c > last })
}
