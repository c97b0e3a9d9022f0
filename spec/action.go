package spec

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
)

// showing matches words for operations that show a possible result without storing it.
var showing = pattern.Lazy(`(?i)preview|simulat|dry.?run|validat|render|translat|\b(would|(without|not) (being )?(chang|sav|stor|keep|kept|persist))`)

// Actions returns the operations that change the item that op reads and show it, such as POST
// /orders/{id}/cancel or /orders/{id}:cancel.
func (op *Operation) Actions() (list []*Operation) {
	for _, path := range slices.Sorted(maps.Keys(op.reader.paths)) {
		rest, isBelow := strings.CutPrefix(path, barePath(op.Path))
		for _, method := range []string{http.MethodPost, http.MethodPut} {
			if by := op.reader.paths[path][method]; isBelow && strings.IndexAny(rest, "/:") == 0 && strings.HasSuffix(barePath(op.Path), "}") && by != nil && !strings.Contains(rest, "{") && !showing().MatchString(rest+"\n"+by.says()) && slices.ContainsFunc(op.SuccessShapes(), by.shows) {
				list = append(list, by)
			}
		}
	}
	return list
}

// actor returns the first action on the item that op reads. It returns nil if the item has no action, or if a
// Changer such as PATCH sets its values.
func (op *Operation) actor() *Operation {
	if actions := op.Actions(); len(actions) > 0 && op.Changer() == nil {
		return actions[0]
	}
	return nil
}

// above splits the path of an operation below an item, such as /orders/{}/cancel. rest is "" for other operations.
func (op *Operation) above() (item, rest string) {
	path := barePath(op.Path)
	end := strings.LastIndex(path, "}") + 1
	if end == 0 || end == len(path) || path[end] != '/' {
		return path, ""
	}
	return path[:end], path[end+1:]
}

// Item returns the operation that reads the item that the path of an operation begins with, or nil.
func (op *Operation) Item() *Operation {
	item, _ := op.above()
	return op.reader.paths[item][http.MethodGet]
}

// Beside returns the actions on the item that the path of an operation begins with, perhaps with the operation itself:
// a POST or PUT on one more segment, which creates nothing, is not read and has no entries. It returns none for a read.
func (op *Operation) Beside() (list []*Operation) {
	item, rest := op.above()
	isAbout := rest != "" || op.changesItem()
	for _, path := range slices.Sorted(maps.Keys(op.reader.paths)) {
		name, isBelow := strings.CutPrefix(path, item+"/")
		own := op.reader.paths[path]
		if !isAbout || !isBelow || strings.ContainsAny(name, "/{") || own[http.MethodGet] != nil || op.reader.paths[path+"/{}"] != nil {
			continue
		}
		for _, method := range []string{http.MethodPost, http.MethodPut} {
			if by := own[method]; by != nil && !by.Names("201") && by.RequestBody.MediaType() != "multipart/form-data" {
				list = append(list, by)
			}
		}
	}
	return list
}

// changesItem reports whether the operation deletes, replaces or changes an item.
func (op *Operation) changesItem() bool {
	return strings.HasSuffix(barePath(op.Path), "/{}") && slices.Contains([]string{http.MethodDelete, http.MethodPut, http.MethodPatch}, op.Method)
}

// IsState reports whether a property holds the state of a resource, by its name.
func IsState(name string) bool { return state().MatchString(name) }

var state = pattern.Lazy(`(?i)(status|state|stage|phase)$`)

// States returns the states to which an action leads by its name, in lower case: /confirm leads to confirmed. For a
// deletion or a change of an item, they are words for what happens to it.
func (op *Operation) States() []string {
	switch {
	case op.changesItem() && op.Method == http.MethodDelete:
		return []string{"deleted", "removed"}
	case op.changesItem():
		return []string{"changed", "updated", "replaced", "edited", "modified"}
	}
	words := wordOfName().FindAllString(op.Path[strings.LastIndexAny(op.Path, "/:")+1:], -1)
	if len(words) == 0 {
		return nil
	}
	verb, rest := strings.ToLower(words[0]), strings.ToLower(strings.Join(append([]string{""}, words[1:]...), " "))
	if rest != "" && slices.Contains([]string{"mark", "set"}, verb) { // mark-as-paid
		return []string{strings.TrimPrefix(strings.TrimPrefix(rest, " "), "as ")}
	}
	forms := []string{verb + "ed", verb + "d", verb + verb[len(verb)-1:] + "ed", strings.TrimSuffix(verb, "y") + "ied"}
	if other := map[string]string{"pay": "paid", "send": "sent", "hold": "held", "freeze": "frozen", "open": "open", "activate": "active", "deactivate": "inactive", "complete": "complete"}[verb]; other != "" {
		forms = append(forms, other)
	}
	return lists.Map(forms, func(form string) string { return form + rest })
}

// Reached is what a resource shows after an action on it, as far as the document says so.
type Reached struct {
	Path   []string // to the property in the resource
	Value  any      // a text that the contract lists for the property, or a boolean
	Listed []any    // all values that the property may have
	IsSaid bool     // a sentence says so; otherwise the name of the action suggests it
}

// Reached returns what a resource shows after an action on it: POST /jobs/{id}/pause, if the description is "Sets
// `status` to `paused`", or if its name and its description match only one of the states that the contract lists. ok is
// false if the words leave it open, for example because they name a condition or a later time.
func (op *Operation) Reached() (to Reached, ok bool) {
	read := op.Item()
	if _, rest := op.above(); read == nil || rest == "" || showing().MatchString(rest+"\n"+op.says()) || !slices.Contains(op.Beside(), op) || op.mayWait() {
		return to, false
	}
	var all []Reached
	for _, of := range read.SuccessShapes() {
		within, resource := of.Inside()
		for _, p := range resource.Properties {
			for _, value := range valuesOf(p.Shape) {
				all = append(all, Reached{Path: instance.Below(within, p.Name), Value: value, Listed: valuesOf(p.Shape)})
			}
		}
	}
	said := lists.Filter(all, op.saysToReach)
	to.IsSaid = len(said) > 0
	if !to.IsSaid {
		said = lists.Filter(all, op.isNamedAfter)
	}
	isOther := func(one Reached) bool {
		return !instance.Equal(one.Value, said[0].Value) || !slices.Equal(one.Path, said[0].Path)
	}
	if len(said) == 0 || slices.ContainsFunc(said, isOther) || op.isInDoubt(said[0].word()) {
		return to, false
	}
	to.Path, to.Value, to.Listed = said[0].Path, said[0].Value, said[0].Listed
	return to, true
}

// valuesOf returns the texts that a schema lists, or both booleans.
func valuesOf(of *schema.Shape) []any {
	if slices.Equal(of.TypesBesideNull(), []string{"boolean"}) {
		return []any{true, false}
	}
	if of.IsArray() {
		return nil
	}
	return lists.Filter(of.Listed(), func(value any) bool { text, _ := value.(string); return inWords(text) != "" })
}

// mayWait reports whether an action may have its effect later, or whether the request says when it has it.
func (op *Operation) mayWait() bool {
	isTime := func(name string) bool { return timeOfAction().MatchString(capital().ReplaceAllString(name, "${1}_$2")) }
	takesTime := func(c mediatype.Content) bool {
		return slices.ContainsFunc(c.Schema.Shape().Properties, func(p *schema.Property) bool { return isTime(p.Name) })
	}
	return len(op.Successes()) == 0 || op.ActsLater() || slices.ContainsFunc(op.Parameters, func(p Parameter) bool { return isTime(p.Name) }) || op.RequestBody != nil && slices.ContainsFunc(op.RequestBody.Content, takesTime)
}

// word returns a pattern for the value, or for the name of a boolean property.
func (to Reached) word() string {
	if text, isText := to.Value.(string); isText {
		return inWords(text)
	}
	return inWords(to.property())
}

func (to Reached) property() string { return to.Path[len(to.Path)-1] }

// saidOfSuccess returns the sentences about the operation and its successes in plain lower case.
func (op *Operation) saidOfSuccess() []string {
	texts := append(lists.Map(op.Successes(), (*Declared).Description), op.at.Get("summary").Text(), op.at.Get("description").Text())
	return lists.Map(endOfSentence().Split(strings.Join(texts, "\n"), -1), words)
}

// saysToReach reports whether a sentence says that the action leads to that value: "Sets `status` to `paused`", "Marks
// the job as paused".
func (op *Operation) saysToReach(to Reached) bool {
	value, name, spoken := inWords(fmt.Sprint(to.Value)), inWords(to.property()), words(fmt.Sprint(to.Value))
	all := lists.Filter(op.saidOfSuccess(), func(sentence string) bool { return strings.Contains(sentence, spoken) })
	if name == "" || len(all) == 0 {
		return false
	}
	object := `(?:the|an?|this) (?:` + strings.Join(lists.Map(to.Listed, func(value any) string { return inWords(fmt.Sprint(value)) }), "|") + `)? ?` + op.noun() // an active job
	forms := []string{
		setting + `(?:(?:its|the|this|` + op.noun() + `) )*` + name + `(?: (?:field|property|flag))?(?: of ` + object + `)?(?: from \w+)? (?:to|as) ` + value,
		`(?:(?:its|the|` + op.noun() + `) )*` + name + ` (?:of ` + object + ` )?(?:becomes|changes to|is(?: then| now)?(?: set to| changed to)?) ` + value,
	}
	if text, isText := to.Value.(string); isText && IsState(to.property()) {
		value = inWords(text)
		forms = append(forms, setting+object+`(?: from \w+)? (?:in|into|to) (?:the )?(?:state |status )?(?:of )?`+value+`(?: state| status)?`,
			`mark(?:s|ing)? (?:`+object+`|it) as `+value, `(?:`+object+`|it) (?:becomes|is (?:then|now)) `+value)
	}
	about := `^(?:` + op.verb() + `\w*(?: (?:the|an?|this|it))?(?: ` + op.noun() + `)?(?:,? and|:|,? by|,? which) )?`
	said := regexp.MustCompile(about + `(?:` + strings.Join(forms, "|") + `)(?:,? (?:and|so that) [^,]*)?\W*$`)
	return slices.ContainsFunc(all, said.MatchString)
}

// isNamedAfter reports whether the name of the action leads to a state: /pause to paused. If the operation has a
// description, it must say the same of the resource.
func (op *Operation) isNamedAfter(to Reached) bool {
	text, isText := to.Value.(string)
	if isText != IsState(to.property()) || to.Value == false || testing().MatchString(op.verb()) {
		return false
	}
	if !isText {
		text = strings.TrimPrefix(words(to.property()), "is")
	}
	letters := func(text string) string { return strings.ReplaceAll(words(text), " ", "") }
	if !slices.ContainsFunc(op.States(), func(state string) bool { return letters(state) == letters(text) }) { // Mark a task as done
		marked := regexp.MustCompile(`^marks? (?:the|an?|this) ` + op.noun() + ` as ` + inWords(strings.TrimSpace(text)) + `\W*$`)
		return !isText && slices.ContainsFunc(op.saidOfSuccess(), marked.MatchString)
	}
	verb, state := strings.TrimRight(op.verb(), "ey")+`\w*`, to.word()
	said := regexp.MustCompile(`^(?:` + verb + `|(?:returns )?(?:the )?` + state + `|.*\b` + verb + ` (?:(?:the|an?|this|that|one|single|given|specified|existing|whole|entire) )*` + op.noun() +
		`|.*\b` + state + ` ` + op.noun() + `|(?:the )?` + op.noun() + ` (?:(?:is|was|has been|now|successfully) )*` + state + `)(?: (?:with|by|that|and|so|which|to)\b.*|[,(:].*|\W*)$`)
	return strings.TrimSpace(op.at.Get("summary").Text()+op.at.Get("description").Text()) == "" || slices.ContainsFunc(op.saidOfSuccess(), said.MatchString)
}

// isInDoubt reports whether a sentence that is not about a rejection names a condition or a later time, or leaves open
// whether the action leads to the state.
func (op *Operation) isInDoubt(state string) bool {
	mentions := regexp.MustCompile(`\b(?:` + strings.TrimRight(op.verb(), "ey") + `\w*|` + state + `)\b`)
	repeated := regexp.MustCompile(`\balready\b.*\b` + state + `\b`)
	return slices.ContainsFunc(op.saidOfSuccess(), func(sentence string) bool {
		isOther := refusing().MatchString(sentence) && !mentions.MatchString(refusing().ReplaceAllString(sentence, "")) || ofRefusal().MatchString(sentence) || repeated.MatchString(sentence)
		return !isOther && (delaying().MatchString(sentence) || mentions.MatchString(sentence) && doubting().MatchString(mentions.ReplaceAllString(sentence, "")))
	})
}

// setting matches words for a change of a value.
const setting = `(?:sets?|setting|chang(?:e|es|ing)|updat(?:e|es|ing)|switch(?:es)?|mov(?:e|es|ing)|transitions?|puts?) `

var (
	// timeOfAction matches names of values that may say when an action has its effect, or whether it has one.
	timeOfAction = pattern.Lazy(`(?i)(^|[_-])(at|on|when|after|until|delay|schedule\w*|effective\w*|date|period|end|async|wait|mode|immediate\w*|force|dry|simulate)([_-]|$)`)
	// testing matches names of actions whose result may be that the resource does not get the state.
	testing = pattern.Lazy(`^(verify|check|test|review|evaluate|assess)$`)
	// delaying matches words for a condition or a later effect.
	delaying = pattern.Lazy(`\b(if|when|whenever|unless|once|depend\w*|eventual\w*|async\w*|background|soon|will|queue\w*|enqueue\w*|schedul\w*|workflow|in progress)\b`)
	// doubting matches words that leave open whether something happens, or to what.
	doubting = pattern.Lazy(`\b(or|either|may|might|could|should|after|until|before|request(s|ed|ing)?|asks?|initiat\w*|starts?|begins?|trigger\w*|try|tries|attempts?|propos\w*|next|not|never|without|all|every|each|some|later|for)\b`)
	// ofRefusal matches a sentence about a rejection.
	ofRefusal = pattern.Lazy(`\b(4\d\d|errors?|not found|(can|may) only|only .*\b(can|may)|must)\b`)
)

// Initial returns the state that a resource has after its creation, as far as the document says so: "A new campaign is
// a draft", "Initially `queued`" as the description of the state, or the default of a read-only state. ok is false if
// the words leave it open, for example because they name a condition.
func (op *Operation) Initial() (to Reached, ok bool) { return op.initial() }

func (op *Operation) readInitial() (to Reached, ok bool) {
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
	// untilLater matches the end of a sentence about what comes after the first state, or about something else than the
	// status, state, stage or phase.
	untilLater = pattern.Lazy(`,? (until|so that|because|and (it )?(can|must|has to|have to|needs?|is not|are not|stays?|remains?)|and its \w*[^es\W] (is|becomes))\b.*$`)
	// conditional matches words for a state that depends on something.
	conditional = pattern.Lazy(`\b(if|when|whenever|unless|depend\w*|otherwise|immediately|at once|automatic\w*)\b`)
)
