package spec

import (
	"net/url"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
)

// Order is a way to sort the entries of a list by a property whose values are numbers, dates, times or texts.
type Order struct {
	Query url.Values // requests this order; a parameter without values must be absent; nil if the list always has it by its description
	Path  []string   // path to the property
	Sign  int        // 1 for ascending, -1 for descending, 0 if the contract does not say

	IsNamed bool // the contract names the property of a usual order
	IsText  bool // the values are texts, whose order depends on the language
}

// IsUsual reports whether a list has this order if no parameter names one.
func (o Order) IsUsual() bool { return o.Query.Encode() == "" }

// IsAskedBy reports whether a query requests this order.
func (o Order) IsAskedBy(query url.Values) bool {
	for name, values := range o.Query {
		if !slices.Equal(query[name], values) {
			return false
		}
	}
	return true
}

// Orders returns the ways to sort the entries that the contract lists, such as sort=-size, or
// sort=size with order=desc. It skips a parameter if the description says that some entries come
// first, such as pinned ones.
func (op *Operation) Orders() []Order { return slices.Clone(op.orders()) }

func (op *Operation) readOrders() (list []Order) {
	for _, p := range op.Parameters {
		if p.In == "query" && sortName().MatchString(p.Name) {
			list = append(list, op.ordersBy(p)...)
		}
	}
	return slices.Concat(slices.DeleteFunc(slices.Clone(list), Order.IsUsual), lists.Filter(list, Order.IsUsual), op.ordered())
}

// ordersBy returns the orders that a sort parameter requests, perhaps together with a parameter for the direction.
func (op *Operation) ordersBy(p Parameter) (list []Order) {
	words, values := byValue().ReplaceAllString(p.Description()+" "+op.at.Get("description").Text(), ""), p.named()
	if comesFirst().MatchString(words) {
		return nil
	}
	var ways []any
	way, hasWay := op.parameter(func(p Parameter) bool { return p.In == "query" && wayName().MatchString(p.Name) })
	if hasWay {
		ways = way.named()
	}
	for _, value := range values {
		text, _ := value.(string)
		parts := append(sortValue().FindStringSubmatch(text), "", "", "", "")
		of, path := op.sortable(parts[2])
		if of == nil {
			continue
		}
		order := Order{Query: url.Values{p.Name: {text}}, Path: path, Sign: signOf(parts[1] + parts[3]), IsText: isPlainText(of.Shape)}
		if rises := rising().MatchString(words) || slices.Contains(values, any("-"+text)); rises && order.Sign == 0 && !hasWay {
			order.Sign = 1
		}
		list = append(list, order)
		for _, by := range ways {
			if direction, _ := by.(string); signOf(by) != 0 {
				both := order
				both.Query, both.Sign = url.Values{p.Name: {text}, way.Name: {direction}}, signOf(by)
				list = append(list, both)
			}
		}
		if order.Sign != 0 && p.Schema.Place.Get("default").Text() == text { // also the order if the query does not name one
			order.Query, order.IsNamed = url.Values{p.Name: nil}, true
			list = append(list, order)
		}
	}
	return list
}

// named returns the values of a parameter that the contract names: those that the schema or its pattern lists, or else
// its default, the examples, and what the description quotes, unless that is a form such as `field:direction`.
func (p Parameter) named() (values []any) {
	if listed := p.Schema.Shape().Listed(); len(listed) > 0 {
		return listed
	}
	for _, at := range append(p.Schema.Place.To("anyOf").List(), p.Schema.Place) {
		if listed := pattern.Listed(at.Get("pattern").Text()); len(listed) > 0 {
			return lists.Map(listed, func(text string) any { return text })
		}
	}
	values = append(slices.Clone(p.Examples), p.Schema.Place.Get("default").Text(), p.Schema.Place.Get("example").Text())
	quotes := quoted().FindAllStringSubmatch(p.Description(), -1)
	if !slices.ContainsFunc(quotes, func(quote []string) bool { return !sortValue().MatchString(quote[1]) }) {
		values = append(values, lists.Map(quotes, func(quote []string) any { return quote[1] })...)
	}
	return lists.Unique(lists.Filter(values, func(value any) bool { text, _ := value.(string); return text != "" }))
}

// ordered returns the order that the entries always have by the description, or nil if a query may
// request another.
func (op *Operation) ordered() []Order {
	_, isAsked := op.parameter(func(p Parameter) bool {
		return p.In == "query" && (sortName().MatchString(p.Name) || wayName().MatchString(p.Name))
	})
	first := byAge().FindStringSubmatch(op.says())
	by := append(orderedBy().FindStringSubmatch(op.says()), "", "", "", "")
	isNamed := by[2] != "" && by[1] == "" && !ofAnotherOrder().MatchString(by[3]) && (first == nil || !strings.HasPrefix(strings.ToLower(by[2]), "creat"))
	if first == nil && !isNamed || isAsked {
		return nil
	}
	sign, names := -1, []string{"created", "sent", "posted", "added", "at"}
	switch {
	case first == nil:
		sign = signOf(by[3])
	case first[1] != "": // the oldest
		sign = 1
	}
	if isNamed {
		names = by[2:3]
	}
	for _, name := range names {
		if of, path := op.sortable(name); of != nil {
			return []Order{{Path: path, Sign: sign, IsNamed: isNamed, IsText: isPlainText(of.Shape)}}
		}
	}
	return nil
}

// isMeasure reports whether the values of a shape have only one order: numbers, dates and times.
// The order of texts depends on the language.
func isMeasure(of *schema.Shape) bool {
	types := of.TypesBesideNull()
	return !of.Enum && len(types) == 1 && (types[0] == "integer" || types[0] == "number" || types[0] == "string" && (of.Format == "date" || of.Format == "date-time"))
}

// isPlainText reports whether the values of a shape are any texts, without a format that could have an order of its own.
func isPlainText(of *schema.Shape) bool {
	return !of.Enum && of.Format == "" && slices.Equal(of.TypesBesideNull(), []string{"string"})
}

// sortable returns the property of the entries with that name if it has numbers, dates, times, or texts that a client
// chooses, and the path to it.
func (op *Operation) sortable(name string) (*schema.Property, []string) {
	of, path := op.chosen(name, func(of *schema.Shape) bool { return isMeasure(of) || isPlainText(of) })
	if of != nil && isPlainText(of.Shape) && (of.ReadOnly || strings.EqualFold(of.Name, "id")) {
		return nil, nil
	}
	return of, path
}

// signOf returns 1 for a text that means ascending, -1 for descending, and 0 for others.
func signOf(value any) int {
	text, _ := value.(string)
	return map[string]int{"+": 1, "asc": 1, "-": -1, "des": -1}[strings.ToLower(text[:min(len(text), len("asc"))])]
}

var (
	sortName       = pattern.Lazy(`(?i)^[_$]?(sort|order)([_-]?by)?$`)
	wayName        = pattern.Lazy(`(?i)^(sort|order)?[_-]?(dir|direction|order)$`)
	sortValue      = pattern.Lazy(`^([+-]?)(\w+?)(?:[ :_.,-]((?i:asc|desc)\w*))?$`)
	quoted         = pattern.Lazy("`([^`]+)`")
	byAge          = pattern.Lazy(`(?i)\b(?:(oldest|earliest)|newest|latest|most recent) first\b`)
	orderedBy      = pattern.Lazy(`(?i)(\b(?:can|may|could|optionally) (?:be )?)?\b(?:(?:ordered|sorted) (?:alphabetically )?by|in (?:the )?order of) (?:the |their |its )?\W*(\w+)\W*(?:in )?(\w*)`)
	ofAnotherOrder = pattern.Lazy(`(?i)^(of|each|every|within|per|relative)$`) // "by name of the owner"
	rising         = pattern.Lazy(`(?i)^\W*ascending\b`)
	comesFirst     = pattern.Lazy(`(?i)\b(first|then|before|top)\b`)
	byValue        = pattern.Lazy(`(?i)\b(newest|latest|most recent|oldest|earliest|lowest|highest|smallest|largest)\b[a-z ]{0,20}\bfirst\b|\bfirst (page\b|` + "`[^`]+`)") // words that state an order, or count entries
)
