package proof

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/spec/generate"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// What the service keeps: things, by the path that names them. It does not ask the chain
// inference of the suite where an id is. It puts one wherever a client may look for it:
// into the body and into Location.

// carryOut does what an accepted request asks for.
func (s *service) carryOut(op *operation, path string, r *fault.Request) fault.Answer {
	if !s.exists(op, path) {
		return s.reply(op, http.StatusNotFound, nil)
	}
	success := s.success(op)
	sent := objectOf(r.Text())
	thing := s.things[path]
	switch {
	case op.makes != nil:
		return s.create(op, success, path, sent)
	case !op.kept:
	case (op.Method == http.MethodPut || op.Method == http.MethodPatch) && thing != nil && s.forgets(op, thing, sent):
	case op.Method == http.MethodPut || op.Method == http.MethodPatch:
		before := thing
		thing = map[string]any{}
		for name, value := range before {
			if _, carried := sent[name]; carried || op.Method == http.MethodPatch || isID(name, lastName(op.Path)) {
				thing[name] = value
			}
		}
		for name, value := range sent {
			thing[name] = value
		}
		if op.Method == http.MethodPatch {
			for name, value := range sent {
				if value == nil && strings.Contains(r.Header.Get("Content-Type"), "merge-patch") {
					delete(thing, name)
				}
			}
		}
		if strings.HasSuffix(op.Path, "}") {
			created := before == nil
			s.things[path] = thing
			delete(s.gone, path)
			if d := op.response(http.StatusCreated); created && d != nil && d.status == http.StatusCreated {
				success = d
			} else if d := op.response(http.StatusOK); !created && d != nil && d.status == http.StatusOK {
				success = d
			}
		}
	case op.Method == http.MethodDelete && strings.HasSuffix(op.Path, "}") && !s.forgets(op, thing, nil):
		for other := range s.things {
			if other == path || strings.HasPrefix(other, path+"/") {
				s.gone[other] = s.things[other]
				delete(s.things, other)
			}
		}
	}
	if op.IsSafe() && thing == nil {
		if a, ok := s.list(success, path, s.things); ok {
			return a
		}
	}
	return success.answer(success.overlay(s.value(success), thing))
}

// exists says whether everything exists that a path names and requests create. A thing
// that does not exist can be put.
func (s *service) exists(op *operation, path string) bool {
	template, segments := strings.Split(op.Path, "/"), strings.Split(path, "/")
	for i := range template {
		if !strings.HasPrefix(template[i], "{") || !strings.HasSuffix(template[i], "}") {
			continue
		}
		isLast := i == len(template)-1
		if isLast && op.Method == http.MethodPut {
			continue
		}
		if s.isKept(strings.Join(template[:i+1], "/")) && s.things[strings.Join(segments[:i+1], "/")] == nil {
			return false
		}
	}
	return true
}

// isKept says whether requests create what the template names.
func (w *world) isKept(template string) bool {
	for _, op := range w.operations {
		if op.Path == template && op.kept {
			return true
		}
	}
	return false
}

// create keeps a new thing.
func (s *service) create(op *operation, d *declared, path string, sent map[string]any) fault.Answer {
	item := op.makes
	name := lastName(item.Path)
	thing := map[string]any{}
	for key, value := range sent {
		thing[key] = value
	}
	base := d.full
	if inner, ok := unwrap(base, name); ok {
		base = inner
	}
	key := idIn(base, name)
	id := ""
	if text, ok := scalarText(sent[key]); ok && key != "" {
		if id = text; s.things[path+"/"+url.PathEscape(id)] != nil {
			return s.reply(op, http.StatusConflict, nil)
		}
	}
	for try := 0; id == ""; try++ {
		const tries = 50
		if try == tries {
			return s.reply(op, http.StatusConflict, nil)
		}
		s.serial++
		value := s.draw(item, name)
		text, ok := scalarText(value)
		if !ok || text == "" || strings.ContainsAny(text, "/") {
			continue
		}
		if key == "" {
			id = text
			break
		}
		if s.things[path+"/"+url.PathEscape(text)] != nil {
			continue
		}
		thing[key] = value
		if !d.allows(d.overlay(d.full, thing)) || !s.shows(d, thing, key) {
			if !s.retype(d, thing, key, text) {
				continue
			}
		}
		id = text
	}
	where := strings.TrimSuffix(path, "/") + "/" + url.PathEscape(id)
	s.things[where] = thing
	a := d.answer(d.overlay(s.value(d), thing))
	a.Header.Set("Location", where)
	return a
}

// draw draws an id.
func (s *service) draw(item *operation, name string) any {
	p, ok := item.Parameter("path", name)
	if !ok || p.Schema == nil {
		return nil
	}
	for _, own := range []any{
		fmt.Sprintf("%08x-0000-4000-8000-%012x", s.serial, s.serial), instance.Number(strconv.FormatUint(1000+s.serial, 10)),
		"thing-" + generateName(s.serial), fmt.Sprintf("%08x", s.serial), strconv.FormatUint(1000+s.serial, 10),
	} {
		if s.fits(p.Schema, own) {
			return own
		}
	}
	value, err := generate.Draw(p.Schema, schema.Request, generate.NewRandom(s.serial))
	if err != nil {
		return nil
	}
	return value
}

func (s *service) fits(of *schema.Schema, value any) bool {
	faults, err := of.Faults(schema.Request, value)
	return err == nil && len(faults) == 0
}

// retype makes the id of a thing a number or a text, as the response has it.
func (s *service) retype(d *declared, thing map[string]any, key, text string) bool {
	for _, value := range []any{text, instance.Number(text)} {
		if _, isNumber := value.(json.Number); isNumber && !instance.IsNumber(text) {
			continue
		}
		thing[key] = value
		if s.shows(d, thing, key) {
			return true
		}
	}
	return false
}

// shows says whether the response can show a property of a thing.
func (s *service) shows(d *declared, thing map[string]any, key string) bool {
	value := d.overlay(d.full, map[string]any{key: thing[key]})
	if inner, ok := unwrap(value, key); ok {
		value = inner
	}
	object, _ := value.(map[string]any)
	return object != nil && instance.Equal(object[key], thing[key])
}

// list answers with a list of the things of a collection, if the response has a list.
func (s *service) list(d *declared, path string, things map[string]map[string]any) (fault.Answer, bool) {
	base := plain(d.full)
	var set func(items []any) any
	var template any
	if list, ok := base.([]any); ok && len(list) > 0 {
		template, set = list[0], func(items []any) any { return items }
	}
	if object, ok := base.(map[string]any); ok {
		for _, name := range sortedKeys(object) {
			if list, ok := object[name].([]any); ok && len(list) > 0 {
				if _, isObject := list[0].(map[string]any); isObject {
					template, set = list[0], func(items []any) any { object[name] = items; return object }
					break
				}
			}
		}
	}
	if set == nil {
		return fault.Answer{}, false
	}
	kept := []any{}
	for _, where := range sortedKeys(things) {
		rest, below := strings.CutPrefix(where, strings.TrimSuffix(path, "/")+"/")
		if !below || strings.Contains(rest, "/") {
			continue
		}
		item := plain(template)
		if object, ok := item.(map[string]any); ok {
			for name, value := range things[where] {
				if _, has := object[name]; !has {
					continue
				}
				before := object[name]
				object[name] = plain(value)
				if !d.allows(set([]any{item})) {
					object[name] = before
				}
			}
		}
		kept = append(kept, item)
	}
	if s.emptyLists {
		kept = []any{}
	}
	if value := set(kept); d.allows(value) {
		return d.answer(value), true
	}
	return fault.Answer{}, false
}

// overlay shows a thing in the value of a response, as far as the response has its
// properties and allows their values.
func (d *declared) overlay(value any, thing map[string]any) any {
	if len(thing) == 0 {
		return value
	}
	whole := plain(value)
	object, ok := whole.(map[string]any)
	if !ok {
		return value
	}
	target, of := object, d.content.Schema.Shape()
	if !sharesAny(of, thing) {
		for _, name := range sortedKeys(object) {
			inner, isObject := object[name].(map[string]any)
			if _, next, _ := of.Down(name, object); isObject && next != nil && sharesAny(next, thing) {
				target, of = inner, next
				break
			}
		}
	}
	before := maps.Clone(target)
	var names []string
	for _, name := range sortedKeys(thing) {
		if p := of.Property(name); p != nil && p.Carried(schema.Response) {
			names = append(names, name)
			target[name] = plain(thing[name])
		}
	}
	if d.allows(whole) {
		return whole
	}
	clear(target)
	maps.Copy(target, before)
	for _, name := range names {
		if target[name] = plain(thing[name]); d.allows(whole) {
			continue
		}
		if delete(target, name); before[name] != nil {
			target[name] = before[name]
		}
	}
	return whole
}

func sharesAny(of *schema.Shape, thing map[string]any) bool {
	for name := range thing {
		if of.Property(name) != nil {
			return true
		}
	}
	return false
}

// unwrap is the object inside another one that has an id, if the outer one has none.
func unwrap(value any, name string) (any, bool) {
	object, ok := value.(map[string]any)
	if !ok || idIn(object, name) != "" {
		return nil, false
	}
	for _, key := range sortedKeys(object) {
		if inner, ok := object[key].(map[string]any); ok && idIn(inner, name) != "" {
			return inner, true
		}
	}
	return nil, false
}

// idIn is the name of the property that names the object: as the path calls it, or id, or
// the first that ends in one of them.
func idIn(value any, name string) string {
	object, _ := value.(map[string]any)
	for _, exact := range []string{name, "id", "Id", "ID"} {
		if _, ok := scalarText(object[exact]); ok {
			return exact
		}
	}
	for _, key := range sortedKeys(object) {
		if _, ok := scalarText(object[key]); ok && isID(key, name) {
			return key
		}
	}
	for _, key := range []string{"name", "key", "slug", "uuid", "code"} {
		if _, ok := scalarText(object[key]); ok {
			return key
		}
	}
	return ""
}

func isID(key, name string) bool {
	plainly := func(text string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(text))
	}
	key, name = plainly(key), plainly(name)
	return key == name || key == "id" || strings.HasSuffix(name, key) && key != "" && strings.HasSuffix(key, "id")
}

func scalarText(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	}
	return "", false
}

func objectOf(body string) map[string]any {
	value := plain(json.RawMessage(body))
	object, _ := value.(map[string]any)
	return object
}

// lastName is the name of the parameter that a path ends with, or "".
func lastName(path string) string {
	_, name, _ := strings.Cut(path[strings.LastIndex(path, "/")+1:], "{")
	return strings.TrimSuffix(name, "}")
}

func generateName(serial uint64) string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	text := ""
	for ; serial > 0; serial /= uint64(len(letters)) {
		text += string(letters[serial%uint64(len(letters))])
	}
	return text
}
