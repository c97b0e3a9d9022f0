package spec

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/schema"
)

// Changer returns the operation that changes some of the values that op reads, or nil. It is
// a PATCH, or a POST on an item if the document describes it as a change, the body has a
// property of the item, and the response shows the item.
func (op *Operation) Changer() *Operation {
	path := barePath(op.Path)
	own := op.reader.paths[path]
	post := own[http.MethodPost]
	if patch := own[http.MethodPatch]; patch != nil || post == nil || own[http.MethodGet] != op || !strings.HasSuffix(path, "/{}") {
		return patch
	}
	says := post.says()
	for _, of := range op.SuccessShapes() {
		takes := func(c Content) bool {
			return slices.ContainsFunc(c.Schema.Shape().Properties, func(p *schema.Property) bool { return of.Property(p.Name) != nil })
		}
		if updating.MatchString(says) && post.RequestBody != nil && post.shows(of) && slices.ContainsFunc(post.RequestBody.Content, takes) {
			return post
		}
	}
	return nil
}

// shows reports whether a success of the operation has the same schema, or one of its alternatives, by the name
// of either.
func (op *Operation) shows(of *schema.Shape) bool {
	if len(of.Includes) == 0 {
		return false
	}
	such := of.Includes[:1]
	for _, keyword := range []string{"anyOf", "oneOf"} {
		for _, one := range of.Includes[0].To(keyword).List() {
			if one.Get("$ref") == nil {
				continue
			}
			if target, err := one.Target(); err == nil {
				such = append(slices.Clip(such), target)
			}
		}
	}
	return slices.ContainsFunc(op.SuccessShapes(), func(other *schema.Shape) bool {
		return len(other.Includes) > 0 && slices.Contains(such, other.Includes[0])
	})
}

// says is the id that the document gives the operation, its summary and its description.
func (op *Operation) says() string {
	return op.DeclaredID() + "\n" + op.at.Get("summary").Text() + "\n" + op.at.Get("description").Text()
}

// showing matches what the name or the description of an operation has that shows a thing as it might be, and
// keeps nothing.
var showing = regexp.MustCompile(`(?i)preview|simulat|dry.?run|validat|render|translat|\b(would|(without|not) (being )?(chang|sav|stor|keep|kept|persist))`)

// Actions returns the operations that change the item that op reads and show it, such as POST /orders/{id}/cancel.
func (op *Operation) Actions() (list []*Operation) {
	for _, path := range slices.Sorted(maps.Keys(op.reader.paths)) {
		rest, isBelow := strings.CutPrefix(path, barePath(op.Path)+"/")
		for _, method := range []string{http.MethodPost, http.MethodPut} {
			if by := op.reader.paths[path][method]; isBelow && strings.HasSuffix(barePath(op.Path), "}") && by != nil && !strings.Contains(rest, "{") && !showing.MatchString(rest+"\n"+by.says()) && slices.ContainsFunc(op.SuccessShapes(), by.shows) {
				list = append(list, by)
			}
		}
	}
	return list
}

// updating matches what the name of an operation that updates a thing has, or its description begins with.
var updating = regexp.MustCompile(`(?im)^(\s|<[^<>]*>)*(update|edit|modif(y|ie)|change)s?\b|^([^\s]*[^a-z\s])?(update|modify|edit)([^a-z\s][^\s]*)?$|(?-i:^\S*(Update|Modify|Edit)([A-Z_-]\S*)?$)`)

// actor is the first of the actions, if nothing else changes the item that op reads.
func (op *Operation) actor() *Operation {
	if actions := op.Actions(); len(actions) > 0 && op.Changer() == nil {
		return actions[0]
	}
	return nil
}
