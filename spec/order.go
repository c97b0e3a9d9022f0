package spec

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/schema"
)

// Order is a way to sort the entries of a list by a property whose values are numbers, dates or times.
type Order struct {
	Query url.Values // what asks for it
	Path  []string   // to the property
	Sign  int        // 1 if its values rise, -1 if they fall, 0 if the contract does not say
}

// Orders returns the ways to sort the entries that the contract lists, such as sort=-size, or sort=size with
// order=desc. A contract that says what comes first, such as what is pinned, has none.
func (op *Operation) Orders() (list []Order) {
	var ways []any
	way, hasWay := op.parameter(func(p Parameter) bool { return p.In == "query" && wayName.MatchString(p.Name) })
	if hasWay {
		ways = way.Schema.Shape().Listed()
	}
	for _, p := range op.Parameters {
		words, values := byValue.ReplaceAllString(p.Description()+" "+op.at.Get("description").Text(), ""), p.Schema.Shape().Listed()
		if p.In != "query" || !sortName.MatchString(p.Name) || comesFirst.MatchString(words) {
			continue
		}
		for _, value := range values {
			text, _ := value.(string)
			parts := append(sortValue.FindStringSubmatch(text), "", "", "", "")
			of, path := op.chosen(parts[2], isMeasure)
			if of == nil {
				continue
			}
			sign := signOf(parts[1] + parts[3])
			if rises := rising.MatchString(words) || slices.Contains(values, any("-"+text)); rises && sign == 0 && !hasWay {
				sign = 1
			}
			list = append(list, Order{url.Values{p.Name: {text}}, path, sign})
			for _, by := range ways {
				if direction, _ := by.(string); signOf(by) != 0 {
					list = append(list, Order{url.Values{p.Name: {text}, way.Name: {direction}}, path, signOf(by)})
				}
			}
		}
	}
	return list
}

// isMeasure reports whether everybody sorts such values in one way. Languages sort texts in several ways.
func isMeasure(of *schema.Shape) bool {
	types := of.TypesBesideNull()
	return !of.Enum && len(types) == 1 && (types[0] == "integer" || types[0] == "number" || types[0] == "string" && (of.Format == "date" || of.Format == "date-time"))
}

// signOf is 1 of a text that asks for rising values, -1 of one that asks for falling ones, and 0 of others.
func signOf(value any) int {
	text, _ := value.(string)
	return map[string]int{"+": 1, "asc": 1, "-": -1, "des": -1}[strings.ToLower(text[:min(len(text), len("asc"))])]
}

var (
	sortName   = regexp.MustCompile(`(?i)^[_$]?(sort|order)([_-]?by)?$`)
	wayName    = regexp.MustCompile(`(?i)^(sort|order)?[_-]?(dir|direction|order)$`)
	sortValue  = regexp.MustCompile(`^([+-]?)(\w+?)(?:[ :_.,-]((?i:asc|desc)\w*))?$`)
	rising     = regexp.MustCompile(`(?i)^\W*ascending\b`)
	comesFirst = regexp.MustCompile(`(?i)\b(first|then|before|top)\b`)
	byValue    = regexp.MustCompile(`(?i)\b(newest|latest|most recent|oldest|earliest|lowest|highest|smallest|largest)\b[a-z ]{0,20}\bfirst\b`) // which is an order, too
)
