package spec

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/shown"
)

// Changer returns the operation that changes some of the values that op reads, or nil. It is
// a PATCH, or a POST on an item if the document describes it as a change, the body has a
// property of the item, and the response shows the item.
func (op *Operation) Changer() *Operation {
	path := barePath(op.Path)
	own := op.reader.paths[path]
	post := own[http.MethodPost]
	if patch := own[http.MethodPatch]; patch != nil || post == nil || own[http.MethodGet] != op || !strings.HasSuffix(path, "/{}") {
		return patch
	}
	says := post.says()
	for _, of := range op.SuccessShapes() {
		takes := func(c mediatype.Content) bool {
			return slices.ContainsFunc(c.Schema.Shape().Properties, func(p *schema.Property) bool { return of.Property(p.Name) != nil })
		}
		if updating().MatchString(says) && post.RequestBody != nil && post.shows(of) && slices.ContainsFunc(post.RequestBody.Content, takes) {
			return post
		}
	}
	return nil
}

// Replacer returns the operation that replaces what op reads, or nil. It is PUT on the same path, or on that of a list to
// which POST adds what op reads, if the body has the id.
func (op *Operation) Replacer() *Operation {
	path := barePath(op.Path)
	list, isItem := strings.CutSuffix(path, "/{}")
	own, above := op.reader.paths[path], op.reader.paths[list]
	put := above[http.MethodPut]
	if own[http.MethodPut] != nil || !isItem || own[http.MethodGet] != op || put == nil || above[http.MethodPost] == nil || put.RequestBody.JSON() == nil {
		return own[http.MethodPut]
	}
	if p := put.RequestBody.JSON().Shape().Property("id"); p == nil || p.ReadOnly {
		return nil
	}
	return put
}

// shows reports whether a success of the operation has the same schema, or one of the schemas that
// its anyOf and oneOf refer to.
func (op *Operation) shows(of *schema.Shape) bool {
	if len(of.Includes) == 0 {
		return false
	}
	such := of.Includes[:1]
	for _, keyword := range []string{"anyOf", "oneOf"} {
		for _, one := range of.Includes[0].To(keyword).List() {
			if one.Get("$ref") == nil {
				continue
			}
			if target, err := one.Target(); err == nil {
				such = append(slices.Clip(such), target)
			}
		}
	}
	return slices.ContainsFunc(op.SuccessShapes(), func(other *schema.Shape) bool {
		return len(other.Includes) > 0 && slices.Contains(such, other.Includes[0])
	})
}

// says returns the declared id, the summary and the description of the operation.
func (op *Operation) says() string {
	return op.DeclaredID() + "\n" + op.at.Get("summary").Text() + "\n" + op.at.Get("description").Text()
}

// TellsToReject reports whether a sentence of the operation's description says that requests are rejected with that
// status. The schema may not express the reason.
func (op *Operation) TellsToReject(status int) bool {
	code := strconv.Itoa(status)
	return status >= http.StatusBadRequest && sentences(op.at, func(said string) bool { return strings.Contains(said, code) && refusing().MatchString(said) }) != ""
}

// updating matches names of operations that update a resource, and the first words of descriptions.
var updating = pattern.Lazy(`(?im)^(\s|<[^<>]*>)*(update|edit|modif(y|ie)|change)s?\b|^([^\s]*[^a-z\s])?(update|modify|edit)([^a-z\s][^\s]*)?$|(?-i:^\S*(Update|Modify|Edit)([A-Z_-]\S*)?$)`)

// Uploader returns the operation that uploads the file which op reads, or nil. For GET /files/{id},
// GET /files/{id}/content and GET /files/{id}/image, this is a POST /files whose form has exactly one
// file. A last segment that does not stand for the content must be the name of that file in the form.
func (op *Operation) Uploader() *Operation {
	path := barePath(op.Path)
	end := strings.LastIndex(path, "/{}")
	if end < 0 {
		return nil
	}
	name := strings.TrimPrefix(path[end:], "/{}")
	hasFile := func(c mediatype.Content) bool {
		files := lists.Filter(c.Schema.Shape().Properties, func(p *schema.Property) bool { return p.Shape.IsFile() })
		return c.Kind == "multipart" && len(files) == 1 && (name == "" || contentName().MatchString(name) || name == "/"+files[0].Name)
	}
	if by := op.reader.paths[path[:end]][http.MethodPost]; by != nil && by.RequestBody != nil && slices.ContainsFunc(by.RequestBody.Content, hasFile) {
		return by
	}
	return nil
}

// CreatorOf returns the operation that creates what a property or query parameter of op's request names,
// though no path shows it: POST /team/add, if it requires team_name, and if its 201 has the same schema as
// what op answers, such as GET /team/get?team_name=. It returns nil if there are several, or if the POST also
// requires the id of something else, which may have to exist.
func (op *Operation) CreatorOf(name string) (create *Operation) {
	resources := func(op *Operation) (list []*schema.Shape) {
		for _, c := range lists.Filter(op.successContent(), mediatype.Content.MayBeJSON) {
			list = append(list, c.Schema.Shape())
			for _, p := range c.Schema.Shape().Properties {
				list = append(list, c.Schema.Of(p).Shape())
			}
		}
		return list
	}
	if strings.Contains(op.Path, "{") || !mayIdentify().MatchString(name) {
		return nil
	}
	own := resources(op)
	for path, methods := range op.reader.paths {
		post := methods[http.MethodPost]
		if post == nil || post == op || strings.Contains(path, "{") || !post.Names("201") || post.RequestBody.JSON() == nil {
			continue
		}
		_, sent := post.RequestBody.JSON().Shape().Inside()
		p := sent.Property(name)
		isShown := func(of *schema.Shape) bool { return slices.Contains(own, of) && of.Property(name) != nil }
		isOther := func(p *schema.Property) bool { return p.Required && p.Name != name && otherID().MatchString(p.Name) }
		if p == nil || !p.Required || p.Shape.HasParts() || slices.ContainsFunc(sent.Properties, isOther) || !slices.ContainsFunc(resources(post), isShown) {
			continue
		}
		if create != nil {
			return nil
		}
		create = post
	}
	return create
}

// CreatesByID reports whether the property is the id by which the path of an entry names what the operation creates:
// eventId for POST /events and /events/{eventId}.
func (op *Operation) CreatesByID(property string) bool {
	entry := Stem(op.Path) + "/{" + property + "}"
	for _, of := range op.reader.byID {
		if strings.HasPrefix(Stem(of.Path)+"/", entry+"/") {
			return otherID().MatchString(property)
		}
	}
	return false
}

// IsID reports whether a property is an id by its name: id, eventId, event_id.
func IsID(property string) bool { return shown.IsID(property) || otherID().MatchString(property) }

// HidesDeleted reports whether the description says that the operation does not show what is deleted: "A deleted order is
// not found (404)", "Deleted orders are left out unless `all` is true". That must be an optional parameter of the operation.
func (op *Operation) HidesDeleted() bool {
	said := regexp.MustCompile(`^(?:an? |the |any )?(?:deleted|removed) ` + op.noun() + `s? (?:is|are) (?:not (?:found|listed|returned|included|shown)|left out|excluded|omitted|hidden)(?: by default)?(?:\W*(?:404\W*)?$|\W+(?:404\W+)?(?:until .*|unless (.*))$)`)
	return slices.ContainsFunc(endOfSentence().Split(op.at.Get("description").Text(), -1), func(sentence string) bool {
		found := said.FindStringSubmatch(words(sentence))
		isAsked := func(p Parameter) bool { return !p.Required && strings.HasPrefix(found[1], words(p.Name)+" ") }
		return len(found) > 0 && (found[1] == "" || slices.ContainsFunc(op.Parameters, isAsked))
	})
}

// mayIdentify matches properties of which no two resources have the same value. A bare id may be that of anything.
var mayIdentify = pattern.Lazy(`(?i).(id|name|key|slug|code|number|login)$`)

var otherID = pattern.Lazy(`(?i:_id)$|I[dD]$`)

// Unique returns the properties whose values must be unique, and the path to them in the body. The
// description of 409 or of the operation names them, or says that a resource exists already, and their
// own description says that they are unique. Other properties that these texts name, such as the
// project in which a name is unique, belong to them, unless two requests that omit them have the same default.
func (op *Operation) Unique() (within, names []string) {
	said := mailAddress().ReplaceAllString(op.conflict(), "email") // it names no property address
	if said == "" || op.RequestBody.JSON() == nil {
		return nil, nil
	}
	within, resource := op.RequestBody.JSON().Shape().Inside()
	words := []string{said}
	for _, p := range resource.Properties {
		description := p.At.Get("description").Text()
		switch isText := p.Shape.Allows("string") || p.Shape.Allows("integer"); {
		case mayRename().MatchString(p.Name):
			return nil, nil
		case p.ReadOnly || p.Shape.Enum || !isText:
		case namesProperty(said, p.Name), IsUnique(description) && !ofAnother().MatchString(p.Name):
			names, words = append(names, p.Name), append(words, mailAddress().ReplaceAllString(description, "email"))
		}
	}
	said = strings.Join(words, "\n")
	for _, p := range resource.Properties {
		if len(names) > 0 && !p.ReadOnly && (p.Required || p.At.Get("default") == nil) && !slices.Contains(names, p.Name) && namesProperty(said, ofAnother().ReplaceAllString(p.Name, "$1")) {
			names = append(names, p.Name)
		}
	}
	return within, names
}

// IgnoresCase reports whether the description says that values are compared without regard to case, as on creation.
func (op *Operation) IgnoresCase() bool {
	said := op.conflict() + "\n" + op.says()
	return caseless().MatchString(said) && !caseful().MatchString(said)
}

// Occupier returns the POST that creates what a resource must not have when op deletes it: POST
// /teams/{id}/boards, if 409 to DELETE /teams/{id} says that the team has boards. It may return nil.
func (op *Operation) Occupier() *Operation {
	if op.Method != http.MethodDelete || !op.Names("409") {
		return nil
	}
	said := op.response(http.StatusConflict).Description() + "\n" + sentences(op.at, refusing().MatchString)
	isSaidToHave := func(name string) bool {
		return regexp.MustCompile(`(?i)\b(has|have|having|with|contains?) (\w+ \w+ or )?((any|some|existing) )?` + regexp.QuoteMeta(name) + `\b`).MatchString(said)
	}
	for _, path := range slices.Sorted(maps.Keys(op.reader.paths)) {
		name, isBelow := strings.CutPrefix(path, barePath(op.Path)+"/")
		if by := op.reader.paths[path][http.MethodPost]; isBelow && by != nil && by.Names("201") && isSaidToHave(name) {
			return by
		}
	}
	return nil
}

// ChangesEntry reports whether the operation changes an entry of a list to which POST adds entries.
func (op *Operation) ChangesEntry() bool {
	list, isEntry := strings.CutSuffix(barePath(op.Path), "/{}")
	return isEntry && (op.Method == http.MethodPut || op.Method == http.MethodPatch) && !op.Names("201") && op.reader.paths[list][http.MethodPost] != nil
}

// conflict returns the sentences of the description of 409 that say that a resource exists already, in
// any state, and those of the operation about unique values. It returns "" if the operation may
// instead change the existing resource, return it, or choose another name.
func (op *Operation) conflict() string {
	declared := op.response(http.StatusConflict)
	_, renames := op.parameter(func(p Parameter) bool { return mayRename().MatchString(p.Name) })
	isCreation := op.Method == http.MethodPost && (op.Names("201") || op.AddsEntry())
	mayChangeAnother := isCreation && mayChange().MatchString(op.at.Get("summary").Text()+"\n"+op.at.Get("description").Text())
	if !isCreation && !op.ChangesEntry() || !op.Names("409") || renames || mayChangeAnother ||
		slices.ContainsFunc(op.Successes(), func(d *Declared) bool { return isThere().MatchString(d.Description()) }) {
		return ""
	}
	about := func(words *regexp.Regexp) func(string) bool {
		return func(said string) bool { return words.MatchString(said) && !inState().MatchString(said) }
	}
	isRefused := func(said string) bool { return refusing().MatchString(said) && about(ofOther())(said) }
	isUnique := func(said string) bool { // two new resources are not deleted, so they are among those that the sentence is about
		return noTwo().MatchString(said) || unique().MatchString(said) && !inState().MatchString(ofDeleted().ReplaceAllString(said, ""))
	}
	return strings.TrimSpace(sentences(declared.at, about(taken())) + "\n" + sentences(op.at, isUnique) + "\n" + sentences(op.at, isRefused))
}

// sentences returns the sentences of a summary and of a description for which such returns true.
func sentences(at document.Place, such func(string) bool) string {
	said := at.Get("summary").Text() + "\n" + at.Get("description").Text()
	return strings.Join(lists.Filter(endOfSentence().Split(said, -1), such), "\n")
}

// IsUnique reports whether a description says that a value is unique and that it is not an id.
func IsUnique(description string) bool {
	return unique().MatchString(description) && !IsOfID(description)
}

// IsOfID reports whether a description says that a value is an id or a reference.
func IsOfID(description string) bool { return aboutID().MatchString(description) }

// IdempotencyKey returns the header parameter of a POST with which a repeated request creates
// nothing more. Its name and its description say so, or the description of the operation says it
// about the name.
func (op *Operation) IdempotencyKey() (Parameter, bool) {
	return op.parameter(func(p Parameter) bool {
		if op.Method != http.MethodPost || p.In != "header" || !keyOfRequest().MatchString(p.Name) {
			return false
		}
		isAbout := func(said string) bool { return strings.Contains(strings.ToLower(said), strings.ToLower(p.Name)) }
		return createsOnce().MatchString(p.Description() + "\n" + sentences(op.at, isAbout))
	})
}

// ReturnsFirst reports whether the document says that a repeated request with the same key gets the first response.
func (op *Operation) ReturnsFirst() bool {
	key, ok := op.IdempotencyKey()
	return ok && returnsFirst().MatchString(key.Description()+"\n"+op.says())
}

// namesProperty reports whether a text contains the name of a property, perhaps in several words.
func namesProperty(text, name string) bool {
	words := strings.Join(wordOfName().FindAllString(strings.ReplaceAll(name, "email", "e_mail"), -1), "[-_ ]?")
	return words != "" && regexp.MustCompile(`(?i)\b`+words+`s?\b`).MatchString(text)
}

var (
	endOfSentence = pattern.Lazy(`[.;]\s|\n`)
	wordOfName    = pattern.Lazy(`[A-Z]*[a-z]+|[A-Z]+|[0-9]+`)
	unique        = pattern.Lazy(`(?i)\bunique\b`)
	mailAddress   = pattern.Lazy(`(?i)\be-?mail address(es)?\b`)
	noTwo         = pattern.Lazy(`(?i)^(no two (\w+ ){1,4}(may|can|must|should) (have|share) the same \w+|the [\w -]+ must not be (the same as )?that of another \w+)\W*$`)
	aboutID       = pattern.Lazy(`(?i)\b(ids?|identifiers?|uuid|guid|existing|refers? to|references?)\b`)
	ofAnother     = pattern.Lazy(`(?i)(.)(ids?|key|ref|code|number|name)$`) // such as customerNumber

	caseless = pattern.Lazy(`(?i)\b((irrespective|regardless) of|ignor(es?|ing)( the)?|without regard (to|for)) (upper and lower |letter )?case\b|\b(compared|unique)[^.;]* case[- ]?insensitive(ly)?\b|\bcase[- ]?insensitive(ly)? (unique|compar)`)
	caseful  = pattern.Lazy(`(?i)\bcase[- ]?sensitive`)

	contentName = pattern.Lazy(`(?i)^/(contents?|download|raw|data|bytes|blob|file)$`)
	refusing    = pattern.Lazy(`(?i)\b(409|conflict|cannot|can ?not|can't|fails?|refused|rejected|answered with (status )?4(00|12|22))\b`)

	isThere   = pattern.Lazy(`(?i)\b(exist(s|ed|ing)?|already|found|same)\b`)
	mayChange = pattern.Lazy(`(?i)\b(upsert|overwrit|replac|existing|(creates?|adds?|inserts?) or (updates?|gets?|replaces?))`)
	mayRename = pattern.Lazy(`(?i)overwrite|upsert|rename|conflict|replace|if_?exists`)
	taken     = pattern.Lazy(`(?i)\b(exists?|taken|in use|already (used|registered|assigned|been (used|registered))|(there (is|exists)|has) (already )?an?(other)? \w+ (of (this|that)|with (this|that|the same))|duplicated?|duplicates|unique(ness)?)\b`)
	ofOther   = pattern.Lazy(`(?i)\b((that|which) (another|some other) \w+ (already )?(has|uses)|already (exists?|taken|used|registered|in use))\b`)
	ofDeleted = pattern.Lazy(`(?i)\b(deleted|archived)\b`)
	inState   = pattern.Lazy(`(?i)\b(not?|without|unless|open|active|pending|running|progress|archived|deleted|different|concurrent(ly)?|versions?|overlap(s|ping)?|idempotency|requests?|problem|error|mistake|(creates?|generates?|returns?|assigns?|gets?|gives?) an? unique)\b|n't\b`)

	keyOfRequest = pattern.Lazy(`(?i)^(x-)?(idempotency-key|(client-)?request-id)$`)
	returnsFirst = pattern.Lazy(`(?i)\b(returns?|gets?|replays?|receives?) the ((first|original|stored|cached|same|earlier|previous) (response|result|answer)|(response|result|answer) (of|to) the (first|original|earlier|previous))\b`)
	createsOnce  = pattern.Lazy(`(?i)\b(same (result|thing|resource|outcome|answer|effect|response([^ ]|$| [^h]))|twice|(only|most|exactly|processed|executed|performed) once|not (be )?\w+ again|duplicates?|second time|(returns?|gets?) the (first|original|stored|cached|earlier|previous)|(creates?|adds?) (nothing|none)|(result|response|answer) (of|to) the (first|original|earlier|previous)|no (further|additional|second) effect|creat(es?|ing) (a|no) second|safe(ly)? (to )?retr(y|ies|ied)|retr(y|ies|ied) safe(ly)?|idempotent(ly)?|(ensures?|guarantees?|for|provides?) idempoten(cy|ce))\b`)
)

// KeptAttributes returns the path to the attributes in a body, as in {"data": {"attributes": {…}}},
// if a PATCH keeps the attributes that the body omits, because of JSON:API or the description.
// Otherwise it returns nil.
func (op *Operation) KeptAttributes(c mediatype.Content) []string {
	path, resource := c.Schema.Shape().Inside()
	words := op.at.Get("description").Text()
	isKept := strings.HasPrefix(c.MediaType, "application/vnd.api+json") || aboutAttributes().MatchString(words) && saysRestStays(words)
	if op.Method != http.MethodPatch || path == nil || resource.Property("attributes") == nil || !isKept {
		return nil
	}
	return append(path, "attributes")
}

// LeavesRest reports whether the operation keeps the values that a request omits. A PATCH does, and
// a PUT or another change if its description says so.
func (op *Operation) LeavesRest() bool {
	return op.Method == http.MethodPatch || (op.Method == http.MethodPut || op.IsChange()) && saysRestStays(op.at.Get("description").Text())
}

// saysRestStays reports whether a description says that values stay unchanged if a request omits
// them. A sentence about a default does not say so.
func saysRestStays(words string) bool {
	return slices.ContainsFunc(leavesRest().FindAllString(words, -1), func(sentence string) bool { return !strings.Contains(sentence, "default") })
}

var (
	aboutAttributes = pattern.Lazy(`(?i)\battributes\b`)
	leavesRest      = pattern.Lazy(`(?i)\b(left out|omitted|missing|absent|not (sent|given|provided|passed|specified|included))\b[^.]*\b(stay|keep|kept|remain|unchanged|untouched)[^.]*`)
)

// MayHide reports whether the description of the operation says when the property at a path is not
// shown: "bio is null unless the viewer follows the account". Or the description of an optional property
// says when there is one: "Only for cancelled orders".
func (op *Operation) MayHide(of *schema.Shape, path []string) bool {
	if p := of.Property(path[0]); p != nil && len(path) == 1 && !p.Required && atTimes().MatchString(p.At.Get("description").Text()) {
		return true
	}
	return sentences(op.at, func(one string) bool {
		return hiding().MatchString(one) && condition().MatchString(one) && namesProperty(one, path[len(path)-1])
	}) != ""
}

var (
	atTimes   = pattern.Lazy(`(?i)^(\w+ )?only (\w+ )?(for|if|when|while|after|once)\b`)
	hiding    = pattern.Lazy(`(?i)\b(null|empty|omitted|left out|hidden|masked|redacted|absent|visible|(not|never|only) (shown|returned|included|given))\b`)
	condition = pattern.Lazy(`(?i)\b(unless|if|when|only|except|without|of an?|for)\b`)
)

// SaysNotModified reports whether the description of If-None-Match says that 304 is the response to the current ETag.
// A service that sends the content again is right otherwise.
func (op *Operation) SaysNotModified() bool {
	p, ok := op.IfNoneMatch()
	return ok && promisedUnmodified().MatchString(p.Description()) && !openUnmodified().MatchString(p.Description())
}

var (
	promisedUnmodified = pattern.Lazy(`\b304\b`)
	openUnmodified     = pattern.Lazy(`(?i)\b(may|can|could|might|ignored?|supported|unless|except)\b`)
)
