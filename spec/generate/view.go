package generate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/schema"
)

// A conjunction is a list of schemas. A value must meet all of them.
type conjunction []*jsonschema.Schema

func (c conjunction) met(value any, root document.Place) bool {
	return !slices.ContainsFunc(c, func(s *jsonschema.Schema) bool { return !schema.Meets(s, root, value) })
}

// A view is a conjunction as a flat list of schemas: each $ref and allOf is followed, and one
// branch of each oneOf, anyOf and if is chosen.
type view struct {
	parts  []*jsonschema.Schema
	forks  []fork
	tags   map[string]string // by property: the discriminator value of the chosen branch
	never  bool              // no value can meet it
	root   document.Place    // of the document
	source func(*jsonschema.Schema) document.Place
}

// A fork is a place in a schema where one of several branches is chosen.
type fork struct {
	of       *jsonschema.Schema
	keyword  string   // oneOf, anyOf, if, discriminator
	branches []branch // the simplest first
	chosen   int
}

type branch struct {
	label   string // for file names: the name of the component, or the number in the document
	schemas []*jsonschema.Schema
	tag     string // the value of the discriminator for the branch
	says    string // a predicate of the value: "is alternative 2 of 3, Cat"
}

func firstBranch(fork) int { return 0 }

// newView flattens a conjunction. choose returns which branch of a fork to take.
func (m *maker) newView(c conjunction, choose func(fork) int) *view {
	v := &view{tags: map[string]string{}, source: m.source, root: m.root()}
	seen := map[*jsonschema.Schema]bool{}
	var add func(*jsonschema.Schema)
	take := func(f fork) {
		if len(f.branches) == 0 {
			return
		}
		f.chosen = max(0, min(choose(f), len(f.branches)-1))
		v.forks = append(v.forks, f)
		b := f.branches[f.chosen]
		if d := schema.DiscriminatorOf(v.source(f.of)); d.Property != "" && b.tag != "" {
			v.tags[d.Property] = b.tag
		}
		for _, s := range b.schemas {
			add(s)
		}
	}
	add = func(s *jsonschema.Schema) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		v.parts = append(v.parts, s)
		if s.Bool != nil {
			v.never = v.never || !*s.Bool
			return
		}
		take(m.subtypes(v, s))
		v.addTags(s)
		add(s.Ref)
		add(s.RecursiveRef)
		if s.DynamicRef != nil {
			add(s.DynamicRef.Ref)
		}
		for _, member := range s.AllOf {
			add(member)
		}
		take(m.alternatives(s, "oneOf", s.OneOf))
		take(m.alternatives(s, "anyOf", s.AnyOf))
		if s.If != nil && (s.Then != nil || s.Else != nil) {
			take(fork{of: s, keyword: "if", branches: []branch{
				{label: "then", schemas: []*jsonschema.Schema{s.If, s.Then}, says: "meets the condition of if"},
				{label: "else", schemas: []*jsonschema.Schema{unlike(s.If), s.Else}, says: "does not meet the condition of if"},
			}})
		}
	}
	for _, s := range c {
		add(s)
	}
	return v
}

// unlike returns a schema for values that do not meet a condition on properties: they have the
// first property of the condition, with another value. It returns nil if the condition names none.
func unlike(condition *jsonschema.Schema) *jsonschema.Schema {
	names := sortedKeys(condition.Properties)
	if len(names) == 0 {
		return nil
	}
	other, s := synthetic(), synthetic()
	other.Not = condition.Properties[names[0]]
	s.Properties, s.Required = map[string]*jsonschema.Schema{names[0]: other}, names[:1]
	return s
}

// alternatives returns the fork of a oneOf or anyOf. Lists of values come first, null and recursive
// branches last.
func (m *maker) alternatives(of *jsonschema.Schema, keyword string, members []*jsonschema.Schema) fork {
	f := fork{of: of, keyword: keyword}
	rank := map[string]int{}
	for i, member := range members {
		if isNull(member) && schema.NullIsOpen(m.source(of)) {
			continue
		}
		b := branch{label: strconv.Itoa(i + 1), schemas: []*jsonschema.Schema{member}}
		b.says = fmt.Sprintf("is alternative %d of %d", i+1, len(members))
		if name := schema.NameIn(m.source(member).Get("$ref").Text()); name != "" {
			b.label, b.tag = b.label+"-"+slug(name), schema.DiscriminatorOf(m.source(of)).Tag(name)
			b.says += ", " + name
		}
		switch target := resolved(member); {
		case m.leadsBack(target, 3): // {"and": [{…}]} has two steps, and an allOf one more
			rank[b.label] = 2
		case isNull(target):
			rank[b.label] = 1
		case target.Enum != nil || target.Const != nil: // more plausible than free text, which often comes first
			rank[b.label] = -1
		}
		f.branches = append(f.branches, b)
	}
	slices.SortStableFunc(f.branches, func(a, b branch) int { return cmp.Compare(rank[a.label], rank[b.label]) })
	return f
}

// leadsBack reports whether a schema is recursive here. It is if it is on the way down already, or
// if each of its values holds a value of such a schema, at most that many steps down.
func (m *maker) leadsBack(s *jsonschema.Schema, steps int) bool {
	if s = resolved(s); m.active[s] > 0 || steps == 0 {
		return m.active[s] > 0
	}
	back := func(one *jsonschema.Schema) bool { return one != nil && m.leadsBack(one, steps-1) }
	return slices.ContainsFunc(s.Required, func(name string) bool { return back(s.Properties[name]) }) ||
		s.MinItems != nil && *s.MinItems > 0 && back(s.Items2020) || slices.ContainsFunc(s.AllOf, back)
}

func isNull(s *jsonschema.Schema) bool {
	return s.Types != nil && slices.Equal(s.Types.ToStrings(), []string{"null"})
}

// resolved follows $ref to its final target.
func resolved(s *jsonschema.Schema) *jsonschema.Schema {
	for range 10 { // a longer chain is circular
		if s.Ref == nil {
			return s
		}
		s = s.Ref
	}
	return s
}

// types returns the JSON types that all parts allow, the most significant first. If no part states
// a type, the type that the other keywords are about comes first.
func (v *view) types() []string {
	types := []string{"object", "array", "string", "integer", "number", "boolean", "null"}
	stated := false
	for _, s := range v.parts {
		if s.Types == nil {
			continue
		}
		stated = true
		allowed := s.Types.ToStrings()
		if schema.NullIsOpen(v.source(s)) {
			allowed = slices.DeleteFunc(allowed, func(name string) bool { return name == "null" })
		}
		types = slices.DeleteFunc(types, func(t string) bool {
			return !slices.Contains(allowed, t) && (t != "integer" || !slices.Contains(allowed, "number"))
		})
	}
	if stated {
		if slices.Contains(types, "number") { // a number may be an integer
			types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
		}
		return types
	}
	usual := []string{"string", "object", "array", "number", "boolean", "null"}
	for _, hint := range []struct {
		name  string
		about func(*jsonschema.Schema) bool
	}{
		{"object", func(s *jsonschema.Schema) bool {
			return s.Properties != nil || len(s.Required) > 0 || s.PatternProperties != nil || s.AdditionalProperties != nil ||
				s.MinProperties != nil || s.MaxProperties != nil || s.PropertyNames != nil || s.DependentRequired != nil || s.DependentSchemas != nil
		}},
		{"array", func(s *jsonschema.Schema) bool {
			return s.Items2020 != nil || s.PrefixItems != nil || s.MinItems != nil || s.MaxItems != nil || s.UniqueItems || s.Contains != nil
		}},
		{"number", func(s *jsonschema.Schema) bool {
			return s.Minimum != nil || s.Maximum != nil || s.ExclusiveMinimum != nil || s.ExclusiveMaximum != nil || s.MultipleOf != nil
		}},
	} {
		if slices.ContainsFunc(v.parts, hint.about) {
			return lists.Unique(append([]string{hint.name}, usual...))
		}
	}
	return usual
}

// values returns the values of enum and const that all parts allow. ok is false if no part lists
// values.
func (v *view) values() (values []any, ok bool) {
	for _, s := range v.parts {
		var these []any
		switch {
		case s.Const != nil:
			these = []any{*s.Const}
		case s.Enum != nil:
			these = s.Enum.Values
			if schema.NullIsOpen(v.source(s)) {
				these = slices.DeleteFunc(slices.Clone(these), func(value any) bool { return value == nil && len(these) > 1 })
			}
		default:
			continue
		}
		if !ok {
			values, ok = these, true
			continue
		}
		values = lists.Filter(values, func(a any) bool {
			return slices.ContainsFunc(these, func(b any) bool { return instance.Equal(a, b) })
		})
	}
	return values, ok
}

// property returns the schemas that the value of a property must meet.
func (v *view) property(name string) (c conjunction) {
	spoken := false
	for _, s := range v.parts {
		own := false
		if p := s.Properties[name]; p != nil {
			c, own = append(c, p), true
		}
		for _, pattern := range patternsOf(s) {
			if pattern.MatchString(name) {
				c, own = append(c, s.PatternProperties[pattern]), true
			}
		}
		if rest := restOf(s); !own && rest != nil {
			c, own = append(c, rest), true
		}
		spoken = spoken || own
	}
	for _, s := range v.parts {
		if s.UnevaluatedProperties != nil && !spoken {
			c = append(c, s.UnevaluatedProperties)
		}
	}
	return c
}

// restOf returns the schema of the properties that a schema does not list, or nil.
func restOf(s *jsonschema.Schema) *jsonschema.Schema {
	switch rest := s.AdditionalProperties.(type) {
	case bool:
		return &jsonschema.Schema{Bool: &rest}
	case *jsonschema.Schema:
		return rest
	}
	return nil
}

// patternsOf returns the patterns of patternProperties, in a fixed order.
func patternsOf(s *jsonschema.Schema) []jsonschema.Regexp {
	return slices.SortedFunc(maps.Keys(s.PatternProperties), func(a, b jsonschema.Regexp) int { return cmp.Compare(a.String(), b.String()) })
}

// names returns the required properties and the other listed ones, each in alphabetical order.
func (v *view) names() (required, optional []string) {
	for _, s := range v.parts {
		required = append(required, s.Required...)
		optional = slices.AppendSeq(optional, maps.Keys(s.Properties))
	}
	slices.Sort(required)
	slices.Sort(optional)
	required = slices.Compact(required)
	optional = slices.DeleteFunc(slices.Compact(optional), func(name string) bool { return slices.Contains(required, name) })
	return required, optional
}

// item returns the schemas that the item at that index must meet.
func (v *view) item(i int) (c conjunction) {
	spoken := false
	for _, s := range v.parts {
		switch {
		case i < len(s.PrefixItems):
			c, spoken = append(c, s.PrefixItems[i]), true
		case s.Items2020 != nil:
			c, spoken = append(c, s.Items2020), true
		}
	}
	for _, s := range v.parts {
		if s.UnevaluatedItems != nil && !spoken {
			c = append(c, s.UnevaluatedItems)
		}
	}
	return c
}

// slug makes a name safe for file names: letters, digits and single hyphens.
func slug(name string) string {
	fields := strings.FieldsFunc(name, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	return strings.Join(fields, "-")
}

// addTags records the discriminator values that stand for a component, for its discriminator and
// those of its parents. A value that is already chosen, for example by the mapping of a union, has
// precedence.
func (v *view) addTags(s *jsonschema.Schema) {
	at := v.source(s)
	name, isComponent := schema.ComponentAt(at)
	if !isComponent {
		return
	}
	for _, parent := range schema.Ancestors(at) {
		if d := schema.DiscriminatorOf(parent); d.Property != "" && v.tags[d.Property] == "" {
			v.tags[d.Property] = d.Tag(name)
		}
	}
}

// subtypes returns the choice between the components that a value of a schema with a discriminator
// may be: those of its mapping, or those that inherit from it. The fork is empty if the
// discriminator already has a value, or if the schema cannot have subtypes.
func (m *maker) subtypes(v *view, s *jsonschema.Schema) fork {
	at := m.source(s)
	d := schema.DiscriminatorOf(at)
	if d.Property == "" || v.tags[d.Property] != "" || s.OneOf != nil || s.AnyOf != nil || s.AdditionalProperties == false {
		return fork{}
	}
	branches, known := m.inherited[s]
	if !known {
		for _, subtype := range d.Subtypes() {
			name := schema.NameIn(subtype.Pointer)
			if compiled, err := m.schema.At(subtype).Compiled(m.direction); err == nil {
				branches = append(branches, branch{label: slug(name), schemas: []*jsonschema.Schema{compiled}, tag: d.Tag(name), says: "is a " + name})
			}
		}
		m.inherited[s] = branches
	}
	return fork{of: s, keyword: "discriminator", branches: branches}
}
