package spec

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

// reader turns a document into operations. It runs before the document is
// validated as a whole, because its complaints name the place, so it takes
// nothing for granted.
type reader struct {
	root    *document.Node
	schemas *compiler
	v30     bool              // OpenAPI 3.0 and not 3.1
	shapes  map[string]*shape // by JSON pointer
}

func newReader(root *document.Node) *reader {
	v30 := isVersion(root.Get("openapi").Literal, "3.0")
	r := &reader{root: root, v30: v30, shapes: map[string]*shape{}}
	r.schemas = newCompiler(root, dialect{r}.document(root))
	return r
}

// located is a node and the JSON pointer it stands at, after every $ref on
// the way has been followed.
type located struct {
	*document.Node
	pointer string
}

func (l located) get(keys ...string) located {
	for _, key := range keys {
		l = located{l.Node.Get(key), l.pointer + "/" + document.EscapePointer(key)}
	}
	return l
}

func (l located) item(i int) located {
	return located{l.Items[i], fmt.Sprintf("%s/%d", l.pointer, i)}
}

// down goes to the member or item of that name, or stays where there is none.
func (l located) down(step string) located {
	if n := l.At("/" + document.EscapePointer(step)); n != nil {
		return located{n, l.pointer + "/" + document.EscapePointer(step)}
	}
	return l
}

// list are the items; none where the node is absent.
func (l located) list() []located {
	if l.Node == nil {
		return nil
	}
	items := make([]located, len(l.Items))
	for i := range l.Items {
		items[i] = l.item(i)
	}
	return items
}

// members are the object's; none where it is absent.
func (l located) members() []*document.Member {
	if l.Node == nil {
		return nil
	}
	return l.Members
}

// declared are the members without extensions, which begin with x- where
// OpenAPI has them; the name of a header may, too.
func (l located) declared() []*document.Member {
	return slices.DeleteFunc(slices.Clone(l.members()), func(m *document.Member) bool { return strings.HasPrefix(m.Key, "x-") })
}

// section is where a clause stands for which the overlay has no better name.
func (l located) section() string { return fmt.Sprintf("#%s (line %d)", l.pointer, l.Line) }

// fail is an error about the document at that place.
func (l located) fail(format string, args ...any) error {
	return fmt.Errorf("reading the contract: %w", l.Errorf(format, args...))
}

// mapping is an error where the node is there and no mapping.
func (l located) mapping(name string) error {
	if l.Node == nil || l.Kind == document.Object {
		return nil
	}
	return l.fail("%s must be a mapping, found %s", name, l.Kind)
}

// component is the schema that a mere reference means, so that all references
// to it share what is derived from it. What OpenAPI 3.1 allows beside $ref makes
// a schema of its own.
func (r *reader) component(l located) (located, error) {
	if l.Node == nil || !r.v30 && len(l.Members) > 1 {
		return l, nil
	}
	return r.resolve(l)
}

// resolve follows $ref until there is none.
func (r *reader) resolve(l located) (located, error) {
	const maxHops = 100
	start := l
	for range maxHops {
		if l.Node.Get("$ref") == nil {
			return l, nil
		}
		next, err := r.step(l)
		if err != nil {
			return l, err
		}
		l = next
	}
	return l, start.fail("$ref goes round in a circle")
}

// step follows one $ref. Only references into the document itself are
// followed: a contract is one file.
func (r *reader) step(l located) (located, error) {
	ref := l.get("$ref")
	if ref.Kind != document.String {
		return l, ref.fail("$ref must be a string, found %s", ref.Kind)
	}
	fragment, ok := strings.CutPrefix(ref.Text(), "#")
	if !ok {
		return l, ref.fail("$ref %q leaves the document; bundle the contract into one file first", ref.Literal)
	}
	pointer, err := url.PathUnescape(fragment) // RFC 6901 §6
	if err != nil {
		return l, ref.fail("$ref %q is not a URI: %s", ref.Literal, err)
	}
	target := r.root.At(pointer)
	if target == nil {
		return l, ref.fail("$ref %q points to nothing", ref.Literal)
	}
	return located{target, pointer}, nil
}

// checkReferences follows every $ref of the document once, so that one which
// no operation uses is no surprise later. names says that the keys at l are
// names somebody chose.
func (r *reader) checkReferences(l located, names bool) error {
	if !names {
		if _, err := r.resolve(l); err != nil {
			return err
		}
	}
	for i := range l.Items {
		if err := r.checkReferences(l.item(i), false); err != nil {
			return err
		}
	}
	for _, m := range l.Members {
		if isData(m.Key) && !names {
			continue
		}
		if err := r.checkReferences(l.get(m.Key), !names && namesFollow(m.Key)); err != nil {
			return err
		}
	}
	return nil
}

// methods in the order in which OpenAPI lists them.
func methods() []string {
	return []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}
}

func (r *reader) operations() ([]*Operation, error) {
	var list []*Operation
	seen := map[string]string{}
	paths := located{r.root, ""}.get("paths")
	if err := paths.mapping("paths"); err != nil {
		return nil, err
	}
	for _, member := range paths.declared() {
		item, err := r.resolve(paths.get(member.Key))
		if err != nil {
			return nil, err
		}
		if err := item.mapping("a path item"); err != nil {
			return nil, err
		}
		for _, method := range methods() {
			at := item.get(method)
			if at.Node == nil {
				continue
			}
			op, err := r.operation(member.Key, method, item, at)
			if err != nil {
				return nil, err
			}
			where := op.Method + " " + op.Path
			if other, twice := seen[op.ID]; twice {
				return nil, at.fail("%s and %s share the operation id %s", other, where, op.ID)
			}
			seen[op.ID] = where
			list = append(list, op)
		}
	}
	return list, nil
}

func (r *reader) operation(path, method string, item, at located) (*Operation, error) {
	if err := at.mapping("an operation"); err != nil {
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
		func() error { return d.requestBody(at.get("requestBody")) },
		func() error { return d.responses(at.get("responses")) },
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
