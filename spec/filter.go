package spec

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/shown"
)

// Filter is a way to choose entries of a list by one of their properties: a query parameter,
// or a property of an object that is written as separate query parameters.
type Filter struct {
	Parameter
	Member   string   // the property of the parameter, if that is an object
	Key      string   // its name in the query
	Property string   // the property of the entries
	Path     []string // the path to the property in an entry
	By       Comparison
	Edge     Edge // only for a bound
	IsList   bool // it takes several values
	IsSearch bool // its description says that the property contains the text
	Of       *schema.Schema

	of *schema.Property // the property of the entries
}

// Comparison says how the property of an entry must compare with the value that a filter requests.
type Comparison int

// The comparisons. AtMost is -1 and AtLeast is 1, so that -AtMost is AtLeast.
const (
	AtMost Comparison = iota - 1
	Same              // equal, such as an id
	AtLeast
	OfListed // equal to one of the values that the contract lists
	OfText   // the same text, or a longer one that contains it
	OfNumber // equal, or higher or lower if the service treats the value as a bound
	OfDay    // a time on that day, in some time zone
)

// IsBound reports whether the comparison is AtLeast or AtMost, so that entries may have other
// values than the requested one.
func (c Comparison) IsBound() bool { return c == AtLeast || c == AtMost }

// Edge says whether a bound includes the requested value itself.
type Edge int

// The edges. Words such as "since" leave it open.
const (
	EdgeOpen Edge = iota
	EdgeIncluded
	EdgeExcluded
)

// promise returns what a document says about a list with a filter. %s stands for the operation.
func (f Filter) promise() string {
	if f.IsSearch {
		return "%s lists only entries whose " + f.Property + " contains the text of " + f.Name
	}
	return "%s lists the entries with the " + f.Property + " that is asked for, and no others"
}

// Words returns the words before a bound, such as "at least ", or before the text of a search, or "" for other filters.
func (f Filter) Words() string {
	switch {
	case f.IsSearch:
		return "a text that contains "
	case !f.By.IsBound():
		return ""
	case f.Edge == EdgeExcluded:
		return map[Comparison]string{AtLeast: "above ", AtMost: "below "}[f.By]
	}
	return map[Comparison]string{AtLeast: "at least ", AtMost: "at most "}[f.By]
}

// Filters returns the query parameters that choose entries of the list by a property with
// the same name and meaning, such as a state or a flag. A parameter is left out if its
// description says that it adds or excludes entries.
func (op *Operation) Filters() (list []Filter) {
	for _, p := range op.Parameters {
		spreads := p.Spreads()
		if p.Kind != "deepObject" && !spreads {
			f, ok := op.filter(Filter{Parameter: p, Key: p.Name, Of: p.Schema}, p.Name, p.Description())
			if !ok {
				f, ok = op.search(p)
			}
			if ok {
				list = append(list, f)
			}
			continue
		}
		for _, m := range p.Schema.Shape().Properties {
			key := p.Name + "[" + m.Name + "]"
			if spreads {
				key = m.Name
			}
			if f, ok := op.filter(Filter{Parameter: p, Member: m.Name, Key: key, Of: p.Schema.Of(m)}, m.Name, m.At.Get("description").Text()); ok {
				list = append(list, f)
			}
		}
	}
	return list
}

// filter completes the filter with that name and description. ok is false if it chooses no entries by a property.
func (op *Operation) filter(f Filter, name, words string) (filter Filter, ok bool) {
	by := f.Of.Shape()
	if op.bound(&f, f.Key, words) || op.bound(&f, name, words) {
		return f, true
	}
	if f.IsList = by.IsArray(); f.IsList {
		by = by.Each
	}
	if f.In != "query" || by == nil || widening().MatchString(aboutTotal().ReplaceAllString(orNot().ReplaceAllString(words, ""), "")) || !mayChoose(by, name) || !f.IsList && f.Member == "" && !by.Enum && paging().MatchString(name) {
		return f, false
	}
	f.By = comparison(by, !f.IsList && !idName().MatchString(name))
	isDay := by.Format == "date" && !f.IsList && onDay().MatchString(words)
	if f.of, f.Path = op.chosen(partOf().ReplaceAllString(name, ""), func(of *schema.Shape) bool {
		return isKind(of, by) || of.IsArray() && of.Each != nil && isKind(of.Each, by) || isDay && of.Format == "date-time"
	}); f.of == nil {
		return f, false
	}
	if f.of.Shape.Format == "date-time" && isDay {
		f.By = OfDay
	}
	f.Property = f.of.Name
	return f, true
}

// comparison returns the comparison for values of a shape. mayOrder permits OfNumber.
func comparison(of *schema.Shape, mayOrder bool) Comparison {
	switch {
	case of.Enum || of.Allows("boolean"):
		return OfListed
	case of.Allows("string") && of.Format == "":
		return OfText
	case mayOrder && (of.Format == "date" || of.Allows("integer")):
		return OfNumber
	}
	return Same
}

// bound makes f a bound and returns true if its name says so, such as minPrice, created_before and
// price[gte]. A name without a property, such as from, is a bound if the description quotes the
// property, or has its verb: "that start before this time" for startsAt. So is startsFrom if the
// description says how startDate compares with it.
func (op *Operation) bound(f *Filter, name, words string) bool {
	parts := boundName().FindStringSubmatch(capital().ReplaceAllString(name, "${1}_$2"))
	if f.In != "query" || (parts[1]+parts[2] == "") == (parts[4]+parts[5] == "") || otherBound().MatchString(boundWords().ReplaceAllString(words, "")) {
		return false
	}
	size, _ := op.PageSize()
	_, hasUnit := op.parameter(func(p Parameter) bool { return unitName().MatchString(p.Name) })
	property, by := parts[3], f.Of.Shape()
	if quoted := quotedName().FindAllStringSubmatch(words, 2); property == "" && len(quoted) == 1 {
		property = quoted[0][1]
	}
	same, _ := op.chosen(name, isMeasure)
	isAlike := func(of *schema.Shape) bool {
		return isMeasure(of) && isMeasure(by) && slices.Equal(of.TypesBesideNull(), by.TypesBesideNull()) && (isNumber(of) || of.Format == by.Format)
	}
	f.of, f.Path = op.chosen(property, isAlike)
	if told := boundOf().FindAllStringSubmatch(words, 2); f.of == nil && len(told) == 1 {
		f.of, f.Path = op.chosen(told[0][1], isAlike)
	}
	if told := verbOfBound().FindAllStringSubmatch(words, 2); property == "" && len(told) == 1 {
		f.of = nil
		for _, ending := range []string{"", "s", "time", "date"} {
			if property = told[0][1]; f.of == nil {
				f.of, f.Path = op.chosen(property+ending, isAlike)
			}
		}
	}
	if f.of == nil || same != nil || property == "" || f.Name == size.Name || hasUnit {
		return false
	}
	if f.Property, f.By = f.of.Name, AtMost; parts[1]+parts[4] != "" {
		f.By = AtLeast
	}
	f.Edge = edge(f.By, words, parts[1]+parts[2]+parts[4]+parts[5])
	return true
}

// edge returns the edge of a bound by its description, or else by the bound words in its name.
func edge(by Comparison, words, name string) Edge {
	beyond, other, extreme := rises, falls, "minimum"
	if by == AtMost {
		beyond, other, extreme = falls, rises, "maximum"
	}
	words = strings.ReplaceAll(otherEdge().ReplaceAllString(strings.ToLower(words), ""), "before", "earlier than")
	words = other().ReplaceAllString(beyond().ReplaceAllString(words, "BEYOND"), "OTHER")
	rest := included().ReplaceAllString(words, "")
	isIncluded, isExcluded := rest != words, excluded().MatchString(rest)
	name = strings.ToLower(name)
	isExtreme, isGreater := strings.Contains(rest, extreme), name == "gt" || name == "lt"
	switch {
	case isIncluded && (isExcluded || isGreater):
		return EdgeOpen
	case isIncluded:
		return EdgeIncluded
	case isExcluded, isGreater && !isExtreme:
		return EdgeExcluded
	case !isGreater && (isExtreme || slices.Contains([]string{"gte", "ge", "lte", "le", "min", "minimum", "max", "maximum"}, name)) && !strings.Contains(rest, "BEYOND"):
		return EdgeIncluded
	}
	return EdgeOpen
}

// chosen returns the property of the entries that a filter with that name selects by, and the path
// to it. It ignores case and underscores. JSON:API writes filter[color], and shows the color in
// attributes. chosen returns nil if no property with that name meets isSuch.
func (op *Operation) chosen(name string, isSuch func(of *schema.Shape) bool) (chosen *schema.Property, path []string) {
	plain := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
	if inner, is := strings.CutPrefix(name, "filter["); is {
		name = strings.TrimSuffix(inner, "]")
	}
	for _, of := range op.SuccessShapes() {
		entry, _ := shown.Entries(of)
		if entry == nil {
			continue
		}
		properties := entry.Properties
		if p := entry.Property("attributes"); p != nil {
			path, properties = []string{p.Name}, slices.Concat(properties, p.Shape.Properties)
		}
		for _, such := range []string{name, name + "s", strings.TrimSuffix(name, "s"), name + "list", name + "at", "is" + name} {
			for i, p := range properties {
				if plain(p.Name) == plain(such) && isSuch(p.Shape) {
					if i < len(entry.Properties) {
						path = nil
					}
					return p, append(path, p.Name)
				}
			}
		}
	}
	return nil, nil
}

// isKind reports whether values of both shapes have the same kind. Integers may differ in their
// format, which only limits their size.
func isKind(of, by *schema.Shape) bool {
	integer := []string{"integer"}
	return of.IsLike(by) || !by.Enum && slices.Equal(of.TypesBesideNull(), integer) && slices.Equal(by.TypesBesideNull(), integer)
}

// mayChoose reports whether values of a shape can select entries. A text with a name such as format
// may request another form of the same entries.
func mayChoose(of *schema.Shape, name string) bool {
	switch types := of.TypesBesideNull(); {
	case slices.Equal(types, []string{"string"}):
		return of.Enum || slices.Contains([]string{"uuid", "email", "date"}, of.Format) || of.Format == "" && !form().MatchString(name)
	default:
		return slices.Equal(types, []string{"integer"}) || slices.Equal(types, []string{"boolean"})
	}
}

// Chooses reports whether a text in a query requests entries with exactly that value, or up to it
// for a bound. Other texts, such as "all", select differently. A flag with a default may be a
// switch: its other value may add entries to the default ones, unless the description says "only".
func (f Filter) Chooses(text string) bool {
	var value any = text
	of := f.Of.Shape() // of one value
	if f.IsList {
		of = of.Each
	}
	switch {
	case f.By.IsBound() && isNumber(of): // 0 may mean that there is no bound
		n, err := strconv.ParseFloat(text, 64)
		return err == nil && n > 0 && instance.IsNumber(text) && f.Of.Meets(schema.Request, instance.Number(text))
	case f.By.IsBound(), f.By == OfDay:
		return f.Of.Meets(schema.Request, text)
	case of.Allows("boolean") && (text == "true" || text == "false"): // the service decides what 1 means
		if unset := f.Of.Place.Get("default"); unset != nil && unset.Kind == document.Bool && unset.Literal != text && !f.isExclusive() {
			return false
		}
		value = text == "true"
	case of.Allows("integer") && instance.IsNumber(text):
		value = instance.Number(text)
	}
	property := f.Of.Of(f.of) // only the first schema: alternatives may list a value each
	isListed := instance.Contains(f.of.Shape.Listed(), value)
	if !isListed && !property.Meets(schema.Response, value) && !property.Meets(schema.Response, []any{value}) {
		return false
	}
	if f.IsList {
		value = []any{value}
	}
	return !(f.IsList && strings.ContainsAny(text, ",| ")) && f.Of.Meets(schema.Request, value)
}

// isExclusive reports whether the description says that the other value of a flag selects only entries with the
// property: "only archived flags are returned".
func (f Filter) isExclusive() bool {
	_, rest, is := strings.Cut(strings.ToLower(f.Description()), "only ")
	rest, _, _ = strings.Cut(rest, ".")
	property := strings.ToLower(f.Property)
	return is && slices.ContainsFunc(strings.FieldsFunc(rest, isNoLetter), func(word string) bool {
		return slices.Contains([]string{word, "is" + word, "is_" + word}, property)
	})
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) }

// Asked returns the values that a query requests. An entry must have one of them; for lists, see
// [Filter.IsByList]. Asked returns nil if a value selects differently, see [Filter.Chooses].
func (f Filter) Asked(query url.Values) []string {
	asked := query[f.Key]
	if f.IsList && !f.Explode && len(asked) == 1 {
		asked = strings.Split(asked[0], f.Delimiter())
	}
	isOther := func(text string) bool { return !f.Chooses(text) }
	if slices.ContainsFunc(asked, isOther) || len(asked) > 1 && !f.IsList {
		return nil
	}
	return asked
}

// IsByList reports whether the property of the entries is a list. A service may select entries with
// all requested values, or entries with one of them.
func (f Filter) IsByList() bool { return f.of.Shape.IsArray() }

// IsOtherEnd reports whether other is the opposite bound of the same property. If no value is
// between the two, a service may swap them.
func (f Filter) IsOtherEnd(other Filter) bool {
	return f.By.IsBound() && other.By == -f.By && slices.Equal(f.Path, other.Path)
}

// Asking returns the parameter value that requests one value of the property, or one of several.
func (f Filter) Asking(values ...any) any {
	value := values[0]
	if f.IsList {
		value = values
	}
	if f.Member != "" {
		value = map[string]any{f.Member: value}
	}
	return value
}

// JoinsFilters reports whether the service may join two filters by OR, by the description of the
// operation or of one of its filters.
func (op *Operation) JoinsFilters() bool {
	return joined().MatchString(op.says()) || slices.ContainsFunc(op.Filters(), func(f Filter) bool { return joined().MatchString(f.Description()) })
}

// Patterns for the names of parameters.
var (
	// boundName matches any name. Its groups are a word for a lower or an upper bound at the
	// beginning, the property, and such a word at the end.
	boundName = pattern.Lazy(`(?i)^(?:(?:(min)|(max))(?:imum)?[_.-]+)?(.*?)(?:(?:[_.-]+|\[|\b)\$?(?:(min(?:imum)?|gte?|ge|after|since|from)|(max(?:imum)?|lte?|le|before|until|to))\]?)?$`)
	partOf    = pattern.Lazy(`(?i)[_.-]?(contains|starts?_?with)$`)                                                     // an operator that searches for a text in another one
	unitName  = pattern.Lazy(`(?i)(^|[_-])(unit|currency)`)                                                             // the unit of a bound, which the shown values may not have
	idName    = pattern.Lazy(`^id$|_id$|Id$|ID$`)                                                                       // ids have no order
	form      = pattern.Lazy(`(?i)^(lang(uage)?|locale|currency|units?|time_?zone|format|view|fields|expand|version)$`) // a text that may request another form of entries
)

// wideningWords matches words that say that a parameter does not select by equality alone.
const wideningWords = `(?i)\b(inclu\w+|also|as well|exclu\w+|without|not|other than|beside\w*|at least|at most|or (more|less|higher|lower|later|earlier|above|below)|up to|prefer\w*|default\w*|new|hidden|unless|only (listed|shown|returned) (if|when)|(listed|shown|returned) only (if|when))\b`

// Patterns for descriptions.
var (
	quotedName = pattern.Lazy("[`'\"](\\w+)[`'\"]")
	onDay      = pattern.Lazy(`(?i)\bon (this|that|the (given|specified|same|requested)|a (given|specific|certain)) (day|date)\b`)
	// boundOf matches a quoted property that is compared: "whose `startDate` is on or after this date".
	boundOf = pattern.Lazy("[`'\"](\\w+)[`'\"] (?:(?:is|are|was|lies|falls) )?(?:(?:on|at|equal to|not|no) )?(?:or|least|most|after|before|later|earlier|greater|higher|less|lower|above|below|[<>≤≥])")
	// verbOfBound matches the verb of a property that is compared: "that start at this time or later".
	verbOfBound = pattern.Lazy(`(?i)\b(\w+?)(?:ing)? (?:(?:at|on) )?(?:(?:this|that|the given) (?:time|date|instant|moment),? )?(?:or )?(?:later|after|before|earlier)\b`)
	widening    = pattern.Lazy(wideningWords)
	// orNot matches words that say that the other value of a flag selects the other entries.
	orNot      = pattern.Lazy(`(?i)\bor (only )?((those|the ones|ones|entries) )?((that|which) )?((are|is|have|has|were|was|do|does) )?not\s*([.,;:()]|$)`)
	aboutTotal = pattern.Lazy(`(?i)\b(the|its) (total|count|sum|number of \w+) (is|are) (not affected|unaffected|independent of)\b[^.]*`)
	// boundWords matches words about a bound. They are removed before otherBound is applied, which
	// would match some of them.
	boundWords = pattern.Lazy(`(?i)\b((in|ex)clusive(ly)?|at (least|most)|up to|(at|on|equal( to)?) or|or (an? )?(equal|more|less|greater|higher|lower|later|newer|older|earlier|above|below|after|before|at|on))\b`)
	otherBound = pattern.Lazy(wideningWords + `|(?i)\b(or|pages?)\b`)
	// joined matches words that say that filters are joined by OR.
	joined = pattern.Lazy(`\bOR\b|(?i)\b(either|any (one )?of (the|these|those|its) (\w+ )?(filter|parameter|criteri|condition)\w*|at least one|(match\w*|combin\w*|join\w*) ((with|by) or|any|one))\b`)
	// rises and falls match words for values beyond a lower or an upper bound. BEYOND replaces
	// these words, and OTHER those of the opposite bound. Then included and excluded match words
	// about the value of the bound itself.
	rises    = pattern.Lazy(`\b(more|greater|higher|larger|later|newer|after|above|over|least)\b`)
	falls    = pattern.Lazy(`\b(less|fewer|lower|smaller|earlier|older|below|under|most)\b`)
	included = pattern.Lazy(`[<>]=|[≤≥]|\b(inclusive(ly)?|at BEYOND|no OTHER than|(on|at|equal( to)?),? or BEYOND|BEYOND( than)?,? or (equal|at|on)|or (an? )?BEYOND)\b`)
	excluded = pattern.Lazy(`\b(exclusive(ly)?|strictly|non|BEYOND than)\b`)
	// otherEdge matches words about the value of a parameter, or about other parameters.
	otherEdge = pattern.Lazy(`\bmutually exclusive|([<>]=?|\b(\w+ than|at least|at most|(minimum|maximum)( is| of|:)?)( or equal to)?) ?\W?(\d|(one|two|zero)\b)`)
)
