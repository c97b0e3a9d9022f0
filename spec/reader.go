package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/notes"
	"github.com/plantstore/conformance/spec/schema"
)

// Note is a flaw of a document that does not keep it from being read. What it
// touches is not judged.
type Note = notes.Note

// reader turns a document into operations. It takes nothing for granted: what has
// a flaw becomes a note and is left out.
type reader struct {
	top     document.Place
	notes   *notes.Notes
	schemas *schema.Set
	seen    map[string]string   // operations by their ids, in words
	made    map[string][]string // ids of the operations by the pointers to what they are made of

	deriving sync.Mutex
	clauses  map[*schema.Schema]bodyClauses
}

func newReader(top document.Place, found *notes.Notes) *reader {
	return &reader{
		top: top, notes: found, schemas: schema.NewSet(top.Node),
		seen: map[string]string{}, made: map[string][]string{}, clauses: map[*schema.Schema]bodyClauses{},
	}
}

// declared are the members without extensions, which begin with x- where
// OpenAPI has them; the name of a header may, too.
func declared(at document.Place) []*document.Member {
	return slices.DeleteFunc(slices.Clone(at.All()), func(m *document.Member) bool { return strings.HasPrefix(m.Key, "x-") })
}

// mapping is what a place means, and where that is no mapping, the note of it.
func (r *reader) mapping(at document.Place, name string) (document.Place, *Note) {
	meant, err := at.Resolve()
	if err == nil {
		err = meant.Mapping(name)
	}
	if err != nil {
		return document.Place{}, r.notes.Add(err)
	}
	return meant, nil
}

// methods in the order in which OpenAPI lists them.
func (r *reader) methods() []string {
	list := []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}
	if isVersion(r.top.Get("openapi").Text(), "3.2") {
		list = append(list, "query")
	}
	return list
}

func (r *reader) operations() (list []*Operation) {
	paths, _ := r.mapping(r.top.To("paths"), "paths")
	templates := map[string]string{}
	for _, member := range declared(paths) {
		if !strings.HasPrefix(member.Key, "/") {
			r.notes.Add(paths.KeyErrorf(member, "the path %q must begin with a slash", member.Key))
			continue
		}
		template := placeholder.ReplaceAllString(member.Key, "{}")
		if other, twice := templates[template]; twice {
			r.notes.AddHarmless(paths.KeyErrorf(member, "the paths %s and %s differ only in the names of their parameters", other, member.Key))
		}
		templates[template] = member.Key
		item, note := r.mapping(paths.To(member.Key), "a path item")
		if note != nil || item.Node == nil {
			continue
		}
		for _, method := range r.methods() {
			if at := item.To(method); at.Node != nil {
				list = r.operation(list, member.Key, strings.ToUpper(method), item, at)
			}
		}
		additional := item.To("additionalOperations") // OpenAPI 3.2
		for _, m := range additional.All() {
			list = r.operation(list, member.Key, m.Key, item, additional.To(m.Key))
		}
	}
	return list
}

func (r *reader) operation(list []*Operation, path, method string, item, at document.Place) []*Operation {
	at, note := r.mapping(at, "an operation") // a $ref is not OpenAPI, but what it means is plain
	if note != nil {
		return list
	}
	op := &Operation{Method: method, Path: path, reader: r, at: at, item: item.Pointer}
	op.ID = r.newID(op, at.To("operationId"))
	where := item.Pointer + "/parameters"
	r.made[at.Pointer], r.made[where] = append(r.made[at.Pointer], op.ID), append(r.made[where], op.ID)
	op.readSecurity()
	op.readParameters(item)
	op.readRequestBody(at.To("requestBody"))
	op.readResponses(at.To("responses"))
	return append(list, op)
}

// newID is an id that no operation has so far.
func (r *reader) newID(op *Operation, at document.Place) string {
	where := op.Method + " " + op.Path
	id := operationID(at.Text(), strings.ToLower(op.Method), op.Path)
	if other, twice := r.seen[id]; twice {
		if at.Node == nil {
			at = op.at
		}
		r.notes.AddHarmless(at.Errorf("%s and %s share the operation id %s", other, where, id))
		id = operationID("", strings.ToLower(op.Method), op.Path)
	}
	for base, n := id, 2; r.seen[id] != ""; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	r.seen[id] = where
	return id
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
