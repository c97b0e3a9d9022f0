package spec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
)

// References returns the properties of a body whose values must name a resource that exists, as far as the document
// says so: "404 if the customer is unknown", or "The firmware must exist" as the description of firmwareId. isRule is
// false if a document only names the error. within is the path to the properties in the body.
func (op *Operation) References() (within []string, list []*schema.Property, isRule bool) {
	if op.RequestBody.JSON() == nil {
		return nil, nil, false
	}
	within, resource := op.RequestBody.JSON().Shape().Inside()
	refused := refusals{Operation: op}
	for _, d := range op.Responses() {
		if slices.Contains([]string{"400", "404", "409", "422"}, d.Status) {
			refused.sentences = append(refused.sentences, lists.Map(endOfSentence().Split(d.Description(), -1), words)...)
		}
	}
	isRefusal := func(said string) bool { return refusing().MatchString(said) || ofRefusal().MatchString(said) }
	refused.sentences = append(refused.sentences, lists.Filter(op.saidOfSuccess(), isRefusal)...)
	refused.sentences = lists.Filter(refused.sentences, func(said string) bool { return !inSomeCase().MatchString(said) })
	rules := refusals{op, lists.Filter(refused.sentences, ofRule().MatchString)}
	for _, p := range resource.Properties {
		isOwn := sentences(p.At, func(said string) bool {
			return mustExist().MatchString(words(said)) && !inSomeCase().MatchString(words(said))
		}) != ""
		if isID := p.Shape.Allows("string") || p.Shape.Allows("integer"); isID && !p.ReadOnly && !p.Shape.Enum && (isOwn || refused.ofUnknown(p)) {
			list, isRule = append(list, p), isRule || isOwn || rules.ofUnknown(p)
		}
	}
	return within, list, isRule
}

// references derives the clause about a resource that a body names and that does not exist.
func (d *deriver) references() {
	if _, list, isRule := d.op.References(); len(list) > 0 {
		names := strings.Join(lists.Map(list, func(p *schema.Property) string { return p.Name }), " or ")
		d.clause(d.op.ClauseIDs().State(StateReference), map[bool]Level{true: Must, false: Should}[isRule], d.op.at, "%s is rejected if "+names+" names nothing that exists", d.op.ID)
	}
}

// ofUnknown reports whether a sentence is about a resource that a property names and that does not exist.
func (r refusals) ofUnknown(p *schema.Property) bool {
	all := lists.Filter(wordOfName().FindAllString(p.Name, -1), func(word string) bool { return !strings.EqualFold(word, "id") && !strings.EqualFold(word, "ids") })
	if len(all) == 0 {
		return false
	}
	noun := strings.ToLower(strings.Join(all, " ?"))
	said := regexp.MustCompile(`\b(?:` + noun + `(?: id)?(?:,? or(?: the| an?)? \w+)* (?:(?:do|does|did) not exist|(?:is |was )?not found|is unknown|can not be found)|(?:no such|unknown|non ?existent|non ?existing) (?:\w+ or )?` + noun + `)\b`)
	others := regexp.MustCompile(`^(?:the |an? )?\w+,? or (?:the |an? )?`)
	return slices.ContainsFunc(r.sentences, func(sentence string) bool {
		found := said.FindStringIndex(sentence)
		isOther := func(word string) bool { return !aboutIt().MatchString(word) }
		return len(found) > 0 && endOfState().MatchString(sentence[found[1]:]) &&
			!slices.ContainsFunc(wordInSentence().FindAllString(others.ReplaceAllString(sentence[:found[0]], ""), -1), isOther)
	})
}

// mustExist matches a rule that what a value names exists.
var mustExist = pattern.Lazy(`\b(must|has to|have to|needs to)( already)? (exist|(refer to|name|reference|be( the id of)?) an existing \w+)\W*$`)
