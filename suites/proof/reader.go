package proof

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/pattern"
)

// A flaw is an error that the second reader finds in a request: the violated keyword and its
// place. A place is "credential", "media-type", "query/limit" or "body/price/amount", with
// * for the items of a list and the values of a map.
type flaw struct{ place, keyword string }

func (f flaw) String() string { return f.place + ": " + f.keyword }

// flawHeader is the response field in which the faithful service reports the flaw of a request,
// if the request has exactly one.
const flawHeader = "Flaw"

func (f flaw) header() string { return strconv.QuoteToASCII(f.String()) }

// The places that are not below a parameter or the body.
const (
	atCredential = "credential"
	atMediaType  = "media-type"
	atBody       = "body"
)

// reader reads requests and responses with kin-openapi. The suite judges without it.
type reader struct {
	document    *openapi3.T
	routes      []*routers.Route
	credentials map[string]string // by name of the security scheme
	options     *openapi3filter.Options

	memo memo[[sha256.Size]byte, []flaw] // trials repeat the same requests
}

// newReader loads the document. The error says why kin-openapi cannot load it.
func newReader(contract *spec.Contract, credentials map[string]string) (*reader, error) {
	text, isSwagger := ofThree(contract.JSON())
	document, err := openapi3.NewLoader().LoadFromData(text)
	switch {
	case !contract.IsOneFile(), err != nil && strings.Contains(err.Error(), "external reference"): // also one that cannot be read
		return nil, errors.New("it refers to other files, and kin-openapi is given one document; bundle it first")
	case err != nil:
		return nil, fmt.Errorf("kin-openapi cannot load it: %w", err)
	}
	r := &reader{document: document, credentials: credentials}
	r.inherit(isSwagger)
	for _, op := range contract.Operations {
		item := document.Paths.Value(op.Path)
		if item == nil || item.GetOperation(op.Method) == nil {
			continue
		}
		r.routes = append(r.routes, &routers.Route{Spec: document, Path: op.Path, PathItem: item, Method: op.Method, Operation: item.GetOperation(op.Method)})
	}
	compile := func(text string) (openapi3.RegexMatcher, error) { // use the suite's engine only if package regexp fails
		if own, err := regexp.Compile(text); err == nil {
			return own, nil
		}
		return pattern.Compile(text)
	}
	r.options = &openapi3filter.Options{
		MultiError: true, SkipSettingDefaults: true, AuthenticationFunc: r.authenticate, ExcludeReadOnlyValidations: true,
		SchemaValidationOptions: []openapi3.SchemaValidationOption{openapi3.WithStringFormatValidators(formats()), openapi3.SetSchemaRegexCompiler(compile)},
	}
	return r, nil
}

// ofThree converts the schemas of Swagger 2.0 to OpenAPI 3, which has another place for them and
// another form of discriminators.
func ofThree(document []byte) (rewritten []byte, isSwagger bool) {
	top, _ := decoded(string(document)).(map[string]any)
	if top["swagger"] == nil {
		return document, false
	}
	components, ok := top["components"].(map[string]any)
	if !ok {
		components = map[string]any{}
		top["components"] = components
	}
	components["schemas"] = top["definitions"]
	delete(top, "definitions")
	rewritten, err := json.Marshal(withNamed(top))
	if err != nil {
		return document, true
	}
	return rewritten, true
}

func withNamed(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			switch text, isText := inner.(string); {
			case isText && key == "discriminator":
				value[key] = map[string]any{"propertyName": text}
			case isText && key == "$ref":
				value[key] = strings.Replace(text, "#/definitions/", "#/components/schemas/", 1)
			default:
				value[key] = withNamed(inner)
			}
		}
	case []any:
		for i := range value {
			value[i] = withNamed(value[i])
		}
	}
	return value
}

// formats returns the string formats that the second reader checks.
var formats = sync.OnceValue(func() map[string]openapi3.StringFormatValidator { //nolint:gochecknoglobals // never changes
	check := func(holds func(text string) bool) openapi3.StringFormatValidator {
		return openapi3.NewCallbackValidator(func(text string) error {
			if !holds(text) {
				return errors.New("does not have the format")
			}
			return nil
		})
	}
	parses := func(layout string) func(string) bool {
		return func(text string) bool { _, err := time.Parse(layout, text); return err == nil }
	}
	matches := openapi3.NewRegexpFormatValidator
	ofURI := regexp.MustCompile(`^[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*$`).MatchString
	return map[string]openapi3.StringFormatValidator{
		"date":          check(parses(time.DateOnly)),
		"date-time":     check(func(text string) bool { return parses(time.RFC3339Nano)(strings.ToUpper(text)) }),
		"uuid":          matches(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`),
		"byte":          matches(`^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`),
		"hostname":      matches(`^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`),
		"ipv4":          openapi3.NewIPValidator(true),
		"ipv6":          openapi3.NewIPValidator(false),
		"email":         check(func(text string) bool { a, err := mail.ParseAddress(text); return err == nil && a.Address == text }),
		"uri-reference": check(func(text string) bool { _, err := url.Parse(text); return err == nil && ofURI(text) }),
		"uri":           check(func(text string) bool { u, err := url.Parse(text); return err == nil && u.IsAbs() && ofURI(text) }),
	}
})

// authenticate checks one credential of a request.
func (r *reader) authenticate(_ context.Context, in *openapi3filter.AuthenticationInput) error {
	want, known := r.credentials[in.SecuritySchemeName]
	if !known {
		return nil // for example a client certificate, which these requests do not carry
	}
	request, got := in.RequestValidationInput.Request, ""
	switch s := in.SecurityScheme; {
	case s.Type == "apiKey" && s.In == "query":
		got = request.URL.Query().Get(s.Name)
	case s.Type == "apiKey" && s.In == "cookie":
		if c, err := request.Cookie(s.Name); err == nil {
			got = c.Value
		}
	case s.Type == "apiKey":
		got = request.Header.Get(s.Name)
	case s.Type == "http" && strings.EqualFold(s.Scheme, "basic"):
		if user, password, ok := request.BasicAuth(); ok {
			got = user + ":" + password
		}
	default:
		scheme, text, _ := strings.Cut(request.Header.Get("Authorization"), " ")
		if strings.EqualFold(scheme, s.Scheme) || s.Type != "http" && strings.EqualFold(scheme, "bearer") {
			got = strings.TrimSpace(text)
		}
	}
	if got != want {
		return errors.New("the credential is not the one")
	}
	return nil
}

// route returns the operation of a request, and the values in its path. others are the methods
// that the path has.
func (r *reader) route(method, path string) (found *routers.Route, values map[string]string, others []string) {
	best, depth := -1, strings.Count(path, "/")
	for _, one := range r.routes {
		if strings.Count(one.Path, "/") != depth {
			continue
		}
		matched, fixed := match(one.Path, path)
		if matched == nil {
			continue
		}
		others = append(others, one.Method)
		if one.Method == method && fixed > best {
			found, values, best = one, matched, fixed
		}
	}
	for name, value := range values {
		values[name], _ = url.PathUnescape(value)
	}
	return found, values, others
}

// match compares a path with a template that has the same number of segments. It returns the
// values of the parameters, not decoded, and the number of characters that the template fixes.
func match(template, path string) (values map[string]string, fixed int) {
	values = map[string]string{}
	for segment := range strings.SplitSeq(template, "/") {
		var got string
		got, path, _ = strings.Cut(path, "/")
		before, rest, found := strings.Cut(segment, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			if segment != got {
				return nil, 0
			}
			fixed += len(segment)
			continue
		}
		text, ok := strings.CutPrefix(got, before)
		text, okAfter := strings.CutSuffix(text, after)
		if _, err := url.PathUnescape(text); !ok || !okAfter || text == "" || err != nil || strings.Contains(after, "{") {
			return nil, 0
		}
		values[name] = text
		fixed += len(before) + len(after)
	}
	return values, fixed
}

// flaws returns all flaws that the second reader finds in a request.
func (r *reader) flaws(request *http.Request, route *routers.Route, values map[string]string, body []byte) []flaw {
	key := sha256.New()
	_, _ = fmt.Fprintln(key, request.Method, request.URL, request.ContentLength < 0)
	_ = request.Header.WriteSubset(key, map[string]bool{"User-Agent": true}) // writes in sorted order
	_, _ = key.Write(body)
	return r.memo.get([sha256.Size]byte(key.Sum(nil)), func() []flaw { return r.read(request, route, values, body) })
}

func (r *reader) read(request *http.Request, route *routers.Route, values map[string]string, body []byte) []flaw {
	copied := request.Clone(request.Context())
	copied.Body, copied.GetBody = io.NopCloser(bytes.NewReader(body)), nil
	if len(request.Header.Values("Content-Type")) > 1 && len(body) > 0 {
		return []flaw{{atMediaType, "one"}}
	}
	if base, _, err := mime.ParseMediaType(request.Header.Get("Content-Type")); err == nil && isJSON(base) && len(body) > 0 && (!json.Valid(body) || !utf8.Valid(body)) {
		return []flaw{{atBody, "syntax"}} // kin-openapi would read only the beginning
	}
	err := openapi3filter.ValidateRequest(request.Context(), &openapi3filter.RequestValidationInput{
		Request: copied, PathParams: values, Route: route, Options: r.options,
	})
	all := slices.Concat(lists.Map(each(err), flawsOf)...)
	if b := route.Operation.RequestBody; b != nil && b.Value != nil {
		var value any
		if media := b.Value.Content.Get(request.Header.Get("Content-Type")); media != nil && media.Schema != nil && json.Unmarshal(body, &value) == nil {
			all = append(all, r.named(atBody, parts(media.Schema.Value), value, append(r.visiting(), openapi3.VisitAsRequest()))...)
		}
	}
	return lists.Unique(all)
}

func isJSON(mediaType string) bool {
	return mediaType == "application/json" || strings.HasSuffix(mediaType, "+json")
}

// accepts reports whether the schema allows a value in a response.
func (r *reader) accepts(of *openapi3.Schema, value any) bool {
	options := append(r.visiting(), openapi3.VisitAsResponse())
	return of == nil || of.VisitJSON(value, options...) == nil && len(r.named("", parts(of), value, options)) == 0
}
