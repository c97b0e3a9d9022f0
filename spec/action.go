package spec

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/pattern"
)

// showing matches words for operations that show a possible result without storing it.
var showing = pattern.Lazy(`(?i)preview|simulat|dry.?run|validat|render|translat|\b(would|(without|not) (being )?(chang|sav|stor|keep|kept|persist))`)

// Actions returns the operations that change the item that op reads and show it, such as POST
// /orders/{id}/cancel or /orders/{id}:cancel.
func (op *Operation) Actions() (list []*Operation) {
	for _, path := range slices.Sorted(maps.Keys(op.reader.paths)) {
		rest, isBelow := strings.CutPrefix(path, barePath(op.Path))
		for _, method := range []string{http.MethodPost, http.MethodPut} {
			if by := op.reader.paths[path][method]; isBelow && strings.IndexAny(rest, "/:") == 0 && strings.HasSuffix(barePath(op.Path), "}") && by != nil && !strings.Contains(rest, "{") && !showing().MatchString(rest+"\n"+by.says()) && slices.ContainsFunc(op.SuccessShapes(), by.shows) {
				list = append(list, by)
			}
		}
	}
	return list
}

// actor returns the first action on the item that op reads. It returns nil if the item has no action, or if a
// Changer such as PATCH sets its values.
func (op *Operation) actor() *Operation {
	if actions := op.Actions(); len(actions) > 0 && op.Changer() == nil {
		return actions[0]
	}
	return nil
}

// above splits the path of an operation below an item, such as /orders/{}/cancel. rest is "" for other operations.
func (op *Operation) above() (item, rest string) {
	path := barePath(op.Path)
	end := strings.LastIndex(path, "}") + 1
	if end == 0 || end == len(path) || path[end] != '/' {
		return path, ""
	}
	return path[:end], path[end+1:]
}

// Item returns the operation that reads the item that the path of an operation begins with, or nil.
func (op *Operation) Item() *Operation {
	item, _ := op.above()
	return op.reader.paths[item][http.MethodGet]
}

// Beside returns the actions on the item that the path of an operation begins with, perhaps with the operation itself:
// a POST or PUT on one more segment, which creates nothing, is not read and has no entries.
func (op *Operation) Beside() (list []*Operation) {
	item, rest := op.above()
	for _, path := range slices.Sorted(maps.Keys(op.reader.paths)) {
		name, isBelow := strings.CutPrefix(path, item+"/")
		own := op.reader.paths[path]
		if rest == "" || !isBelow || strings.ContainsAny(name, "/{") || own[http.MethodGet] != nil || op.reader.paths[path+"/{}"] != nil {
			continue
		}
		for _, method := range []string{http.MethodPost, http.MethodPut} {
			if by := own[method]; by != nil && !by.Names("201") && by.RequestBody.MediaType() != "multipart/form-data" {
				list = append(list, by)
			}
		}
	}
	return list
}

// IsState reports whether a property holds the state of a resource, by its name.
func IsState(name string) bool { return state().MatchString(name) }

var state = pattern.Lazy(`(?i)(status|state|stage|phase)$`)

// States returns the states to which an action leads by its name, in lower case: /confirm leads to confirmed.
func (op *Operation) States() []string {
	words := wordOfName().FindAllString(op.Path[strings.LastIndexAny(op.Path, "/:")+1:], -1)
	if len(words) == 0 {
		return nil
	}
	verb, rest := strings.ToLower(words[0]), strings.ToLower(strings.Join(append([]string{""}, words[1:]...), " "))
	if rest != "" && slices.Contains([]string{"mark", "set"}, verb) { // mark-as-paid
		return []string{strings.TrimPrefix(strings.TrimPrefix(rest, " "), "as ")}
	}
	forms := []string{verb + "ed", verb + "d", verb + verb[len(verb)-1:] + "ed", strings.TrimSuffix(verb, "y") + "ied"}
	if other := map[string]string{"pay": "paid", "send": "sent", "hold": "held", "freeze": "frozen", "open": "open", "activate": "active", "deactivate": "inactive", "complete": "complete"}[verb]; other != "" {
		forms = append(forms, other)
	}
	return lists.Map(forms, func(form string) string { return form + rest })
}
