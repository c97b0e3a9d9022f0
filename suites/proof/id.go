package proof

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/spec/generate"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// idsShown returns the names of the properties that contain the id of a resource, in a list of
// the resources and in the response that reads one.
func (s *service) idsShown(op *operation, name string) (names []string) {
	for _, one := range []*operation{op, cmp.Or(op.makes, op)} {
		read := s.at[http.MethodGet+" "+one.Path]
		if read == nil {
			continue
		}
		value := s.success(read).full.content()
		if _, entries, set := listIn(plain(value)); set != nil && idIn(value, name) == "" {
			value = entries[0]
		}
		if own, _ := idShown(value, name); own != "" {
			names = append(names, own)
		}
	}
	return names
}

// idShown returns the name of the property that contains the id of a value, and the id. The name
// is "" if there is no id.
func idShown(value any, name string) (key string, id any) {
	if inner, ok := unwrap(value, name); ok {
		value = inner
	}
	object, _ := value.(map[string]any)
	key = idIn(value, name)
	return key, object[key]
}

// unwrap returns an object with an id inside another object. It does so if the outer object has
// no id, or if only the id of the inner object has the name in the path.
func unwrap(value any, name string) (any, bool) {
	object, _ := value.(map[string]any)
	outer := idIn(object, name)
	for _, key := range sortedKeys(object) {
		inner := object[key]
		if own := idIn(inner, name); own != "" && (outer == "" || schema.PlainName(own) == schema.PlainName(name) && schema.PlainName(outer) != schema.PlainName(name)) {
			return inner, true
		}
	}
	return nil, false
}

// idIn returns the name of the property that identifies the object. It tries the name in the path,
// then id, then properties that end like one of these, then other usual names.
func idIn(value any, name string) string {
	object, _ := value.(map[string]any)
	others := slices.DeleteFunc(sortedKeys(object), func(key string) bool { return !isID(key, name) })
	for _, key := range slices.Concat([]string{name, "id", "Id", "ID"}, others, []string{"name", "key", "slug", "uuid", "code"}) {
		if _, ok := scalarText(object[key]); ok {
			return key
		}
	}
	return ""
}

func isID(key, name string) bool {
	key, name = schema.PlainName(key), schema.PlainName(name)
	return key == name || key == "id" || strings.HasSuffix(name, key) && key != "" && strings.HasSuffix(key, "id")
}

// idCreated returns the id in the response to a creation. If no operation is about what is created, it may be the only
// property whose name ends with id, such as silenceID, unless it was sent.
func (op *operation) idCreated(value any, name string, sent map[string]any) (key string, id any) {
	if key, id = idShown(value, name); key != "" || op.makes != nil {
		return key, id
	}
	object, _ := value.(map[string]any)
	keys := slices.DeleteFunc(sortedKeys(object), func(key string) bool { return !strings.HasSuffix(schema.PlainName(key), "id") })
	if len(keys) != 1 || sent[keys[0]] != nil {
		return "", nil
	}
	return keys[0], object[keys[0]]
}

// lastName returns the name of the parameter at the end of a path, or "".
func lastName(path string) string {
	_, name, _ := strings.Cut(path[strings.LastIndex(path, "/")+1:], "{")
	return strings.TrimSuffix(name, "}")
}

// idName returns a likely name for the id of the resource at a path: clientId for /clients/{id}.
func idName(path string) string {
	name := lastName(path)
	if segments := strings.Split(path, "/"); schema.PlainName(name) == "id" {
		return strings.TrimSuffix(segments[len(segments)-2], "s") + "Id"
	}
	return name
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

// assign gives a resource a new id, in the property key and the form that the response needs. id is
// "" if the response cannot contain an id.
func (s *service) assign(op *operation, d *declared, path string, resource map[string]any, key string, shown any) (id string, value any) {
	item := cmp.Or(op.makes, op)
	name := cmp.Or(lastName(item.stem()), "id")
	p, _ := item.Parameter("path", name)
	const tries = 50
	for range tries {
		s.serial++
		drawn := s.draw(item, name)
		for _, value := range []any{drawn, s.like(drawn), s.like(shown)} {
			text, ok := scalarText(value)
			switch {
			case !ok, text == "", strings.ContainsAny(text, "/"), p.Schema != nil && !p.Schema.Meets(schema.Request, value):
				continue
			case key == "": // no response of the operation contains the id
				return text, value
			case s.resources[path+"/"+url.PathEscape(text)] != nil:
				continue
			}
			resource[key] = value
			isShown := (d.full == nil || d.overlay(d.full, resource).allowed) && s.shows(d, resource, key)
			if isShown || s.retype(d, resource, key, text) {
				return text, resource[key]
			}
		}
	}
	return "", nil
}

// like returns a text with other last characters. It may have the required form.
func (s *service) like(shown any) any {
	text, _ := shown.(string)
	end := fmt.Sprintf("%04x", s.serial)
	return text[:max(0, len(text)-len(end))] + end
}

func (s *service) draw(item *operation, name string) any {
	p, ok := item.Parameter("path", name)
	number := strconv.FormatUint(1000+s.serial, 10)
	if !ok {
		return instance.Number(number)
	}
	letters := strings.Map(func(digit rune) rune { return digit - '0' + 'a' }, strconv.FormatUint(s.serial, 10))
	for _, own := range []any{
		fmt.Sprintf("%08x-0000-4000-8000-%012x", s.serial, s.serial), instance.Number(number), "thing-" + letters,
		fmt.Sprintf("%08x", s.serial), number,
	} {
		if p.Schema.Meets(schema.Request, own) {
			return own
		}
	}
	value, _ := generate.Draw(p.Schema, schema.Request, generate.NewRandom(s.serial)) // nil if there is no value
	return value
}

// retype makes the id of a resource a number or a string, as the response requires.
func (s *service) retype(d *declared, resource map[string]any, key, text string) bool {
	values := []any{text}
	if instance.IsNumber(text) {
		values = append(values, instance.Number(text))
	}
	return slices.ContainsFunc(values, func(value any) bool {
		resource[key] = value
		return s.shows(d, resource, key)
	})
}

// namesNothing reports whether a request must name a resource of another list, and no list has an entry with that id.
func (s *service) namesNothing(op *operation, sent map[string]any) bool {
	_, list, _ := op.References()
	isOther := func(stem string) bool { return stem != op.stem() }
	return slices.ContainsFunc(sortedKeys(s.creating), isOther) && slices.ContainsFunc(list, func(p *schema.Property) bool {
		id, isSent := scalarText(sent[p.Name])
		return isSent && !slices.ContainsFunc(sortedKeys(s.resources), func(where string) bool { return strings.HasSuffix(where, "/"+url.PathEscape(id)) })
	})
}

// entryOf returns the path of the entry that PUT on the path of a list replaces, because its body has the id, or "".
func (s *service) entryOf(op *operation, path string, r *fault.Request) string {
	for _, read := range s.operations {
		if read.Replacer() == op.Operation && read.Path != op.Path {
			sent, _ := op.sent(r.Text())
			id, _ := scalarText(sent["id"])
			return path + "/" + url.PathEscape(id)
		}
	}
	return ""
}
