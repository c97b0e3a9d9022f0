package parcels

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

// parameters are the parameters of a request in one place, by name.
type parameters map[string]any

// checkPath reads and checks the path of a rate: the service in style simple, the route
// in style label, and the box in style matrix.
func checkPath(r *fault.Request, report *services.Report) parameters {
	segments := strings.SplitN(strings.TrimPrefix(r.URL.EscapedPath(), "/rates/"), "/", 3)
	p := parameters{"service": decoded(segments[0])}
	if numbers, ok := strings.CutPrefix(decoded(segments[1]), "."); ok {
		p["route"] = literals(strings.Split(numbers, "."))
	} else {
		p["route"] = decoded(segments[1])
	}
	p["box"] = matrix(segments[2])
	o := report.Object("path", p)
	o.Text("service", services.OneOf("express", "economy", "sameday"))
	o.List("route", services.Items{Min: 2, Max: 5}, func(zone *services.Object, name string) {
		zone.Integer(name, services.AtLeast("1"), services.AtMost("9"))
	})
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

// checkRateQuery reads and checks the query of a rate.
func checkRateQuery(r *fault.Request, report *services.Report) parameters {
	sent, p := query(r, report), parameters{}
	p.literal(sent, "insured", "weight")
	o := report.Object("query", p)
	o.Require("weight")
	o.Boolean("insured")
	o.Number("weight", services.Above("0"), services.AtMost(heaviest))
	return p
}

// checkDepotQuery reads and checks the query of a search for depots.
func checkDepotQuery(r *fault.Request, report *services.Report) parameters {
	sent, p := query(r, report), parameters{}
	p.literal(sent, "open")
	p.text(sent, "path", "on")
	p.exploded(sent, "service")
	p.delimited(sent, "zone", ",")
	p.delimited(sent, "days", " ")
	p.delimited(sent, "hours", "|")
	p.deep(sent, "near")
	if sent.Has("filter") {
		value, ok := services.ParseJSON([]byte(sent.Get("filter")))
		if p["filter"] = value; !ok {
			delete(p, "filter")
			report.Add("query/filter", "syntax")
		}
	}
	o := report.Object("query", p)
	o.List("service", services.Items{Min: 1, Max: 2, Unique: true}, member("express", "economy", "sameday"))
	o.List("zone", services.Items{Min: 1, Max: 4}, func(zone *services.Object, name string) {
		zone.Integer(name, services.AtLeast("1"), services.AtMost("9"))
	})
	o.List("days", services.Items{Min: 1, Unique: true}, member("mon", "tue", "wed", "thu", "fri", "sat", "sun"))
	o.List("hours", services.Items{Min: 2, Max: 2}, func(hour *services.Object, name string) {
		hour.Integer(name, services.AtLeast("0"), services.AtMost("24"))
	})
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
	h := parameters{}
	if sent := r.Header.Values("X-Regions"); len(sent) > 0 {
		regions := strings.Split(strings.Join(sent, ","), ",")
		list := make([]any, len(regions))
		for i, region := range regions {
			list[i] = strings.TrimSpace(region)
		}
		h["X-Regions"] = list
	}
	report.Object("header", h).List("X-Regions", services.Items{Min: 1, Max: 3}, member("north", "east", "south", "west"))
	c := cookies(r)
	o := report.Object("cookie", c)
	o.Text("locale", services.Pattern(localeForm))
	o.Integer("page", services.AtLeast("1"), services.AtMost("1000"))
}

// cookies are the cookies of a request. They are read by hand because net/http leaves out
// those with unusual values.
func cookies(r *fault.Request) parameters {
	c := parameters{}
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

// member checks that an item is one of the texts.
func member(texts ...string) func(item *services.Object, name string) {
	return func(item *services.Object, name string) { item.Text(name, services.OneOf(texts...)) }
}

func query(r *fault.Request, report *services.Report) url.Values {
	sent, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		report.Add("query", "syntax")
	}
	return sent
}

// text takes parameters that are strings.
func (p parameters) text(sent url.Values, names ...string) {
	for _, name := range names {
		if sent.Has(name) {
			p[name] = sent.Get(name)
		}
	}
}

// literal takes parameters that are numbers or booleans.
func (p parameters) literal(sent url.Values, names ...string) {
	for _, name := range names {
		if sent.Has(name) {
			p[name] = services.Literal(sent.Get(name))
		}
	}
}

// exploded takes a list that is sent as several parameters.
func (p parameters) exploded(sent url.Values, name string) {
	if sent.Has(name) {
		p[name] = list(sent[name])
	}
}

// delimited takes a list that is sent as one parameter. Only hours and zones are numbers.
func (p parameters) delimited(sent url.Values, name, delimiter string) {
	if !sent.Has(name) {
		return
	}
	parts := strings.Split(sent.Get(name), delimiter)
	if delimiter == " " {
		p[name] = list(parts)
		return
	}
	p[name] = literals(parts)
}

// deep takes an object that is sent as parameters like near[lat].
func (p parameters) deep(sent url.Values, name string) {
	object := map[string]any{}
	for key := range sent {
		inner, ok := strings.CutPrefix(key, name+"[")
		if property, closed := strings.CutSuffix(inner, "]"); ok && closed {
			object[property] = services.Literal(sent.Get(key))
		}
	}
	if len(object) > 0 {
		p[name] = object
	}
}

func list(texts []string) []any {
	values := make([]any, len(texts))
	for i, text := range texts {
		values[i] = text
	}
	return values
}

func literals(texts []string) []any {
	values := make([]any, len(texts))
	for i, text := range texts {
		values[i] = services.Literal(text)
	}
	return values
}

// decoded is a text without percent-encoding.
func decoded(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// What texts of these properties look like.
var (
	pathForm   = regexp.MustCompile("^/[^ ]*$")
	localeForm = regexp.MustCompile("^[a-z]{2}$")
)
