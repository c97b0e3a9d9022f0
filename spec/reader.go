package spec

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

// reader turns a validated document into operations.
type reader struct {
	root    *document.Node
	schemas *compiler
}

func newReader(root *document.Node) *reader {
	return &reader{root: root, schemas: newCompiler(root)}
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

// section is where a clause stands for which the overlay has no better name.
func (l located) section() string {
	if l.Node == nil {
		return "#" + l.pointer
	}
	return fmt.Sprintf("#%s (line %d)", l.pointer, l.Line)
}

func (l located) line() int {
	if l.Node == nil {
		return 0
	}
	return l.Line
}

// resolve follows $ref until there is none. Only references into the document
// itself are followed: a contract is one file.
func (r *reader) resolve(l located) (located, error) {
	const maxHops = 100
	for range maxHops {
		ref := l.Node.Get("$ref")
		if ref == nil || ref.Kind != document.String {
			return l, nil
		}
		pointer, ok := strings.CutPrefix(ref.Literal, "#")
		if !ok {
			return l, fmt.Errorf("reading the contract: %w", ref.Errorf("$ref %q leaves the document; bundle the contract into one file first", ref.Literal))
		}
		target := r.root.At(pointer)
		if target == nil {
			return l, fmt.Errorf("reading the contract: %w", ref.Errorf("$ref %q points to nothing", ref.Literal))
		}
		l = located{target, pointer}
	}
	return l, fmt.Errorf("reading the contract: %w", l.Errorf("$ref goes round in a circle"))
}

// methods in the order in which OpenAPI lists them.
func methods() []string {
	return []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}
}

func (r *reader) operations() ([]*Operation, error) {
	var list []*Operation
	seen := map[string]string{}
	paths := located{r.root, ""}.get("paths")
	if paths.Node == nil {
		return nil, nil
	}
	for _, member := range paths.Members {
		item, err := r.resolve(paths.get(member.Key))
		if err != nil {
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
				return nil, fmt.Errorf("reading the contract: %w", at.Errorf("%s and %s share the operation id %s", other, where, op.ID))
			}
			seen[op.ID] = where
			list = append(list, op)
		}
	}
	return list, nil
}

func (r *reader) operation(path, method string, item, at located) (*Operation, error) {
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
			return nil, fmt.Errorf("%s %s: %w", op.Method, path, err)
		}
	}
	d.silences(at)
	return op, nil
}

// operationID is a name that can be a folder and the head of clause ids.
func operationID(id, method, path string) string {
	if id == "" {
		id = method + path
	}
	return strings.Trim(regexp.MustCompile(`[^A-Za-z0-9._-]+`).ReplaceAllString(id, "-"), "-.")
}
