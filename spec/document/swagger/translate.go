package swagger

import (
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/lists"
)

// translator translates one document and collects its flaws.
type translator struct {
	top      document.Place
	flaws    []error
	harmless []error // flaws that affect nothing that is judged
}

// Translate returns the root of the translated document and its flaws: those that affect the part
// that contains them, and those that are harmless.
func Translate(root *document.Node) (translated *document.Node, flaws, harmless []error) {
	t := &translator{top: document.Top(root)}
	var members []*document.Member
	for _, m := range root.Members {
		switch m.Key {
		case "host", "basePath", "schemes", "consumes", "produces", "components", "servers":
			continue
		case "paths":
			m = t.top.To(m.Key).As(m.Key, t.paths())
		}
		members = append(members, m)
	}
	members = append(members, t.servers(), t.components())
	return document.Translated(root, members...), t.flaws, t.harmless
}

// servers returns the servers that schemes, host and basePath define.
func (t *translator) servers() *document.Member {
	host, path := t.top.Get("host").Text(), strings.TrimSuffix(t.top.Get("basePath").Text(), "/")
	addresses := []string{path}
	if host != "" {
		schemes := texts(t.top.To("schemes"))
		if len(schemes) == 0 {
			schemes = []string{"https"}
		}
		addresses = lists.Map(schemes, func(scheme string) string { return scheme + "://" + host + path })
	}
	server := func(address string) *document.Node { return t.top.MakeObject(t.text("url", address)) }
	return t.top.As("servers", t.top.MakeList(lists.Map(addresses, server)...))
}

func (t *translator) text(key, text string) *document.Member {
	return t.top.As(key, t.top.MakeText(text))
}

func (t *translator) components() *document.Member {
	definitions := t.top.To("securityDefinitions")
	var schemes []*document.Member
	for _, m := range definitions.All() {
		scheme := definitions.To(m.Key)
		if scheme.Get("type").Text() == "basic" {
			schemes = append(schemes, scheme.As(m.Key, scheme.MakeObject(t.text("type", "http"), t.text("scheme", "basic"))))
		} else {
			schemes = append(schemes, scheme.Move(m.Key))
		}
	}
	return t.top.As("components", t.top.MakeObject(t.top.As("securitySchemes", t.top.MakeObject(schemes...))))
}

// resolve resolves a place to a mapping. If this fails, it records a flaw and ok is false.
func (t *translator) resolve(at document.Place, name string) (meant document.Place, ok bool) {
	meant, err := at.Mapping(name)
	if err != nil {
		t.flaws = append(t.flaws, err)
	}
	return meant, err == nil
}

func (t *translator) paths() *document.Node {
	paths := t.top.To("paths")
	if paths.Kind != document.Object {
		return paths.Node
	}
	var items []*document.Member
	for _, m := range paths.Members {
		written := paths.To(m.Key)
		item, ok := t.resolve(written, "a path item")
		if !ok || strings.HasPrefix(m.Key, "x-") {
			continue
		}
		var members []*document.Member
		for _, m := range item.Members {
			at := item.To(m.Key)
			switch m.Key {
			case "parameters", "$ref":
				continue
			case "get", "put", "post", "delete", "options", "head", "patch":
				if at.Kind == document.Object {
					m = at.As(m.Key, t.operation(item, at))
				}
			}
			members = append(members, m)
		}
		items = append(items, &document.Member{Key: m.Key, Value: item.MakeObject(members...), Line: m.Line, Column: m.Column})
	}
	return paths.MakeObject(items...)
}

func (t *translator) operation(item, at document.Place) *document.Node {
	var members []*document.Member
	for _, m := range at.Members {
		switch m.Key {
		case "consumes", "schemes", "parameters", "requestBody", "servers":
			continue
		case "produces": // only the operation's own list says that its successes have content
			m = at.To(m.Key).As("x-produces", m.Value)
		case "responses":
			if responses := at.To(m.Key); responses.Kind == document.Object {
				m = responses.As(m.Key, t.responses(responses, t.mediaTypes(at, "produces")))
			}
		}
		members = append(members, m)
	}
	return at.MakeObject(append(members, t.parameters(item, at)...)...)
}

// mediaTypes returns the media types that an operation consumes or produces. If neither it nor the
// document declares them, that is any.
func (t *translator) mediaTypes(at document.Place, key string) []string {
	for _, list := range []document.Place{at.To(key), t.top.To(key)} {
		if types := texts(list); len(types) > 0 {
			return types
		}
	}
	return []string{"*/*"}
}

// holding returns the media types of a response with that schema. Swagger 2.0 has one list for all
// responses of an operation. If the success is an image, the list often omits the media type of
// errors. An image cannot contain an object, so holding adds the media types of the document, or
// JSON.
func (t *translator) holding(schema document.Place, mediaTypes []string) []string {
	shape, err := schema.Resolve()
	isObject := err == nil && (shape.Get("type").Text() == "object" || shape.Get("properties") != nil)
	holds := func(m string) bool { return !bytesOnly.MatchString(m) && !(isObject && textOnly.MatchString(m)) }
	if err != nil || !isObject && shape.Get("type").Text() != "array" || slices.ContainsFunc(mediaTypes, holds) {
		return mediaTypes
	}
	others := t.mediaTypes(t.top, "produces")
	if others[0] == "*/*" || !slices.ContainsFunc(others, holds) {
		others = []string{"application/json"}
	}
	t.harmless = append(t.harmless, schema.Errorf("%s cannot hold this schema: %s is permitted as well", strings.Join(mediaTypes, ", "), strings.Join(others, ", ")))
	return append(slices.Clip(mediaTypes), others...)
}

// bytesOnly matches media types that cannot contain an object or a list, and textOnly those that
// cannot contain an object.
var (
	bytesOnly = regexp.MustCompile(`(?i)^((image|audio|video|font)/[^+]*|application/(octet-stream|pdf|zip|gzip|x-(tar|gzip|zip-compressed|7z-compressed)))$`)
	textOnly  = regexp.MustCompile(`(?i)^text/(plain|html|csv)$`)
)

func texts(list document.Place) []string {
	all := lists.Map(list.List(), func(item document.Place) string { return item.Text() })
	return lists.Unique(lists.Filter(all, func(text string) bool { return text != "" }))
}

// responses translates the responses of an operation.
func (t *translator) responses(at document.Place, mediaTypes []string) *document.Node {
	var list []*document.Member
	for _, m := range at.Members {
		if strings.HasPrefix(m.Key, "x-") {
			continue
		}
		if response, err := at.To(m.Key).Resolve(); err == nil && response.Kind == document.Object { // the reader of the result reports others
			m = &document.Member{Key: m.Key, Value: t.response(response, mediaTypes), Line: m.Line, Column: m.Column}
		}
		list = append(list, m)
	}
	return at.MakeObject(list...)
}

func (t *translator) response(at document.Place, mediaTypes []string) *document.Node {
	members := []*document.Member{at.As("description", at.MakeText(at.Get("description").Text()))}
	if headers := at.To("headers"); headers.Node != nil && headers.Kind == document.Object {
		var list []*document.Member
		for _, m := range headers.Members {
			h := headers.To(m.Key)
			if h.Kind == document.Object {
				m = h.As(m.Key, h.MakeObject(h.As("schema", valueSchema(h))))
			}
			list = append(list, m)
		}
		members = append(members, headers.As("headers", headers.MakeObject(list...)))
	}
	if schema := at.To("schema"); schema.Node != nil {
		var content []*document.Member
		for _, mediaType := range t.holding(schema, mediaTypes) {
			var media []*document.Member
			if schema.Get("type").Text() != "file" {
				media = append(media, schema.Move("schema"))
			}
			if example := at.To("examples", mediaType); example.Node != nil {
				media = append(media, example.Move("example"))
			}
			content = append(content, schema.As(mediaType, schema.MakeObject(media...)))
		}
		members = append(members, schema.As("content", schema.MakeObject(content...)))
	} else if examples := at.To("examples"); examples.Node != nil { // examples show that there is a body
		var content []*document.Member
		for _, m := range examples.All() {
			example := examples.To(m.Key)
			content = append(content, example.As(m.Key, example.MakeObject(example.Move("example"))))
		}
		members = append(members, examples.As("content", examples.MakeObject(content...)))
	}
	return at.MakeObject(members...)
}
