package spec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/shown"
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
		`^(?:(?:an?|the|case insensitive|text|for|filters?|search|by|is) )*(?:substring|part) (?:of|in) the (?:` + op.noun() + ` s? ?)?` + name,
	}
	said := regexp.MustCompile(`(?:` + strings.Join(forms, "|") + `)(?: to (?:search|look|filter) (?:for|by))?(?:,? \(?(?:ignoring case|case insensitive(?:ly)?|case sensitive(?:ly)?)\)?)?\W*$`)
	return slices.ContainsFunc(endOfSentence().Split(description, -1), func(sentence string) bool { return said.MatchString(words(sentence)) })
}

var (
	// containing matches a text that may say that an entry contains the value of a parameter.
	containing = pattern.Lazy(`\bcontain(s|ing)?\b|\b(substring|part) (of|in) the\b|\btext in\b`)
	anyCase    = pattern.Lazy(`\b(not case sensitive|case (does not matter|is (not significant|ignored|irrelevant)))\b`)
	// vague matches words for a search that may find more than the entries that contain a text.
	vague = pattern.Lazy(`\b(or|and|also|fuzzy|fuzzily|stem\w*|relevan\w*|similar\w*|synonym\w*|approx\w*|typos?|token\w*|words|terms|keywords?|full text|rank\w*|score\w*|semantic\w*|regex\w*|regular|patterns?|wildcards?|prefix\w*|starts?|diacritics?|accents?|match\w*|translat\w*|unless|except|not|without|deprecated|ignored)\b`)
)
