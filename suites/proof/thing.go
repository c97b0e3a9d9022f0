package proof

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
)

// What the service keeps: things, by the path that names them. It does not ask the chain
// inference of the suite where an id is. It puts one wherever a client may look for it:
// into the body and into Location.

// carryOut does what an accepted request asks for.
func (s *service) carryOut(op *operation, path string, r *fault.Request) fault.Answer {
	if !s.exists(op, path) {
		return s.reply(op, http.StatusNotFound)
	}
	if version := r.Header.Get("If-Match"); version != "" && version != "*" && version != s.version(s.things[path]) && op.states(op.ClauseIDs().State(spec.StatePrecondition)) && !s.overlooks(op, spec.StatePrecondition) {
		return s.reply(op, http.StatusPreconditionFailed)
	}
	success, thing := s.success(op), s.things[path]
	isItem := strings.HasSuffix(op.Path, "}")
	switch {
	case op.makes != nil:
		return s.create(op, success, path, objectOf(r.Text()))
	case !s.kept[op.Path]:
	case op.Method == http.MethodPut || op.Method == http.MethodPatch:
		success, thing = s.change(op, path, r)
	case op.Method == http.MethodDelete && isItem && !s.forgets(op, thing, nil):
		s.remove(path)
	}
	if !op.IsSafe() && thing == nil {
		thing = objectOf(r.Text()) // which is shown, if the response has such properties
	}
	if op.IsSafe() && thing == nil && (s.emptyLists || s.creating[op.Path]) {
		if a, ok := s.list(success, path, s.page(op, path, r)); ok {
			return a
		}
	}
	shown := success.overlay(s.value(success), thing)
	if op.states(op.ClauseIDs().Response(success.Status).Echo()) {
		shown = success.only(shown, thing)
	}
	a := success.answer(shown)
	if h := success.Header("ETag"); h != nil && op.Method == http.MethodGet {
		versions := []string{s.version(thing), strong(string(a.Body))} // by content, where no weak one is allowed
		if i := slices.IndexFunc(versions, func(tag string) bool { return h.Schema == nil || s.fits(h.Schema, tag) }); i >= 0 {
			a.Header.Set("ETag", versions[i])
		} else if !h.Required {
			a.Header.Del("ETag")
		}
	}
	return a
}

// version is the ETag of a thing. It is a weak one if the same thing is shown in several ways.
func (s *service) version(thing map[string]any) string {
	tag := strong(instance.Compact(thing))
	if s.inTurn {
		return "W/" + tag
	}
	return tag
}

func strong(text string) string {
	sum := sha256.Sum256([]byte(text))
	return `"` + hex.EncodeToString(sum[:4]) + `"`
}

// overlooks reports whether an operation deviates by not caring for what a clause is about.
func (s *service) overlooks(op *operation, state string) bool {
	if s.deviations[op.ID].state != state {
		return false
	}
	s.shown[op.ID] = true
	return true
}

// page are the things of a page of a collection.
func (s *service) page(op *operation, path string, r *fault.Request) map[string]map[string]any {
	size, ok := op.PageSize()
	if !ok {
		return s.things
	}
	most, err := strconv.Atoi(r.URL.Query().Get(size.Name))
	all := maps.Clone(s.things)
	maps.DeleteFunc(all, func(where string, _ map[string]any) bool { return !isEntry(where, path) })
	if err != nil || most < 0 || len(all) <= most || s.overlooks(op, spec.StatePaged) {
		return all
	}
	for _, where := range sortedKeys(all)[most:] {
		delete(all, where)
	}
	return all
}

// isEntry reports whether a path is that of an entry of a list.
func isEntry(where, list string) bool {
	rest, below := strings.CutPrefix(where, strings.TrimSuffix(list, "/")+"/")
	return below && !strings.Contains(rest, "/")
}

// change replaces a thing, or some of its values, or creates it by PUT. A patch that is not
// a merge patch (RFC 7396) takes null for a value.
func (s *service) change(op *operation, path string, r *fault.Request) (*declared, map[string]any) {
	before, sent := s.things[path], objectOf(r.Text())
	if (before != nil || !s.made[op.Path]) && s.forgets(op, before, sent) {
		return s.success(op), before
	}
	thing := map[string]any{}
	for name, value := range before {
		if op.Method == http.MethodPatch || isID(name, lastName(op.Path)) {
			thing[name] = value
		}
	}
	maps.Copy(thing, sent)
	if op.Method == http.MethodPatch && strings.Contains(r.Header.Get("Content-Type"), "merge-patch") {
		maps.DeleteFunc(thing, func(name string, value any) bool { _, carried := sent[name]; return carried && value == nil })
	}
	s.things[path] = thing
	delete(s.gone, path)
	wanted := http.StatusOK
	if before == nil {
		wanted = http.StatusCreated
	}
	if d := op.response(wanted); d != nil && d.status == wanted {
		return d, thing
	}
	return s.success(op), thing
}

// remove removes a thing and all below it.
func (s *service) remove(path string) {
	s.gone[path] = nil
	for other := range s.things {
		if other == path || strings.HasPrefix(other, path+"/") {
			s.gone[other] = s.things[other]
			delete(s.things, other)
		}
	}
}

// exists reports whether everything exists that a path names. What no request creates is there
// until one removes it. A thing that does not exist can be put.
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
		where := strings.Join(segments[:i+1], "/")
		_, isGone := s.gone[where]
		if isGone || s.made[strings.Join(template[:i+1], "/")] && s.things[where] == nil {
			return false
		}
	}
	return true
}

// create keeps a new thing.
func (s *service) create(op *operation, d *declared, path string, sent map[string]any) fault.Answer {
	item := op.makes
	name := lastName(item.Path)
	thing := maps.Clone(sent)
	if thing == nil {
		thing = map[string]any{}
	}
	key, shownID := idShown(d.full.content(), name)
	names := s.idsShown(op, name)
	id, value := "", any(nil)
	for _, own := range append([]string{key}, names...) {
		text, ok := scalarText(sent[own])
		if ok {
			id, value = text, sent[own]
		}
		if ok || key != "" { // what the response shows is the id that clients take
			break
		}
	}
	if id == "" {
		if id, value = s.assign(op, d, path, thing, key, shownID); id == "" {
			return s.reply(op, http.StatusConflict)
		}
	}
	for _, own := range names {
		if thing[own] == nil {
			thing[own] = value
		}
	}
	where := strings.TrimSuffix(path, "/") + "/" + url.PathEscape(id)
	delete(s.gone, where)
	s.things[where] = thing
	shown := d.overlay(s.value(d), thing)
	if op.states(op.ClauseIDs().Response(d.Status).Echo()) {
		shown = d.only(shown, thing)
	}
	a := d.answer(shown)
	a.Header.Set("Location", where)
	return a
}
