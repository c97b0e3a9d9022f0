package spec

import (
	"context"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// IsJSONPatch reports whether values are operations on what is there, as RFC 6902 says.
func (c Content) IsJSONPatch() bool {
	return strings.HasPrefix(c.MediaType, "application/json-patch+json")
}

// patch is what a JSON Patch says of the properties of a thing: the new values, nil for those that
// it removes, and which properties it may change otherwise.
type patch struct {
	values  map[string]any
	unclear map[string]bool // "" stands for all
}

// patched are the requests, with what JSON Patches among them say.
func patched(ctx context.Context, sent []Sent, l instance.Limits) []Sent {
	sent = slices.Clone(sent)
	for i, s := range sent {
		if c := s.content(); c != nil && c.IsJSONPatch() {
			sent[i].patch = readPatch(ctx, s.Body, l)
		}
	}
	return sent
}

func readPatch(ctx context.Context, text []byte, l instance.Limits) *patch {
	p := patch{values: map[string]any{}, unclear: map[string]bool{}}
	read, err := instance.Read(ctx, text, l)
	list, isList := read.Value.([]any)
	if err != nil || !isList {
		p.unclear[""] = true
	}
	for _, item := range list {
		one, _ := item.(map[string]any)
		path, _ := one["path"].(string)
		from, _ := one["from"].(string)
		value, has := one["value"]
		names := strings.Split(strings.TrimPrefix(path, "/"), "/")
		isTop := len(names) == 1 && path != ""
		switch op := one["op"]; {
		case op == "test":
		case (op == "add" || op == "replace") && isTop && has, op == "remove" && isTop:
			p.values[pointed(names[0])] = value
		default:
			for _, name := range append(names, strings.Split(strings.TrimPrefix(from, "/"), "/")...) {
				if name != "" || path == "" {
					p.unclear[pointed(name)] = true
				}
			}
		}
	}
	return &p
}

// pointed is the name that a part of a JSON pointer means (RFC 6901 §4).
func pointed(part string) string {
	return strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
}

// tells reports whether it is known what becomes of a property.
func (p *patch) tells(of *schema.Property) bool {
	if p == nil {
		return true
	}
	_, changed := p.values[of.Name]
	return !p.unclear[""] && !p.unclear[of.Name] && !(changed && of.ReadOnly)
}
