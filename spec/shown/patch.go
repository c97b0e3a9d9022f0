package shown

import (
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/schema"
)

// patch is what a JSON Patch says of the properties of a thing: the new values, nil for those that
// it removes, and which properties it may change otherwise.
type patch struct {
	values  map[string]any
	unclear map[string]bool // "" stands for all
}

func readPatch(body any) *patch {
	list, isList := body.([]any)
	p := patch{values: map[string]any{}, unclear: map[string]bool{"": !isList}}
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
			p.values[document.UnescapePointer(names[0])] = value
		default:
			for _, name := range append(names, strings.Split(strings.TrimPrefix(from, "/"), "/")...) {
				if name != "" || path == "" {
					p.unclear[document.UnescapePointer(name)] = true
				}
			}
		}
	}
	return &p
}

// tells reports whether it is known what becomes of a property.
func (p *patch) tells(of *schema.Property) bool {
	if p == nil {
		return true
	}
	_, changed := p.values[of.Name]
	return !p.unclear[""] && !p.unclear[of.Name] && !(changed && of.ReadOnly)
}
