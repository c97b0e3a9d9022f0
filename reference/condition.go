package reference

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// nameIn is the name that the request has, or "".
func nameIn(r *request) string { return fromString(string(r.object()["name"])) }

// idIn is the id of the plant in a text, if it is one that the contract permits.
func idIn(text string) (id int64, ok bool) {
	o, _ := parseObject(text)
	n, ok := new(big.Rat).SetString(string(o["id"]))
	if !ok || !n.IsInt() || !n.Num().IsInt64() {
		return 0, false
	}
	return n.Num().Int64(), aNumber.include(string(o["id"])) && aString.include(string(o["name"])) && (aString + absent).include(string(o["tag"]))
}

func anything(*request, answer) bool { return true }

// acceptance: a plant is created.
func acceptance(_ *request, a answer) bool { return a.rejected == "" }

// refusal: the request is rejected, for any reason.
func refusal(_ *request, a answer) bool { return a.rejected != "" }

// refusalOf: the request is rejected for one of these parts of it, which are
// a header, "body" as a whole, or a property of it.
func refusalOf(parts ...string) condition {
	return func(_ *request, a answer) bool { return slices.Contains(parts, a.rejected) }
}

// both: every one of the conditions holds.
func both(conditions ...condition) condition {
	return func(r *request, a answer) bool {
		for _, holds := range conditions {
			if !holds(r, a) {
				return false
			}
		}
		return true
	}
}

func not(holds condition) condition {
	return func(r *request, a answer) bool { return !holds(r, a) }
}

// sent: the body of the request, as far as it can be read, is such a text.
func sent(such func(text string) bool) condition {
	return func(r *request, _ answer) bool {
		body, err := r.body()
		return err == nil && such(string(body))
	}
}

// sentProperty: the request is a JSON object whose property of that name is of
// one of the kinds.
func sentProperty(name string, of kinds) condition {
	return sent(func(text string) bool {
		o, ok := parseObject(text)
		return ok && of.include(string(o[name]))
	})
}

// sentName: the request has such a name.
func sentName(such func(name string) bool) condition {
	return sent(func(text string) bool {
		o, _ := parseObject(text)
		name := string(o["name"])
		return aString.include(name) && such(fromString(name))
	})
}

// sentNoBody: there is no body, or it is empty.
func sentNoBody(r *request, a answer) bool {
	return sent(func(text string) bool { return text == "" })(r, a)
}

// sentMalformed: there is a body, and it is not I-JSON.
func sentMalformed(r *request, a answer) bool {
	return sent(func(text string) bool { return text != "" && !isJSON(text) })(r, a)
}

// sentTaken: the request has an id that the store holds already.
func sentTaken(r *request, a answer) bool {
	_, ok := idIn(r.text())
	return a.rejected == "id" && ok
}

// sentTag: the request has this tag.
func sentTag(tag string) condition {
	return sent(func(text string) bool {
		o, _ := parseObject(text)
		return string(o["tag"]) == asString(tag)
	})
}

// sentID: the request has an id that is written so.
func sentID(such func(literal string) bool) condition {
	return sent(func(text string) bool {
		o, _ := parseObject(text)
		return such(string(o["id"]))
	})
}

// sentUnknownProperty: the request has a property that NewPlant does not list.
func sentUnknownProperty(r *request, a answer) bool {
	return sent(func(text string) bool {
		o, _ := parseObject(text)
		for name := range o {
			if !slices.Contains([]string{"name", "id", "tag"}, name) {
				return true
			}
		}
		return false
	})(r, a)
}

// sentBearer: the request has a bearer token, be it accepted or not.
func sentBearer(r *request, _ answer) bool { return isBearer(r.Header.Get("Authorization")) }

func isBearer(authorization string) bool {
	token, ok := strings.CutPrefix(authorization, "Bearer ")
	return ok && strings.TrimSpace(token) != ""
}

// sentField: the request has a header field of that name with such a value.
func sentField(name string, such func(value string) bool) condition {
	return func(r *request, _ answer) bool {
		values := r.Header.Values(name)
		return slices.ContainsFunc(values, such)
	}
}

// sentQuery: the address has a query.
func sentQuery(r *request, _ answer) bool { return r.URL.RawQuery != "" }

// sentMore: the body has more bytes than that.
func sentMore(bytes int) condition {
	return sent(func(text string) bool { return len(text) > bytes })
}

// sentChunked: the length of the body was not told before it.
func sentChunked(r *request, _ answer) bool { return r.ContentLength < 0 }

// matches compiles its expression on first use: few of the many rows of the
// tables are ever used in one process.
func matches(expression string) func(text string) bool {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	return func(text string) bool { return compiled().MatchString(text) }
}

// allOf: the text is such by each of the predicates.
func allOf(each ...func(text string) bool) func(text string) bool {
	return func(text string) bool {
		return !slices.ContainsFunc(each, func(such func(string) bool) bool { return !such(text) })
	}
}

func noneOf(such func(text string) bool) func(text string) bool {
	return func(text string) bool { return !such(text) }
}

func longer(characters int) func(text string) bool {
	return func(text string) bool { return utf8.RuneCountInString(text) > characters }
}

func equals(what string) func(text string) bool {
	return func(text string) bool { return text == what }
}

func contains(part string) func(text string) bool {
	return func(text string) bool { return strings.Contains(text, part) }
}

func beyondUTF8(text string) bool  { return !utf8.ValidString(text) }
func beyondASCII(text string) bool { return beyond(text, unicode.MaxASCII) }
func beyondBMP(text string) bool   { return beyond(text, 0xFFFF) }

func beyond(text string, last rune) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return c > last })
}
