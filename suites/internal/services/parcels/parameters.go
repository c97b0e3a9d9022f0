package parcels

import (
	"net/url"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/services"
)

// checkPath reads and checks the path of a rate: the service in style simple, the route
// in style label, and the box in style matrix.
func checkPath(r *fault.Request, report *services.Report) services.Parameters {
	segments := strings.SplitN(strings.TrimPrefix(r.URL.EscapedPath(), "/rates/"), "/", 3)
	p := services.Parameters{"service": decoded(segments[0])}
	if numbers, ok := strings.CutPrefix(decoded(segments[1]), "."); ok {
		p["route"] = services.Literals(strings.Split(numbers, "."))
	} else {
		p["route"] = decoded(segments[1])
	}
	p["box"] = matrix(segments[2])
	o := report.Object("path", p)
	o.Text("service", services.OneOf("express", "economy", "sameday"))
	o.List("route", services.Items{Min: 2, Max: 5}, integer("1", "9"))
	o.Inner("box", checkBox)
	return p
}

// matrix reads the properties of an object: ;length=30;width=20.
func matrix(segment string) any {
	properties, ok := strings.CutPrefix(segment, ";")
	if !ok {
		return decoded(segment)
	}
	object := map[string]any{}
	for property := range strings.SplitSeq(properties, ";") {
		name, value, _ := strings.Cut(property, "=")
		object[decoded(name)] = services.Literal(decoded(value))
	}
	return object
}

func checkRateQuery(r *fault.Request, report *services.Report) services.Parameters {
	sent, p := report.Query(r), services.Parameters{}
	p.Literal(sent, "insured", "weight")
	o := report.Object("query", p)
	o.Require("weight")
	o.Boolean("insured")
	o.Number("weight", services.Above("0"), services.AtMost(heaviest))
	return p
}

func checkDepotQuery(r *fault.Request, report *services.Report) services.Parameters {
	sent, p := report.Query(r), services.Parameters{}
	p.Literal(sent, "open")
	p.Text(sent, "path", "on")
	p.Exploded(sent, "service")
	p.Delimited(sent, "zone", ",")
	p.Delimited(sent, "days", " ")
	p.Delimited(sent, "hours", "|")
	p.Deep(sent, "near")
	if sent.Has("filter") {
		value, ok := services.ParseJSON([]byte(sent.Get("filter")))
		if p["filter"] = value; !ok {
			delete(p, "filter")
			report.Add("query/filter", "syntax")
		}
	}
	o := report.Object("query", p)
	o.List("service", services.Items{Min: 1, Max: 2, Unique: true}, member("express", "economy", "sameday"))
	o.List("zone", services.Items{Min: 1, Max: 4}, integer("1", "9"))
	o.List("days", services.Items{Min: 1, Unique: true}, member("mon", "tue", "wed", "thu", "fri", "sat", "sun"))
	o.List("hours", services.Items{Min: 2, Max: 2}, integer("0", "24"))
	o.Inner("near", func(near *services.Object) {
		near.Require("lat", "lng")
		near.Close("lat", "lng", "radius")
		near.Number("lat", services.AtLeast("-90"), services.AtMost("90"))
		near.Number("lng", services.AtLeast("-180"), services.AtMost("180"))
		near.Integer("radius", services.AtLeast("1"), services.AtMost("500"))
	})
	o.Inner("filter", func(filter *services.Object) {
		filter.Require("kind")
		filter.Text("kind", services.OneOf("shop", "locker"))
		filter.Integer("capacity", services.AtLeast("1"))
	})
	o.Text("path", services.Length(2, 40), services.Pattern(pathForm))
	o.Boolean("open")
	o.Text("on", services.Date)
	return p
}

// checkDepotFields checks the header and the cookies of a search for depots.
func checkDepotFields(r *fault.Request, report *services.Report) {
	h := services.Parameters{}
	if sent := r.Header.Values("X-Regions"); len(sent) > 0 {
		regions := strings.Split(strings.Join(sent, ","), ",")
		h["X-Regions"] = services.Texts(lists.Map(regions, strings.TrimSpace))
	}
	report.Object("header", h).List("X-Regions", services.Items{Min: 1, Max: 3}, member("north", "east", "south", "west"))
	o := report.Object("cookie", cookies(r))
	o.Text("locale", services.Pattern(localeForm))
	o.Integer("page", services.AtLeast("1"), services.AtMost("1000"))
}

// cookies returns the cookies of a request. It does not use net/http, which omits cookies
// with unusual values.
func cookies(r *fault.Request) services.Parameters {
	c := services.Parameters{}
	for pair := range strings.SplitSeq(strings.Join(r.Header.Values("Cookie"), ";"), ";") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(pair), "="); name {
		case "locale":
			c[name] = decoded(value)
		case "page":
			c[name] = services.Literal(decoded(value))
		}
	}
	return c
}

// member returns a check that an item is one of the texts.
func member(texts ...string) func(item *services.Object, name string) {
	return func(item *services.Object, name string) { item.Text(name, services.OneOf(texts...)) }
}

// integer returns a check that an item is an integer within these bounds.
func integer(least, most string) func(item *services.Object, name string) {
	return func(item *services.Object, name string) {
		item.Integer(name, services.AtLeast(least), services.AtMost(most))
	}
}

// decoded returns a text without percent-encoding.
func decoded(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}
