package generate

import (
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/pattern"
)

// undeclared is the name of a property that no schema declares.
const undeclared = "conformanceUndeclared"

// object makes an object: the required properties, those that are chosen, and those that these
// depend on.
func (m *maker) object(one *made, examples []any, room int) bool {
	required, optional := one.view.names()
	most, _ := one.view.atMost(maxProperties)
	one.truncated = room < len(required)+len(optional) && len(optional) > 0
	o := &objectMaker{maker: m, made: one, examples: examples, room: room / max(1, len(required)+len(optional)), kids: map[string]*made{}}
	if last := len(m.must) - 1; last == len(one.path) && slices.Equal(m.must[:last], one.path) {
		required = append(required, m.must[last])
	}
	for _, name := range required {
		if !o.add(name) {
			return false
		}
	}
	needed := o.names()
	for _, name := range optional {
		if o.wants(name) && len(o.kids) < most {
			o.add(name)
		}
	}
	if !o.depend() {
		return false
	}
	o.reachMinimum(optional)
	isMap := len(required)+len(optional) == 0 && len(o.kids) == 0
	for _, name := range o.matching() {
		if len(o.kids) < most && o.wants(name) {
			o.add(name)
		}
	}
	if o.room > 0 && isMap && len(o.kids) < most && o.describesRest() && m.choose(choice{kind: "optional", path: instance.Below(one.path, restName), n: 2}) == 1 {
		o.addUnlisted(restName)
	}
	o.assemble(o.names())
	if m.careful && !m.meets(one.conjunction, one) {
		o.repair(needed, optional)
	}
	return true
}

// restName is the key of a generated entry in a map.
const restName = "conformance"

type objectMaker struct {
	*maker
	*made
	examples []any
	room     int // for each property
	kids     map[string]*made
}

func (o *objectMaker) names() []string { return sortedKeys(o.kids) }

// wants reports whether an optional property is chosen.
func (o *objectMaker) wants(name string) bool {
	c := o.view.property(name)
	if o.room == 0 || !o.carried(c) || o.within(c) || slices.ContainsFunc(c, isNever) ||
		slices.ContainsFunc(o.apart, func(path []string) bool { return slices.Equal(path, instance.Below(o.path, name)) }) {
		return false
	}
	if o.view.tags[name] != "" { // it says which schema the object meets
		return true
	}
	return o.choose(choice{kind: "optional", path: instance.Below(o.path, name), n: 2}) == 1
}

func isNever(s *jsonschema.Schema) bool { return s.Bool != nil && !*s.Bool }

func (o *objectMaker) add(name string) bool {
	if o.kids[name] != nil {
		return true
	}
	c := o.view.property(name)
	var kid *made
	if tag, ok := o.view.tags[name]; ok {
		is, value := synthetic(), any(tag)
		is.Const = &value
		if kid = o.make(instance.Below(o.path, name), append(slices.Clip(c), is), nil, o.room); kid != nil {
			kid.isTag = true
		}
	}
	if kid == nil {
		kid = o.make(instance.Below(o.path, name), c, inside(o.examples, name), o.room)
	}
	if kid == nil {
		return false
	}
	o.kids[name] = kid
	return true
}

// depend adds the properties that the present ones require, and those that these require in turn.
func (o *objectMaker) depend() bool {
	for before := -1; before < len(o.kids); {
		before = len(o.kids)
		for _, name := range o.names() {
			if slices.ContainsFunc(o.askedFor(name), func(other string) bool { return !o.add(other) }) {
				return false
			}
		}
	}
	return true
}

// askedFor returns the properties that another property requires. A schema that depends on that
// property becomes part of the view.
func (o *objectMaker) askedFor(name string) (names []string) {
	for _, s := range o.view.parts {
		names = append(names, s.DependentRequired[name]...)
		dependent := s.DependentSchemas[name]
		if dependent == nil || slices.Contains(o.view.parts, dependent) {
			continue
		}
		further := o.newView(conjunction{dependent}, firstBranch)
		o.view.parts = append(o.view.parts, further.parts...)
		for _, other := range further.parts {
			names = append(names, other.Required...)
			for known := range other.Properties {
				if o.kids[known] != nil { // it must meet one more schema now
					delete(o.kids, known)
					names = append(names, known)
				}
			}
		}
	}
	return names
}

// reachMinimum adds properties up to minProperties: optional properties without nested values, then
// the other optional ones, then unlisted ones.
func (o *objectMaker) reachMinimum(optional []string) {
	least, _ := o.view.atLeast(minProperties)
	least = min(least, maxRoom)
	if len(o.kids) >= least {
		return
	}
	holds := func(name string) bool {
		types := o.newView(o.view.property(name), firstBranch).types()
		return slices.Contains(types, "object") || slices.Contains(types, "array")
	}
	for _, nested := range []bool{false, true} {
		for _, name := range optional {
			if c := o.view.property(name); len(o.kids) < least && holds(name) == nested && o.carried(c) {
				o.add(name)
			}
		}
	}
	for i := 0; len(o.kids) < least && i < least; i++ {
		name := restName
		if i > 0 {
			name += strconv.Itoa(i + 1)
		}
		o.addUnlisted(name)
	}
}

// matching returns names that are not listed, one for each pattern of patternProperties.
func (o *objectMaker) matching() (names []string) {
	for _, s := range o.view.parts {
		for _, re := range patternsOf(s) {
			candidates := pattern.NewSampler(re.String()).Texts(0, o.salt)
			if i := slices.IndexFunc(candidates, func(name string) bool { return o.kids[name] == nil && s.Properties[name] == nil && o.mayBeCalled(name) }); i >= 0 {
				names = append(names, candidates[i])
			}
		}
	}
	return names
}

// describesRest reports whether the schema says what an unlisted property looks like.
func (o *objectMaker) describesRest() bool {
	return slices.ContainsFunc(o.view.parts, func(s *jsonschema.Schema) bool {
		rest := restOf(s)
		return rest != nil && !isNever(rest) && !o.within(conjunction{rest})
	})
}

// addUnlisted adds a property that is not listed, with the given name or with one that
// patternProperties and propertyNames allow.
func (o *objectMaker) addUnlisted(name string) {
	names := []string{name}
	for _, s := range o.view.parts {
		for _, re := range patternsOf(s) {
			names = append(names, pattern.NewSampler(re.String()).Texts(0, o.salt+len(o.kids))...)
		}
		if s.PropertyNames != nil {
			names = append(names, o.namesOf(s.PropertyNames)...)
		}
	}
	for _, name := range names {
		c := o.view.property(name)
		if o.kids[name] == nil && !slices.ContainsFunc(c, isNever) && o.mayBeCalled(name) && o.add(name) {
			return
		}
	}
}

// namesOf returns candidates for a name that meets a schema.
func (o *objectMaker) namesOf(s *jsonschema.Schema) (names []string) {
	view := o.newView(conjunction{s}, firstBranch)
	candidates, listed := view.values()
	if !listed {
		o.salt += len(o.kids)
		candidates = o.texts(&made{path: o.path, view: view}, nil)
		o.salt -= len(o.kids)
	}
	for _, candidate := range candidates {
		if text, ok := candidate.(string); ok {
			names = append(names, text)
		}
	}
	return names
}

func (o *objectMaker) mayBeCalled(name string) bool {
	return !slices.ContainsFunc(o.view.parts, func(s *jsonschema.Schema) bool {
		return s.PropertyNames != nil && s.PropertyNames.Validate(name) != nil
	})
}

// assemble makes the object from the properties with these names.
func (o *objectMaker) assemble(names []string) {
	object := make(map[string]any, len(names))
	o.made.kids = nil
	for _, name := range names {
		object[name] = o.kids[name].value
		o.made.kids = append(o.made.kids, o.kids[name])
	}
	o.made.value = object
}

// repair looks for properties that are valid together. It starts with the needed ones, adds one
// more if they are not enough, and then each of the others that can be added.
func (o *objectMaker) repair(needed, optional []string) {
	wanted := o.names()
	holds := func(names []string) bool {
		slices.Sort(names)
		o.assemble(names)
		return o.work > 0 && o.meets(o.conjunction, o.made)
	}
	names := slices.Clone(needed)
	if !holds(names) {
		for _, name := range slices.Concat(wanted, optional) {
			with := append(slices.Clone(needed), name)
			if c := o.view.property(name); !slices.Contains(needed, name) && o.carried(c) && o.add(name) && holds(with) {
				names = with
				break
			}
		}
	}
	for _, name := range wanted {
		if with := append(slices.Clone(names), name); !slices.Contains(names, name) && holds(with) {
			names = with
		}
	}
	o.assemble(names)
}

// list makes a list: as many items as required, and as many more as are chosen.
func (m *maker) list(one *made, examples []any, room int) bool {
	least, _ := one.view.atLeast(minItems)
	most, _ := one.view.atMost(maxItems)
	unique := slices.ContainsFunc(one.view.parts, func(s *jsonschema.Schema) bool { return s.UniqueItems })
	prefix, contains, contained := one.view.firstItems()
	least = max(least, contained)
	const more, mostItems, shownItems = 4, 1000, 2 // a check may stop at the first item
	if least > mostItems {
		return false
	}
	n, shown := least, max(shownItems, prefix)
	if contained > 0 {
		shown = max(shown, contained+1) // otherwise an invalid item would violate contains, too
	}
	if rest := one.view.item(prefix); prefix > 0 && len(rest) > 0 && !slices.ContainsFunc(rest, isNever) {
		shown = max(shown, prefix+1)
	}
	extra := min(more, most-least)
	one.truncated = extra > 0 && room == 0
	if extra > 0 && room > 0 {
		n += m.choose(choice{kind: "items", path: one.path, n: extra + 1, want: min(extra, max(0, shown-least))})
	}
	n = min(n, max(least, room, 1))
	items := make([]any, 0, n)
	one.kids = nil
	salt, keepsExamples := m.salt, m.keepsExamples
	defer func() { m.salt, m.keepsExamples = salt, keepsExamples }()
	m.keepsExamples = keepsExamples || !unique
	for i := range n {
		if !unique { // a service may keep a list as a set, or swap items
			m.salt = salt + i
		}
		c := one.view.item(i)
		if i >= least && m.within(c) || slices.ContainsFunc(c, isNever) {
			break
		}
		if i >= prefix && i-prefix < contained || i < contained && prefix == 0 {
			c = append(slices.Clip(c), contains)
		}
		kid := m.distinct(one, i, c, inside(examples, strconv.Itoa(i)), room/max(1, n), items, unique)
		if kid == nil {
			break
		}
		one.kids = append(one.kids, kid)
		items = append(items, kid.value)
	}
	one.value = items
	return len(items) >= least
}

// firstItems returns the number of items with a schema for their position, the schema of contains,
// and how many items must meet it.
func (v *view) firstItems() (prefix int, contains *jsonschema.Schema, contained int) {
	for _, s := range v.parts {
		prefix = max(prefix, len(s.PrefixItems))
		if s.Contains != nil {
			contains, contained = s.Contains, 1
			if s.MinContains != nil {
				contained = max(0, *s.MinContains)
			}
		}
	}
	return prefix, contains, contained
}

// distinct makes an item. If items must be unique, it differs from those before.
func (m *maker) distinct(one *made, i int, c conjunction, examples []any, room int, before []any, unique bool) *made {
	const tries = 8
	salt := m.salt
	for range tries {
		kid := m.make(instance.Below(one.path, strconv.Itoa(i)), c, examples, room)
		if kid == nil || !unique || !instance.Contains(before, kid.value) {
			return kid
		}
		m.salt++
		examples = nil
	}
	m.salt = salt
	return nil
}

// inside returns the parts that examples have at a step.
func inside(examples []any, step string) (parts []any) {
	for _, example := range examples {
		if part, there := instance.At(example, []string{step}); there {
			parts = append(parts, part)
		}
	}
	return parts
}
