package spec

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
)

// Initial returns the state that a resource has after its creation, as far as the document says so: "A new campaign is
// a draft", "Initially `queued`" as the description of the state, or the default of a read-only state. ok is false if
// the words leave it open, for example because they name a condition.
func (op *Operation) Initial() (to Reached, ok bool) {
	if op.Method != http.MethodPost || !op.AddsEntry() && !op.Names("201") {
		return to, false
	}
	var all []Reached
	var listed []any
	for _, of := range op.SuccessShapes() {
		within, resource := of.Inside()
		for _, p := range lists.Filter(resource.Properties, func(p *schema.Property) bool { return IsState(p.Name) }) {
			listed = append(listed, valuesOf(p.Shape)...)
			for _, value := range valuesOf(p.Shape) {
				one := Reached{Path: instance.Below(within, p.Name), Value: value, Listed: valuesOf(p.Shape)}
				if one.IsSaid = op.saysToBegin(one, resource, p); one.IsSaid || p.ReadOnly && p.At.Get("default") != nil && instance.Equal(p.At.Get("default").Value(), value) {
					all = append(all, one)
				}
			}
		}
	}
	said := lists.Filter(all, func(one Reached) bool { return one.IsSaid })
	if len(said) == 0 {
		said = all
	}
	if len(said) == 0 || slices.ContainsFunc(said, func(one Reached) bool { return !instance.Equal(one.Value, said[0].Value) }) || op.isOpenAtFirst(listed) {
		return to, false
	}
	return said[0], true
}

// reached derives the clauses about the state to which an action leads, and about the state of a new resource.
func (d *deriver) reached() {
	add := func(name string, to Reached, text string) {
		level := map[bool]Level{true: Must, false: Should}[to.IsSaid]
		d.clause(d.op.ClauseIDs().State(name), level, d.op.at, text+to.property()+" %v", d.op.ID, to.Value)
	}
	if to, ok := d.op.Reached(); ok {
		add(StateReached, to, "after %s the resource shows the ")
	}
	if to, ok := d.op.Initial(); ok {
		add(StateInitial, to, "what %s creates has the ")
	}
}

// saysToBegin reports whether a sentence about the creation, the resource or the property says that a new resource has
// that value.
func (op *Operation) saysToBegin(to Reached, resource *schema.Shape, p *schema.Property) bool {
	value, state, one := to.word()+`s?`, `(?:`+inWords(to.property())+`|state|status)`, nounOf(barePath(op.Path))
	as := `(?: in| with| as)?(?: an?| the| its)?(?: (?:initial )?` + state + `)?(?: of| is|:)? ` + value + `(?: ` + one + `| state| status)?`
	about := strings.Join([]string{
		`(?:an? |the |each |every |all |any )?(?:new(?:ly created)?|created) ` + one + ` (?:(?:starts?|begins?)(?: out)?|(?:is|are)(?: created| stored)?|has|have|gets?)(?: always| initially)?` + as,
		`creates? (?:an? |the )?(?:new )?(?:` + one + as + `|` + value + ` ` + one + `)`,
		`(?:(?:the|an?|its) )?(?:` + one + `|it|` + state + `) (?:(?:starts?|begins?)(?: out)?|is (?:initially|first|always created|created))` + as,
		`(?:the |its )?initial ` + state + `(?: of (?:the|an?) ` + one + `)? is(?: always)? ` + value,
		`(?:the |its )?` + state + ` of (?:the|a) (?:new|created) ` + one + ` is(?: always)? ` + value,
		`returns the (?:new |created )?` + one + ` (?:with|in)` + as,
	}, "|")
	own := `(?:initially|at first|on creation|always)(?: it is)?:? ` + value + `|` + value + ` (?:initially|at first|(?:on|after|upon) creation|for (?:an? )?new ` + one + `)|(?:starts?|begins?)(?: out)?` + as
	says := func(forms, text string) bool {
		said := regexp.MustCompile(`^(?:` + forms + `)(?: by default)?\W*$`)
		return slices.ContainsFunc(endOfSentence().Split(text, -1), func(sentence string) bool {
			return said.MatchString(untilLater().ReplaceAllString(words(sentence), ""))
		})
	}
	texts := op.saidOfSuccess()
	for _, at := range resource.Includes {
		texts = append(texts, at.Get("description").Text())
	}
	return says(about, strings.Join(texts, "\n")) || says(about+`|`+own, p.At.Get("description").Text())
}

// isOpenAtFirst reports whether a sentence about the creation names a condition for a state.
func (op *Operation) isOpenAtFirst(of []any) bool {
	return slices.ContainsFunc(op.saidOfSuccess(), func(sentence string) bool {
		return conditional().MatchString(sentence) && slices.ContainsFunc(of, func(value any) bool { return strings.Contains(sentence, words(fmt.Sprint(value))) })
	})
}

var (
	// untilLater matches the end of a sentence about what comes after the first state.
	untilLater = pattern.Lazy(`,? (until|so that|because|and (it )?(can|must|has to|have to|needs?|is not|are not|stays?|remains?))\b.*$`)
	// conditional matches words for a state that depends on something.
	conditional = pattern.Lazy(`\b(if|when|whenever|unless|depend\w*|otherwise|immediately|at once|automatic\w*)\b`)
)
