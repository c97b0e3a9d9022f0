package spec

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
)

// A document says in words in which states of a resource an operation is rejected: "409 if the order is already
// cancelled or shipped", "The order is not in state draft".

// refusals are sentences about the states in which an operation is rejected.
type refusals struct {
	*Operation
	sentences []string
}

// RefusedIn reports whether the document says that the operation is rejected if what its path names is already in
// that state.
func (op *Operation) RefusedIn(state string) bool { return op.refusals().in(state) }

// RefusedFrom reports whether the document names the only states in which the operation is accepted, and this is
// another one that the resource lists.
func (op *Operation) RefusedFrom(state string) bool {
	r := op.refusals()
	return slices.Contains(r.listed(), state) && r.leave(state)
}

func (r refusals) in(state string) bool {
	named := inWords(state)
	return named != "" && (r.sayOfIt(`\balready(?: been)?(?: marked as)?`+beforeState+alternatives+named) || r.sayOfIt(`\b`+named+` already`) ||
		(r.changesItem() || r.createsBelow()) && r.ofItem().sayOfIt(`\b(?:is|was|has been)`+beforeState+alternatives+named) || r.begin(
		`(?:an? |the |any |all )?`+strings.Replace(alternatives, " or |", " or | and |", 1)+named+`(?:(?:, | and | or )+\w+)* `+r.noun()+` (?:can not|can no longer|must not|may not) be (?:`+r.reached()+`)`,
		`(?:an? |the |any )?`+r.noun()+` (?:that|which) (?:is|was|has been)(?: already)?`+beforeState+alternatives+named+`(?:(?:, | and | or )+\w+)* (?:can not|can no longer|must not|may not) be (?:`+r.reached()+`)`,
		`(?:an? |the )?(?:`+r.noun()+`|it) (?:can not|can no longer|must not|may not) be (?:`+r.reached()+`) (?:once|after|when|while|if|as long as)(?: it)?(?: is| was| has been)?`+beforeState+alternatives+named))
}

// ofItem returns the sentences about a state of what the path names. A sentence that denies something, such as "is not
// shipped or paid", is about all other states. If the operation creates something below, it may be that.
func (r refusals) ofItem() refusals {
	return refusals{r.Operation, lists.Filter(r.sentences, func(said string) bool {
		return !denying().MatchString(said) && !(r.createsBelow() && ofSomething().MatchString(said))
	})}
}

// begin reports whether a sentence begins in one of these forms, and does not go on about more than the state.
func (r refusals) begin(forms ...string) bool {
	said := regexp.MustCompile(`^(?:` + strings.Join(forms, "|") + `)\b`)
	return slices.ContainsFunc(r.sentences, func(sentence string) bool {
		found := said.FindStringIndex(sentence)
		return len(found) > 0 && endOfState().MatchString(sentence[found[1]:])
	})
}

// outside reports whether the document says that the operation is rejected unless what its path names is in the first of
// two states, and does not mention the second as another one in which it is accepted.
func (r refusals) outside(state, other string) bool {
	named := inWords(state)
	if also := inWords(other); also != "" {
		mentions := regexp.MustCompile(`\b` + also + `\b`)
		isAccepted := func(one said) bool { return !one.isRefusal && mentions.MatchString(one.text) }
		if isFrom := r.onlyFrom(named); isFrom && !slices.Contains(r.States(), words(other)) && slices.ContainsFunc(r.allSaid(), isAccepted) {
			return false // "from requested or confirmed to cancelled"
		}
		return refusals{r.Operation, lists.Filter(r.sentences, func(said string) bool { return !mentions.MatchString(said) })}.outside(state, "")
	}
	return named != "" && (r.sayOfIt(`\b(?:not(?: yet)?|must be)`+beforeState+alternatives+named) || r.onlyFrom(named) || r.begin(
		`only (?:an? |the )?`+alternatives+named+`(?:(?:, | or |, or )\w+)*(?:s| `+r.noun()+`)? (?:can|may) be (?:`+r.reached()+`)`,
		`only (?:an? |the )?`+r.noun()+`(?: (?:that|which) (?:is|are)| with)?`+beforeState+alternatives+named+`(?:(?:, | or |, or )\w+)* (?:can|may) be (?:`+r.reached()+`)`,
		`(?:an? |the )?(?:`+r.noun()+`|it) (?:can|may) (?:only be (?:`+r.reached()+`)|be (?:`+r.reached()+`) only)(?: while| when| if| as long as)?(?: it is| they are)?`+beforeState+alternatives+named))
}

// onlyFrom reports whether sentences name the only states from which an action leads to another, such as "Moves an
// order from draft to confirmed. Any other state gives 409", or "Moves a booking that is requested to another slot".
func (r refusals) onlyFrom(named string) bool {
	return slices.ContainsFunc(r.sentences, anyOtherState().MatchString) &&
		regexp.MustCompile(`\b(?:from|`+r.noun()+` (?:that|which) is)`+beforeState+alternatives+named+`(?:(?:, | or |, or )\w+)* to\b`).MatchString(words(r.says()))
}

// RefusedAfter returns the actions, perhaps the operation itself, after which the document says that the operation is
// rejected. It returns none if the document permits to repeat the operation, or requires a key for repeated requests.
func (op *Operation) RefusedAfter() (list []*Operation) { return slices.Clone(op.refused()) }

func (r refusals) after() (list []*Operation) {
	isKey := func(p Parameter) bool { return p.In == "header" && p.Required && keyOfRequest().MatchString(p.Name) }
	if len(r.sentences) == 0 {
		return nil
	}
	all, isChange, creates := r.Beside(), r.changesItem(), r.createsBelow()
	if !isChange && !creates && (!slices.Contains(all, r.Operation) || r.mayRepeat()) || !creates && slices.ContainsFunc(r.Parameters, isKey) {
		return nil
	}
	strict := r // a shipped order may count as one that is confirmed, unless the rule is about its state alone
	if !isChange {
		strict.sentences = lists.Filter(r.sentences, aboutState().MatchString)
	}
	var elsewhere []string // states that a rule excludes because it names others
	if !creates && len(strict.sentences) > 0 {
		elsewhere = lists.Filter(r.listed(), strict.leave)
	}
	return lists.Filter(all, func(by *Operation) bool {
		return slices.ContainsFunc(by.States(), r.in) || by == r.Operation && (r.once() || r.leave("")) ||
			by != r.Operation && slices.ContainsFunc(elsewhere, by.leadsTo)
	})
}

// leadsTo reports whether an action leads to a state, by its name or by what the document says.
func (op *Operation) leadsTo(state string) bool {
	if slices.Contains(op.States(), words(state)) {
		return true
	}
	to, ok := op.Reached()
	return ok && to.Value == any(state)
}

// createsBelow reports whether the operation creates something below an item, such as a shipment of an order.
func (op *Operation) createsBelow() bool {
	_, rest := op.above()
	return op.Method == http.MethodPost && rest != "" && !strings.ContainsAny(rest, "/{") && op.Names("201")
}

// areRules reports whether sentences say when the operation is rejected. The name of an error alone, such as "The
// order is already cancelled", does not say that there is no other response in that state.
func (r refusals) areRules() bool {
	return len(refusals{r.Operation, lists.Filter(r.sentences, ofRule().MatchString)}.after()) > 0
}

// once reports whether an action is accepted only once.
func (r refusals) once() bool {
	return r.sayOfIt(`\b(?:can (?:only )?be (?:` + r.reached() + `) (?:only |exactly |at most )?once|can not be (?:` + r.reached() + `) (?:again|twice|a second time|more than once))`)
}

// leave reports whether an operation is rejected outside a state that the resource lists, and so in that other state.
func (r refusals) leave(other string) bool {
	return slices.ContainsFunc(r.listed(), func(state string) bool {
		return state != other && !slices.Contains(r.States(), words(state)) && r.outside(state, other)
	})
}

// listed returns the texts that the resource lists for its properties.
func (r refusals) listed() (list []string) {
	if read := r.Item(); read != nil {
		for _, of := range read.SuccessShapes() {
			_, resource := of.Inside()
			for _, p := range resource.Properties {
				for _, value := range p.Shape.Listed() {
					if state, isText := value.(string); isText {
						list = append(list, state)
					}
				}
			}
		}
	}
	return list
}

// mayRepeat reports whether the document says that a success may be the answer in the state that the action leads to.
func (op *Operation) mayRepeat() bool {
	isHarmless := func(sentence string) bool {
		return !refusing().MatchString(sentence) && repeatable().MatchString(freeAgain().ReplaceAllString(sentence, ""))
	}
	return slices.ContainsFunc(op.Successes(), func(d *Declared) bool { return repeatable().MatchString(d.Description()) }) ||
		slices.ContainsFunc(endOfSentence().Split(op.says(), -1), isHarmless)
}

// Before returns the actions that must come before an operation below an item, as far as the document says so: POST
// /orders/{id}/confirm before POST /orders/{id}/shipments, if "The order is not confirmed" describes a rejection.
func (op *Operation) Before() []*Operation {
	return lists.Filter(op.Beside(), func(by *Operation) bool {
		return by != op && slices.ContainsFunc(by.States(), op.needs)
	})
}

// RefusesOverlap reports whether the document mentions that times may overlap. A wrong answer costs nothing.
func (op *Operation) RefusesOverlap() bool {
	return slices.ContainsFunc(op.allSaid(), func(one said) bool { return strings.Contains(one.text, "overlap") })
}

// needs reports whether the document says that an operation needs a state. A wrong answer only costs a request.
func (op *Operation) needs(state string) bool {
	named := inWords(state)
	direct := regexp.MustCompile(`\b(?:not(?: yet)?(?: been)?` + beforeState + `|un|(?:must|has to|have to|needs? to)(?: first)?(?: be| have been)(?: in)?(?: the)?(?: state| status)? )` + named + `\b`)
	from := regexp.MustCompile(`\bfrom` + beforeState + named + ` to\b`)
	distant := regexp.MustCompile(`\b(requires?|only|after|once|before|until|unless)((?: \w+){0,5}) ` + named + `\b`)
	return slices.ContainsFunc(op.allSaid(), func(one said) bool {
		found := distant.FindStringSubmatch(one.text)
		switch {
		case found == nil:
			return from.MatchString(one.text) || direct.MatchString(one.text) && (one.isRefusal || strings.Contains(one.text, " must ") || strings.Contains(one.text, " to be "))
		case notIn().MatchString(found[2]):
			return false
		case slices.Contains([]string{"before", "until", "unless"}, found[1]):
			return one.isRefusal
		}
		return !one.isRefusal || found[1] == "only" || strings.HasPrefix(found[1], "require")
	})
}

// said is a sentence about an operation in plain lower case. isRefusal says that it is about a rejection.
type said struct {
	text      string
	isRefusal bool
}

// allSaid returns the sentences of the operation and of the rejections for a state.
func (op *Operation) allSaid() (list []said) {
	add := func(text string, isRefusal bool) {
		for _, sentence := range endOfSentence().Split(text, -1) {
			list = append(list, said{words(sentence), isRefusal || refusing().MatchString(sentence)})
		}
	}
	for _, d := range op.Responses() {
		if slices.Contains([]string{"400", "409", "422"}, d.Status) {
			add(d.Description(), true)
		}
	}
	add(op.at.Get("summary").Text()+"\n"+op.at.Get("description").Text(), false)
	return list
}

// refusals returns the sentences about the states in which the operation is rejected, without those that permit it in
// some other case.
func (op *Operation) refusals() refusals {
	r := refusals{Operation: op}
	for _, one := range op.allSaid() {
		if isRule := one.isRefusal || ruleOfState().MatchString(one.text); isRule && (!inSomeCase().MatchString(one.text) || anyOtherState().MatchString(one.text)) {
			r.sentences = append(r.sentences, one.text)
		}
	}
	return r
}

// sayOfIt reports whether a sentence says this of the resource that the path names, and of nothing else.
func (r refusals) sayOfIt(form string) bool {
	said, own := regexp.MustCompile(form+`\b`), regexp.MustCompile(`^(?:`+r.noun()+`|`+r.verb()+`\w*|`+r.reached()+`)$`)
	return slices.ContainsFunc(r.sentences, func(sentence string) bool {
		found := said.FindStringIndex(sentence)
		if len(found) == 0 || !endOfState().MatchString(sentence[found[1]:]) {
			return false
		}
		isOther := func(word string) bool { return !aboutIt().MatchString(word) && !own.MatchString(word) }
		return !slices.ContainsFunc(wordInSentence().FindAllString(sentence[:found[0]], -1), isOther)
	})
}

// noun returns a pattern for the name of the resource: order, for /orders/{orderId}/cancel.
func (op *Operation) noun() string {
	item, _ := op.above()
	return nounOf(item)
}

// nounOf returns a pattern for the last name in a path.
func nounOf(path string) string {
	all := wordOfName().FindAllString(strings.TrimSuffix(path, "/{}"), -1)
	if len(all) == 0 {
		return "resource"
	}
	name := strings.ToLower(all[len(all)-1])
	forms := []string{name, strings.TrimSuffix(name, "s"), strings.TrimSuffix(name, "es"), strings.TrimSuffix(name, "ies") + "y"}
	return "(?:" + strings.Join(forms, "|") + ")"
}

// verb returns the name of an action, or a pattern for the beginning of such names.
func (op *Operation) verb() string {
	switch {
	case op.changesItem() && op.Method == http.MethodDelete:
		return "(?:delet|remov)"
	case op.changesItem():
		return "(?:chang|updat|replac|edit|modif)"
	}
	_, rest := op.above()
	return strings.ToLower(strings.Join(wordOfName().FindAllString(rest, 1), ""))
}

// reached returns a pattern for the states to which an action leads.
func (op *Operation) reached() string { return strings.Join(lists.Map(op.States(), inWords), "|") }

// words returns a text in lower case without marks around its words, and in one spelling.
func words(text string) string {
	return strings.NewReplacer("n't", " not", "cannot", "can not", "cancelled", "canceled", "_", " ", "-", " ", "`", "", "*", "", `"`, "", "'", "").Replace(strings.ToLower(strings.TrimSpace(text)))
}

// inWords returns a pattern that finds the name of a state in a sentence. It returns "" if the text cannot be such a name.
func inWords(state string) string {
	const most = 40
	if len(state) > most || !nameOfState().MatchString(state) {
		return ""
	}
	return strings.ReplaceAll(regexp.QuoteMeta(words(state)), " ", " ?")
}

// Parts of the patterns for a state: words before it, and other states.
const (
	beforeState  = `(?: in)?(?: an?| the)?(?: state| status| phase| stage)?:? `
	alternatives = `(?:\w+(?: \w+)?(?: ?/ ?| or |, or |, ))*`
)

var (
	nameOfState    = pattern.Lazy(`^[A-Za-z][A-Za-z _-]+$`)
	wordInSentence = pattern.Lazy(`[^\s,;:.()\[\]/-]+`)
	denying        = pattern.Lazy(`\b(not|neither|never|no)\b`)
	ofSomething    = pattern.Lazy(`\b(it|item|object|resource|entity)\b`) // it may be what is created, or what a body names
	notIn          = pattern.Lazy(`\b(not|never|un\w+|before|until|unless|already)\b`)

	// aboutIt matches the words before a state that leave no doubt which resource is in it.
	aboutIt = pattern.Lazy(`^(4\d\d|conflict|errors?|fails?|failed|failure|rejects|rejected|refused|returns|returned|raised|thrown|response|responds|with|an?|the|this|that|it|its|already|if|when|because|since|as|where|which|who|is|are|was|has|been|can|not|only|be|possible|allowed|in|case|http|state|status|phase|stage|code|resource|entity|item|object|request|operation)$`)
	// endOfState matches what may follow a state in a sentence that is not about more than the state.
	endOfState = pattern.Lazy(`^( yet| again)?(\W*$|[).;:]| (with |\()4\d\d\b|,($| [^a]| a[^n]| an[^d])| ?/| or\b| (state|status)\b| (and |so )+(it )?can not\b| (gives|returns|yields|causes|results in|leads to|fails|is (rejected|refused|answered))\b)`)
	// anyOtherState matches the rejection in all states but those that another sentence names.
	anyOtherState = pattern.Lazy(`^(in |an? \w+ (in|with) )?(any|all|every|each) other (state|status|phase|stage)s?\b.*(409|conflict|fail|reject|refuse)`)
	// inSomeCase matches words that permit an operation in some cases.
	inSomeCase = pattern.Lazy(`\b(unless|except|without|another|others?|different|someone|sometimes|depends|depending|typically|usually|e\.?g|for example)\b`)
	// ofRule matches words of a sentence that says when an operation is rejected.
	ofRule = pattern.Lazy(`\b(if|when|in case|because|can not|can no longer|only|must|fails?|rejects|rejected|refused|gives?|yields?|results? in)\b`)
	// ruleOfState matches a rule about states that does not name the rejection.
	ruleOfState = pattern.Lazy(`^only |\b(must be|only (be|once|while|when|if|in|as)|can not be|can no longer be|(must|may) not be)\b`)
	// aboutState matches a rule about the state that a resource is in, and not about what was done to it before.
	aboutState = pattern.Lazy(`^only |\bother\b|\b(state|status|phase|stage)\b`)
	// repeatable matches words for an operation that may be repeated.
	repeatable = pattern.Lazy(`(?i)idempoten|no[- ]?op\b|\bno (further )?effect|nothing (happens|changes)|\b(unchanged|as it is|regardless|any state|already|again|repeat\w*)\b`)
	// freeAgain matches an effect of the first request on something else.
	freeAgain = pattern.Lazy("(?i)\\b(is|are|becomes?|becoming) (then )?`?(free|available|open|bookable|visible)`? again\\b")
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
	if last := strings.ToLower(all[len(all)-1]); !regexp.MustCompile(r.noun()).MatchString(last) { // fromAccountId names an account
		noun = `(?:` + noun + `|` + last + `)`
	}
	said := regexp.MustCompile(`\b(?:` + noun + `(?: ?id)?(?:,? or(?: the| an?)? \w+)*(?: that| which)? (?:(?:do|does|did) not exist|(?:is |was )?not found|is unknown|can not be found)|(?:no such|unknown|non ?existent|non ?existing) (?:\w+ or )?` + noun + `)\b`)
	return slices.ContainsFunc(r.sentences, func(sentence string) bool {
		found := said.FindStringIndex(sentence)
		isOther := func(word string) bool { return !aboutIt().MatchString(word) }
		if len(found) == 0 || !endOfState().MatchString(sentence[found[1]:]) {
			return false
		}
		others := otherReasons().FindString(sentence[:found[0]])
		own := sentence[len(others):found[1]] + moreReasons().ReplaceAllString(sentence[found[1]:], "")
		return !conditional().MatchString(others) && !inSomeCase().MatchString(own) && !slices.ContainsFunc(wordInSentence().FindAllString(sentence[len(others):found[0]], -1), isOther)
	})
}

// otherReasons matches the reasons for a rejection before the last one in a text, and moreReasons those after the first.
var (
	otherReasons = pattern.Lazy(`^.*(,| or) `)
	moreReasons  = pattern.Lazy(`^(,| or) (or )?(an?|the|its|it) .*`)
)

// mustExist matches a rule that what a value names exists.
var mustExist = pattern.Lazy(`\b(must|has to|have to|needs to)( already)? (exist|(refer to|name|reference|be( the id of)?) an existing \w+)\W*$`)
