package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/schema"
)

// reader turns a document into operations. It runs before the document is
// validated as a whole, because its complaints name the place, so it takes
// nothing for granted.
type reader struct {
	top     document.Place
	schemas *schema.Set
	clauses map[*schema.Schema]bodyClauses
}

func newReader(root *document.Node) *reader {
	return &reader{top: document.Top(root), schemas: schema.NewSet(root), clauses: map[*schema.Schema]bodyClauses{}}
}

// declared are the members without extensions, which begin with x- where
// OpenAPI has them; the name of a header may, too.
func declared(at document.Place) []*document.Member {
	return slices.DeleteFunc(slices.Clone(at.All()), func(m *document.Member) bool { return strings.HasPrefix(m.Key, "x-") })
}

// section is where a clause stands for which the overlay has no better name.
func section(at document.Place) string { return fmt.Sprintf("#%s (line %d)", at.Pointer, at.Line) }

// checkReferences follows every $ref of the document once, so that one which
// no operation uses is no surprise later. names says that the keys at l are
// names somebody chose.
func checkReferences(l document.Place, names bool) error {
	if !names {
		if _, err := l.Resolve(); err != nil {
			return err
		}
	}
	for _, item := range l.List() {
		if err := checkReferences(item, false); err != nil {
			return err
		}
	}
	for _, m := range l.Members {
		if isData(m.Key) && !names {
			continue
		}
		if err := checkReferences(l.To(m.Key), !names && namesFollow(m.Key)); err != nil {
			return err
		}
	}
	return nil
}

// namesFollow says whether the keys below that key are names somebody chose,
// and not OpenAPI's: a response header may be called "$ref".
func namesFollow(key string) bool {
	return slices.Contains([]string{
		"paths", "webhooks", "pathItems", "responses", "content", "headers", "parameters", "requestBodies",
		"callbacks", "encoding", "links", "schemas", "securitySchemes", "scopes", "variables", "mapping",
		"properties", "patternProperties", "$defs", "dependentSchemas", "dependentRequired",
	}, key)
}

// isData says whether what follows that key is an instance or an extension,
// and so no part of the document that OpenAPI gives a meaning.
func isData(key string) bool {
	return slices.Contains([]string{"example", "examples", "default", "enum", "const"}, key) || strings.HasPrefix(key, "x-")
}

// methods in the order in which OpenAPI lists them.
func methods() []string {
	return []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}
}

func (r *reader) operations() ([]*Operation, error) {
	var list []*Operation
	seen := map[string]string{}
	paths := r.top.To("paths")
	if err := paths.Mapping("paths"); err != nil {
		return nil, err
	}
	for _, member := range declared(paths) {
		item, err := paths.To(member.Key).Resolve()
		if err != nil {
			return nil, err
		}
		if err := item.Mapping("a path item"); err != nil {
			return nil, err
		}
		for _, method := range methods() {
			at := item.To(method)
			if at.Node == nil {
				continue
			}
			op, err := r.operation(member.Key, method, item, at)
			if err != nil {
				return nil, err
			}
			where := op.Method + " " + op.Path
			if other, twice := seen[op.ID]; twice {
				return nil, at.Errorf("%s and %s share the operation id %s", other, where, op.ID)
			}
			seen[op.ID] = where
			list = append(list, op)
		}
	}
	return list, nil
}

func (r *reader) operation(path, method string, item, at document.Place) (*Operation, error) {
	if err := at.Mapping("an operation"); err != nil {
		return nil, err
	}
	op := &Operation{
		ID:     operationID(at.Get("operationId").Text(), method, path),
		Method: strings.ToUpper(method),
		Path:   path,
		ids:    map[string]bool{},
	}
	d := deriver{reader: r, op: op}
	d.general(at)
	for _, step := range []func() error{
		func() error { return d.security(at) },
		func() error { return d.parameters(item, at) },
		func() error { return d.requestBody(at.To("requestBody")) },
		func() error { return d.responses(at.To("responses")) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	d.silences(at)
	return op, nil
}

// unsafeInID are the characters that a folder's name or a clause id has
// trouble with.
var unsafeInID = regexp.MustCompile(`[^\p{L}\p{N}._-]+`)

// operationID is a name that can be a folder and the head of clause ids: the
// document's, or else one made of method and path.
func operationID(id, method, path string) string {
	safe := func(text string) string { return strings.Trim(unsafeInID.ReplaceAllString(text, "-"), "-.") }
	if name := safe(id); name != "" {
		return name
	}
	return safe(method + path)
}
