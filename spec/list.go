package spec

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/shown"
)

// ListIn returns the list in the body of a success: the body itself, or the list that the
// contract describes in it. If the contract describes none, it is the only list in the
// object or, failing that, in the objects inside.
func (op *Operation) ListIn(body any) (list []any, ok bool) {
	return shown.List(op.SuccessShapes(), body)
}

// IsList reports whether a success of the operation is or contains a list.
func (op *Operation) IsList() bool {
	return slices.ContainsFunc(op.SuccessShapes(), func(of *schema.Shape) bool {
		_, first := shown.Entries(of)
		return first != nil
	})
}

// AddsEntry reports whether the operation is a POST on a list whose entries have paths. It creates
// one entry and does not change the others.
func (op *Operation) AddsEntry() bool {
	path := barePath(op.Path)
	return op.Method == http.MethodPost && !strings.HasSuffix(path, "/{}") && op.reader.paths[path+"/{}"] != nil
}

// Relates reports whether an operation relates an entry of another list to what its path names: PUT
// without a body on /articles/{id}/tags/{tag}, if no request creates entries of /articles/{id}/tags.
func (op *Operation) Relates() bool {
	list, isEntry := strings.CutSuffix(barePath(op.Path), "/{}")
	needsBody := op.RequestBody != nil && op.RequestBody.Required
	return op.Method == http.MethodPut && isEntry && !needsBody && !op.Names("201") && strings.Contains(list, "{") && op.reader.paths[list][http.MethodPost] == nil
}

// CountsMatches reports whether the document says that a number counts the entries that match the filters. name is that
// of a property in the object around the list, or of a header.
func (op *Operation) CountsMatches(name string) bool {
	said := lists.Map(op.Successes(), func(d *Declared) string {
		if h := d.Header(name); h != nil {
			return h.at.Get("description").Text()
		}
		return ""
	})
	for _, of := range op.SuccessShapes() {
		properties := of.Properties
		for _, p := range lists.Filter(properties, func(p *schema.Property) bool { return pageObject().MatchString(p.Name) }) {
			properties = slices.Concat(properties, p.Shape.Properties)
		}
		for _, p := range lists.Filter(properties, func(p *schema.Property) bool { return p.Name == name }) {
			said = append(said, p.At.Get("description").Text())
		}
	}
	text := beyondPage().ReplaceAllString(strings.Join(said, "\n"), "")
	return countsMatches().MatchString(text) && !countsOthers().MatchString(text)
}

var (
	countsMatches = pattern.Lazy(`(?i)\b(number|count|how many|total (entries|items|results|records|hits))\b[^.]*\b(match\w*|meet\w*|satisf\w+|filtered|after filtering|(of|for|with|by) (the|this|these|all) (\w+ )?(filters?|query|criteria|search))\b`)
	// countsOthers matches words for a number that leaves out some matches, or has other entries too.
	countsOthers = pattern.Lazy(`(?i)\b(regardless|irrespective|ignor\w+|without|not|before|unfiltered|independent\w*|approx\w*|estimate\w*|roughly|about|at (most|least)|up to|capped|limited|may|might|can|could|except|unless|whether|hidden|deleted|archived|inclu\w+|also|pages|or)\b`)
	// beyondPage matches words that say that the number is not only that of the page.
	beyondPage = pattern.Lazy(`(?i)\b(not (only|just)|regardless of|irrespective of|ignoring|without|before|independent(ly)? of|on|in|across|over|of)\b( \w+){0,3} (pages?|paging|pagination|limit|offset)\b( (or|and) (limit|offset)\b)?`)
)

// SuccessShapes returns the shapes of the JSON bodies of successes.
func (op *Operation) SuccessShapes() []*schema.Shape {
	return lists.Map(lists.Filter(op.successContent(), mediatype.Content.MayBeJSON), func(c mediatype.Content) *schema.Shape { return c.Schema.Shape() })
}

// isNumber reports whether a shape allows integers or numbers. Many generators give page numbers
// the type number.
func isNumber(s *schema.Shape) bool {
	return slices.Contains(s.Types, "integer") || slices.Contains(s.Types, "number")
}

// PageSize returns the parameter for the maximum number of entries in a list. A parameter named
// count may filter by a property instead, one named first may say where a page begins, and one
// named size or max may be about a property of the entries.
func (op *Operation) PageSize() (Parameter, bool) {
	_, hasPages := op.Parameter("query", "page")
	_, hasAfter := op.Parameter("query", "after")
	isSize := func(p Parameter) bool {
		return p.In == "query" && isNumber(p.Schema.Shape()) && (pageSize().MatchString(p.Name) || hasPages && p.Name == "size")
	}
	if p, ok := op.parameter(isSize); ok {
		return p, ok
	}
	return op.parameter(func(p Parameter) bool {
		words := p.Description()
		if p.In != "query" || !isNumber(p.Schema.Shape()) || slices.ContainsFunc(op.SuccessShapes(), func(of *schema.Shape) bool {
			entry, _ := shown.Entries(of)
			return entry.Property(p.Name) != nil
		}) {
			return false
		}
		isPlain := p.Name == "first" && hasAfter || plainSize().MatchString(p.Name)
		return isPlain && !widening().MatchString(words) || op.countsEntries(p, words)
	})
}

// countsEntries reports whether a number with bounds is a number of entries, by its description, or
// by its name and a default. If there is also a parameter min, it is the end of a range. If it may
// exceed 1000, it may be a price.
func (op *Operation) countsEntries(p Parameter, words string) bool {
	const few = 5 // a smaller default may be a number of people, or that of the first entry
	_, isEnd := op.Parameter("query", "min")
	usual, _ := preset(p)
	meets := func(n json.Number) bool { return p.Schema.Meets(schema.Request, n) }
	isTold := countWords().MatchString(words) || anySize().MatchString(p.Name) && usual >= few
	return isTold && op.IsList() && !isEnd && !choiceWords().MatchString(words) && meets("1") && !meets("-1") && !meets("1001")
}

var (
	pageSize    = pattern.Lazy(`(?i)^[_$]?(limit|page[_-]?size|page\[(size|limit)\]|per[_-]?page|max[_-]?(results|items|keys))$`)
	plainSize   = pattern.Lazy(`(?i)^[_$]?(top|count|take|rows)$`)
	anySize     = pattern.Lazy(`(?i)^[_$]?(size|first|max|top|n|count|per|take|rows)$`)
	countWords  = pattern.Lazy(`(?i)\b(at most|up to|maximum (number|count) of)\b.*\b(entries|items|results|records|rows|(per|a|each|one) page)\b`)
	choiceWords = pattern.Lazy(`(?i)\b(only|whose|which|with|at least|min\w+|skip\w*|price|cost\w*)\b`)
)

// NextPage is a way to request the second page of a list: a query parameter takes Value, or the
// value that the first page shows at Path. IsSecond is false if it is unknown whether pages are
// numbered from 0 or 1, so that Value may select the third page. If IsLink is true, Path leads to a
// link to the page, or to an object with its href. If IsEnded is true, the document says that the last page has no such
// value.
type NextPage struct {
	Name     string
	Value    json.Number
	IsSecond bool
	Path     []string
	IsLink   bool
	IsEnded  bool
}

// NextPages returns the ways to request the second page of a list that has one entry per page.
func (op *Operation) NextPages() (list []NextPage) {
	var link []string
	for _, of := range op.SuccessShapes() {
		if link = nextLink(of, ""); link != nil {
			list = append(list, NextPage{Name: strings.Join(link, "."), Path: link, IsLink: true})
			break
		}
	}
	for _, p := range op.Parameters {
		of := p.Schema.Shape()
		switch {
		case p.In != "query":
		case pageNumber().MatchString(p.Name) && isNumber(of):
			next := NextPage{Name: p.Name, Value: "2", IsSecond: !p.Schema.Meets(schema.Request, json.Number("0"))}
			if pageOffset().MatchString(p.Name) {
				next.Value, next.IsSecond = "1", true
			}
			if first, ok := preset(p); ok {
				next.Value, next.IsSecond = json.Number(strconv.Itoa(first+1)), true
			}
			list = append(list, next)
		case pageCursor().MatchString(p.Name):
			at, words := op.cursorAt(of)
			if at == nil && schema.PlainName(p.Name) == "startingafter" { // it takes the id of an entry
				at = op.firstID(of)
			}
			if at != nil && !slices.Equal(at, link) {
				list = append(list, NextPage{Name: p.Name, Path: at, IsEnded: noCursor().MatchString(words)})
			}
		}
	}
	return list
}

// IsCursor reports whether a query parameter takes a value that the service gives with a page, so that a service may
// refuse any other value.
func (op *Operation) IsCursor(p Parameter) bool {
	of := p.Schema.Shape()
	return p.In == "query" && pageCursor().MatchString(p.Name) && !p.Required && !of.Enum && !strings.HasPrefix(of.Format, "date") &&
		!slices.ContainsFunc(op.Filters(), func(f Filter) bool { return f.Key == p.Name && f.By.IsBound() })
}

// nextLink returns the path to the link to the next page in an object with that name, such as
// links.next, _links.next and paging.next, or nil. A property is a link if it has an href, or if
// its format, description, example or name says so, or the name of the object.
func nextLink(object *schema.Shape, name string) []string {
	for _, p := range object.Properties {
		words := strings.Join([]string{name, p.Name, p.Shape.Format, p.At.Get("description").Text(), p.At.Get("example").Text()}, " ")
		if nextName().MatchString(p.Name) && (p.Shape.Property("href") != nil || p.Shape.Allows("string") && linkWords().MatchString(words)) {
			return []string{p.Name}
		}
		if !pageObject().MatchString(p.Name) {
			continue
		}
		if inner := nextLink(p.Shape, p.Name); inner != nil {
			return append([]string{p.Name}, inner...)
		}
	}
	return nil
}

// firstID returns the path to the id of the first entry of a page, if it has the types of that
// shape, or nil.
func (op *Operation) firstID(of *schema.Shape) []string {
	for _, page := range op.SuccessShapes() {
		each, path := shown.Entries(page)
		if id := each.Property("id"); path != nil && id != nil && slices.Equal(id.Shape.TypesBesideNull(), of.TypesBesideNull()) {
			return append(path, "id")
		}
	}
	return nil
}

// cursorAt returns the path to the value in a page that leads to the next page, or nil. The value
// must have the types and the format of that shape: an address is not a cursor. words is its description.
func (op *Operation) cursorAt(of *schema.Shape) (path []string, words string) {
	isNext := func(p *schema.Property) bool {
		return nextCursor().MatchString(p.Name) && slices.Equal(p.Shape.TypesBesideNull(), of.TypesBesideNull()) && p.Shape.Format == of.Format
	}
	for _, of := range op.SuccessShapes() {
		for _, p := range of.Properties {
			if isNext(p) {
				return []string{p.Name}, p.At.Get("description").Text()
			}
			if i := slices.IndexFunc(p.Shape.Properties, isNext); i >= 0 {
				return []string{p.Name, p.Shape.Properties[i].Name}, p.Shape.Properties[i].At.Get("description").Text()
			}
		}
	}
	return nil, ""
}

var (
	noCursor   = pattern.Lazy(`(?i)\b(null|absent|omitted|missing|empty|not (present|set|returned))\b.*\b(last|final|no (more|further|other|next))\b`)
	pageNumber = pattern.Lazy(`(?i)^[_$]?(page|page[_-]?(number|no|num|index)|page\[(number|offset)\]|offset|skip|start[_-]?(index|at))$`)
	pageOffset = pattern.Lazy(`(?i)offset|skip|start[_-]?at`)
	pageCursor = pattern.Lazy(`(?i)^(page[_-]?|next[_-]?)?cursor$|^(page|next|next[_-]?page|continuation)[_-]?token$|^(starting[_-]?)?after$|^marker$`)
	nextName   = pattern.Lazy(`(?i)^(@\w+\.)?next[_-]?(page)?[_-]?(link|ur[il]|href)?$`)
	linkWords  = pattern.Lazy(`(?i)(links?|ur[il]|iri|href|address)\b|://`)
	pageObject = pattern.Lazy(`(?i)^_?(links|pages?|paging|pagination|meta|metadata)$`)
	nextCursor = pattern.Lazy(`(?i)^(next|next[_-]?(page|token|key|id|marker)|(next|end|page|next[_-]?page)?[_-]?cursor|(page|next[_-]?page|continuation)[_-]?token)$`)
)

// IsPaged reports whether the operation has a query parameter whose name suggests that it selects a
// part of a list, or one for the number of entries. A bound such as max_price does not count, but
// max_id may.
func (op *Operation) IsPaged() bool {
	filters := op.Filters()
	isSuch := func(name string, of *schema.Shape) bool {
		isBound := slices.ContainsFunc(filters, func(f Filter) bool {
			return f.By.IsBound() && (f.Name == name || f.Member == name) && !idName().MatchString(f.Property)
		})
		return !isBound && of.Format != "date" && of.Format != "date-time" && paging().MatchString(capital().ReplaceAllString(name, "${1}_$2"))
	}
	_, hasSize := op.PageSize()
	return hasSize || slices.ContainsFunc(op.Parameters, func(p Parameter) bool {
		of := p.Schema.Shape()
		return p.In == "query" && (isSuch(p.Name, of) || slices.ContainsFunc(of.Properties, func(m *schema.Property) bool { return isSuch(m.Name, m.Shape) }))
	})
}

// FirstPage reports whether a query asks for the first page of all entries, and how many entries
// that page may have; 0 if the contract does not say.
func (op *Operation) FirstPage(query url.Values) (size int, ok bool) {
	by, hasSize := op.PageSize()
	for name, values := range query {
		if len(values) != 1 || name != by.Name && !strings.Contains(strings.ToLower(name), "version") {
			return 0, false
		}
	}
	if asked := query.Get(by.Name); asked != "" {
		size, _ = strconv.Atoi(asked)
		return size, size > 0
	}
	if hasSize {
		size, _ = preset(by)
	}
	return size, true
}

// preset returns the default of a parameter, if it is an integer.
func preset(p Parameter) (n int, ok bool) {
	if given := p.Schema.Place.Get("default"); given != nil {
		number, err := strconv.Atoi(given.Literal)
		return number, err == nil
	}
	return 0, false
}

// paging matches a name with one of these words, after capital has separated its words.
var (
	paging  = pattern.Lazy(`(?i)(^|[^a-z])(page[a-z]*|perpage|limit|offset|cursor|size|count|skip|top|start(ing|index)?|after|before|max|per|token|range|from|first|last|next|results?)([^a-z]|$)`)
	capital = pattern.Lazy(`([a-z0-9])([A-Z])`)
)

// search returns the filter of a query parameter with a text that one property of each entry must contain, by its
// description: "Only books whose title contains this text". A search by several properties, by similar texts or by
// parts of words may find other entries, so ok is false.
func (op *Operation) search(p Parameter) (f Filter, ok bool) {
	by, said := p.Schema.Shape(), anyCase().ReplaceAllString(words(p.Description()), "")
	if p.In != "query" || !slices.Equal(by.TypesBesideNull(), []string{"string"}) || by.Enum || by.Format != "" || !containing().MatchString(said) || vague().MatchString(said) {
		return f, false
	}
	for _, of := range op.SuccessShapes() {
		entry, _ := shown.Entries(of)
		if entry == nil {
			continue
		}
		named := lists.Filter(entry.Properties, func(property *schema.Property) bool { return op.saysToContain(p.Description(), property) })
		if len(named) == 1 {
			return Filter{Parameter: p, Key: p.Name, Property: named[0].Name, Path: []string{named[0].Name}, By: OfText, IsSearch: true, Of: p.Schema, of: named[0]}, true
		}
	}
	return f, false
}

// saysToContain reports whether a sentence says that the property of each entry contains a text. A sentence with other
// words may be about something that belongs to the entry: "books with a chapter whose title contains this text".
func (op *Operation) saysToContain(description string, p *schema.Property) bool {
	name := strings.ToLower(strings.Join(wordOfName().FindAllString(p.Name, -1), " ?"))
	plain := strings.NewReplacer(" ", "", "?", "")
	if name == "" || !strings.Contains(plain.Replace(words(description)), plain.Replace(name)) || !slices.Equal(p.Shape.TypesBesideNull(), []string{"string"}) || p.Shape.Enum || p.Shape.Format != "" {
		return false
	}
	const text = `(?:(?:the|this|that|an?|its|given|specified|provided|search|case insensitive) )*(?:text|string|value|term|substring|phrase|query|filter)`
	entries := `^(?:(?:only|lists?|returns?|shows?|finds?|gets?|filters?|searche?s?|limits?|to|for|the|all|list|results|` + op.noun() + `|entries|items|records|resources|those|ones) )*`
	forms := []string{
		entries + `(?:whose|where(?: the| its| their)?|with an?|that have an?) ` + name + ` (?:field |property )?(?:that )?contain(?:s|ing)? ` + text,
		entries + `(?:with|that have|having|that contain|containing) ` + text + ` in (?:the|their|its) ` + name,
		`^(?:the |its )?` + name + ` contains ` + text,
		`^(?:an? |the )?` + text + ` that (?:the |its )?` + name + `(?: of (?:the|an?|each) ` + op.noun() + `)? (?:must )?contains?`,
		`^(?:(?:an?|the|case insensitive|text|for|filters?|search|by|is) )*(?:substring|part) (?:of|in) the (?:` + op.noun() + ` s? ?)?` + name,
	}
	said := regexp.MustCompile(`(?:` + strings.Join(forms, "|") + `)(?: to (?:search|look|filter) (?:for|by))?(?:,? \(?(?:ignoring case|case insensitive(?:ly)?|case sensitive(?:ly)?|in upper or lower case)\)?)?\W*$`)
	return slices.ContainsFunc(endOfSentence().Split(description, -1), func(sentence string) bool { return said.MatchString(words(sentence)) })
}

var (
	// containing matches a text that may say that an entry contains the value of a parameter.
	containing = pattern.Lazy(`\bcontain(s|ing)?\b|\b(substring|part) (of|in) the\b|\btext in\b`)
	anyCase    = pattern.Lazy(`\b(not case sensitive|case (does not matter|is (not significant|ignored|irrelevant))|in upper or lower case)\b`)
	// vague matches words for a search that may find more than the entries that contain a text.
	vague = pattern.Lazy(`\b(or|and|also|fuzzy|fuzzily|stem\w*|relevan\w*|similar\w*|synonym\w*|approx\w*|typos?|token\w*|words|terms|keywords?|full text|rank\w*|score\w*|semantic\w*|regex\w*|regular|patterns?|wildcards?|prefix\w*|starts?|diacritics?|accents?|match\w*|translat\w*|unless|except|not|without|deprecated|ignored)\b`)
)
