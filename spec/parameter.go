package spec

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/style"
)

// Parameter is one parameter of an operation.
type Parameter struct {
	style.Style // name, place, and how the value is written
	Required    bool
	Schema      *schema.Schema // of the value
	Content     string         // the media type of the value, if the document declares one
	Examples    []any          // in the document's order; they may not meet the schema
	at          document.Place
}

// Description returns what the document says about the parameter.
func (p Parameter) Description() string { return p.at.Get("description").Text() }

// Takes reports whether the schema allows a text as the value of the parameter. If it allows other types
// than texts, any text may be one of them, and Takes returns true.
func (p Parameter) Takes(text string) bool {
	return !slices.Equal(p.Schema.Shape().TypesBesideNull(), []string{"string"}) || p.Schema.Meets(schema.Request, text)
}

// MayBeIgnored reports whether HTTP permits a service to ignore the header field if it does not
// understand the value, even if the document declares otherwise. Examples are a range in an unknown
// unit, a malformed date and a preference (RFC 9110 §12.5, §13.1 and §14.2, RFC 9111 §5.2, RFC 7240
// §2, and Trace Context).
func (p Parameter) MayBeIgnored() bool {
	return p.In == "header" && slices.Contains([]string{
		"Range", "If-Range", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "Accept-Charset", "Accept-Encoding", "Accept-Language",
		"Prefer", "Cache-Control", "Pragma", "User-Agent", "Referer", "Traceparent", "Tracestate",
	}, http.CanonicalHeaderKey(p.Name))
}

// Spreads reports whether the parameter may be an object whose properties are written as
// separate query parameters or cookies.
func (p Parameter) Spreads() bool {
	return p.Kind == "form" && !isForm(p.at) && p.Explode && (p.In == "query" || p.In == "cookie") && slices.Contains(p.Schema.Shape().Types, "object")
}

// pairsOf returns the pairs of a request that may belong to a parameter. It excludes other
// parameters, because the properties of an object may have any name.
func (op *Operation) pairsOf(p Parameter, r Request) (list []style.Pair) {
	switch p.In {
	case "path":
		if found := op.inPath(r.Path); found != nil {
			for i, name := range placeholder().FindAllString(op.Path, -1) {
				if name == "{"+p.Name+"}" {
					list = []style.Pair{{Name: p.Name, Value: found[i+1]}}
				}
			}
		}
		return list
	case "header":
		if lines := r.Header.Values(p.Name); len(lines) > 0 {
			list = []style.Pair{{Name: p.Name, Value: strings.Join(lines, ",")}} // RFC 9110 §5.3
		}
		return list
	case "cookie":
		for _, line := range r.Header.Values("Cookie") {
			list = append(list, style.Pairs(line, ";")...)
		}
	default:
		list = style.Pairs(r.Query, "&")
	}
	return slices.DeleteFunc(list, func(pair style.Pair) bool {
		return slices.ContainsFunc(op.Parameters, func(other Parameter) bool {
			return other.In == p.In && other.Name != p.Name && other.Name == pair.Name
		})
	})
}

// inPath returns a path and the texts of the parameters in it. It returns nil if the path is not
// that of the operation, can be split in several ways, or also matches an operation with fewer
// parameters. A service may decode a path before it splits it.
func (op *Operation) inPath(path string) []string {
	if shared().MatchString(op.Path) {
		for _, methods := range op.reader.paths {
			other := methods[op.Method]
			if other != nil && strings.Count(other.Path, "{") < strings.Count(op.Path, "{") && other.inPath(path) != nil {
				return nil
			}
		}
	}
	longest, shortest := op.template()
	found := longest.FindStringSubmatch(path)
	if !slices.Equal(found, shortest.FindStringSubmatch(path)) {
		return nil
	}
	if decoded, _ := url.PathUnescape(path); decoded != path && !slices.Equal(longest.FindStringSubmatch(decoded), shortest.FindStringSubmatch(decoded)) {
		return nil
	}
	return found
}

// shared matches a path that has several parameters in one segment.
var shared = pattern.Lazy(`\{[^/]*\{`)

// meets reports whether a reading of the parameter in these pairs meets its schema. known is false
// if the document does not settle this.
func (p Parameter) meets(pairs []style.Pair) (meets, known bool) {
	readings, present, complete := p.Readings(pairs, p.Schema.Shape().Types)
	if p.Spreads() { // an undeclared name may belong to another parameter
		own, here, whole := p.Readings(lists.Filter(pairs, func(pair style.Pair) bool {
			return p.Schema.Shape().Property(p.Unescape(pair.Name)) != nil
		}), p.Schema.Shape().Types)
		if present && !here {
			return !p.Required, true
		}
		readings, complete = append(readings, own...), complete && whole
	}
	switch {
	case !present && p.In == "path": // the path is not that of the operation
		return true, false
	case !present:
		return !p.Required, true
	case p.Content != "" && !mediatype.IsJSONType(p.Content):
		return true, false
	}
	for _, value := range readings {
		faults, err := p.Schema.Faults(schema.Request, value)
		if err != nil {
			return true, false
		}
		if len(faults) == 0 { // the document does not say whether an empty text is a value (OpenAPI 3.0.3, Parameter Object, allowEmptyValue)
			return true, !slices.ContainsFunc(pairs, func(pair style.Pair) bool { return pair.Name == p.Name && pair.Value == "" })
		}
	}
	complete = complete && !p.hasParts(pairs)
	return !complete, complete
}

// hasParts reports whether a text may contain a property that is a list or an object. No style
// defines how to write it.
func (p Parameter) hasParts(pairs []style.Pair) bool {
	return p.Kind != "" && slices.ContainsFunc(p.Schema.Shape().Properties, func(of *schema.Property) bool {
		return of.Shape.HasParts() && slices.ContainsFunc(pairs, func(pair style.Pair) bool {
			return strings.Contains(p.Unescape(pair.Name), of.Name) || strings.Contains(p.Unescape(pair.Value), of.Name)
		})
	})
}

// IfMatch returns the parameter If-Match, unless the operation is safe. Its value is the
// version that a change is meant for.
func (op *Operation) IfMatch() (Parameter, bool) {
	return op.parameter(func(p Parameter) bool { return !op.IsSafe() && p.isHeader("If-Match") })
}

// NeedsVersion reports whether the description of 428, or a sentence about If-Match that names it, says that a request
// without If-Match is rejected.
func (op *Operation) NeedsVersion() bool {
	p, takes := op.IfMatch()
	says := func(about string) bool {
		said := ifMatch().ReplaceAllString(about, "version")
		return withoutVersion().MatchString(said) && !conditional().MatchString(said)
	}
	return takes && op.Names("428") && (slices.ContainsFunc(op.Responses(), func(r *Declared) bool { return r.Status == "428" && says(r.Description()) }) ||
		slices.ContainsFunc(endOfSentence().Split(p.Description(), -1), func(sentence string) bool {
			return strings.Contains(sentence, "428") && says(ofIt().ReplaceAllString(sentence, "version"))
		}))
}

var (
	ifMatch        = pattern.Lazy(`(?i)\b((if|when) )?((the|an?) )?if-match\b`)
	ofIt           = pattern.Lazy(`(?i)\b((if|when) )?(it|(this|the) header)\b`)
	withoutVersion = pattern.Lazy(`(?i)\bversion( (request )?header( field)?)? (is|was) (missing|absent|required|not (sent|given|present|provided))\b|\b(no|missing|lacks|without)( an?| the)? version\b`)
)

// IfNoneMatch returns the header parameter If-None-Match of a GET operation.
func (op *Operation) IfNoneMatch() (Parameter, bool) {
	return op.parameter(func(p Parameter) bool { return op.Method == http.MethodGet && p.isHeader("If-None-Match") })
}

func (p Parameter) isHeader(name string) bool {
	return p.In == "header" && strings.EqualFold(p.Name, name)
}

// TakesVersion reports whether the schema of If-Match allows that text.
func (op *Operation) TakesVersion(tag string) bool {
	p, ok := op.IfMatch()
	return ok && p.Schema.Meets(schema.Request, tag)
}

// HasETag reports whether a declared success has the header ETag.
func (op *Operation) HasETag() bool {
	return slices.ContainsFunc(op.Successes(), func(d *Declared) bool { return d.Header("ETag") != nil })
}
