package generate

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// A Case is a value that meets or violates a schema, and what is particular about it. Kind, Path
// and Variant together are unique among the valid cases of a schema, and among the invalid ones.
// They do not depend on the order of members in the document.
type Case struct {
	Kind    string   // see the package's documentation
	Path    []string // where Value differs from Twin; nil: the whole value
	Variant string   // distinguishes cases of one kind and path; letters, digits and hyphens, may be empty
	Value   any      // in the types of package instance; must not be changed
	Twin    any      // the valid value that Value was made from; for [Invalid] and valid cases that differ in one place
	HasTwin bool     // Twin is set; it may be null
	Says    string   // for a person: "pages is -1, below the minimum 1"
	Rounds  bool     // invalid, but valid for a reader that rounds numbers to double precision

	open bool // valid, but the document does not state it: a limit of an int64, or a text whose rule is not validated
}

// absent as the value of a case means that the property is removed.
const absent = removal(true)

type removal bool

// Stated reports whether the document states that the value is valid: by a limit, a list of values,
// a branch or a type. It does not state this for an undeclared property, nor for the smallest and
// largest int64. Nor does it say that a text of the maximum length is, for example, the phone
// number that a format asks for.
func (c Case) Stated() bool { return !c.open && c.Kind != "undeclared" }

// id identifies a case among the valid or the invalid ones. A file system may ignore the case of letters.
func (c Case) id() string {
	return "id " + c.Kind + instance.Pointer(c.Path) + " " + strings.ToLower(c.Variant)
}

// A base is a valid value that cases are made from.
type base struct {
	*made
	branch                   // the branch by which it differs from the full value
	at        forkPlace      // of that branch
	overrides map[string]int // the branches other than the first
	places    []*made        // the places that no earlier base has
}

// A caser makes the cases of one schema in one direction.
type caser struct {
	*subject
	seen  map[string]bool // ids and values that were given
	yield func(Case) bool

	work     int    // what is left for remade
	known    []base // the first base once it is made, then the others
	branched bool   // the other bases are made
}

// Limits on the cases of one schema.
const (
	maxBases  = 64
	maxPlaces = 1000
	maxRemade = 50 * maxWork
)

// cases returns the cases that give makes, or none if the schema cannot be compiled.
func cases(s *schema.Schema, d schema.Direction, apart [][]string, give func(*caser)) iter.Seq[Case] {
	return func(yield func(Case) bool) {
		of, err := newSubject(s, d)
		if err != nil || of.compiled == nil {
			return
		}
		of.apart = apart
		give(&caser{subject: of, seen: map[string]bool{}, yield: yield, work: maxRemade})
	}
}

// full returns a plan for a value with every optional property, with list items, and with these
// branches.
func full(overrides map[string]int) func(choice) int {
	return func(c choice) int {
		switch c.kind {
		case "branch":
			return overrides[forkKey(c.path, c.fork)]
		case "optional":
			return 1
		case "items":
			return c.want
		}
		return 0
	}
}

// forkKey identifies a fork of a value.
func forkKey(path []string, f fork) string {
	return instance.Pointer(path) + "#" + f.of.Location + "#" + f.keyword
}

// bases returns the full value, or the minimal value if there is no full one, and then a value for
// each further branch. [Valid] gives each of them, too.
func (c *caser) bases() []base {
	if first, ok := c.first(); ok && !c.branched {
		c.known, c.branched = append(c.known, c.branch(first)...), true
	}
	return c.known
}

func (c *caser) first() (b base, ok bool) {
	for _, plan := range []func(choice) int{full(nil), plainest} {
		if len(c.known) > 0 {
			break
		}
		if one := c.draw(plan); one != nil {
			c.known = []base{c.withPlaces(base{made: one}, map[string]bool{})}
		}
	}
	if len(c.known) == 0 {
		return base{}, false
	}
	return c.known[0], true
}

// branch makes the values with further branches: first those of the full value, then those that
// appear in the new values, and so on.
func (c *caser) branch(first base) (found []base) {
	known, seen := map[string]bool{}, map[string]bool{}
	c.withPlaces(first, seen)
	made := 1
	for queue := []base{first}; len(queue) > 0; queue = queue[1:] {
		for place, other := range queue[0].others(known) {
			if made++; made > maxBases {
				return found
			}
			overrides := map[string]int{forkKey(place.path, place.fork): other}
			maps.Copy(overrides, queue[0].overrides)
			next := c.drawBranch(overrides, place, other)
			if next == nil {
				continue
			}
			b := c.withPlaces(base{made: next, branch: place.fork.branches[other], at: place, overrides: overrides}, seen)
			found, queue = append(found, b), append(queue, b)
		}
	}
	return slices.Concat(found, c.deeper(first, seen), c.leftOut(first, seen))
}

// drawBranch makes a value that takes a branch: with all optional properties, or if that fails,
// with as few as possible.
func (c *caser) drawBranch(overrides map[string]int, place forkPlace, other int) *made {
	most := full(overrides)
	least := func(c choice) int {
		if c.kind == "branch" {
			return most(c)
		}
		return 0
	}
	for _, plan := range []func(choice) int{most, least} {
		if one := c.draw(plan); one != nil && one.took(place, other) {
			return one
		}
	}
	return nil
}

func plainest(choice) int { return 0 }

// A forkPlace is a fork of a value, its path, and its index among the forks at that path.
type forkPlace struct {
	path  []string
	fork  fork
	index int
}

// others yields the branches of a value that it did not take and that are not known yet.
func (m *made) others(known map[string]bool) iter.Seq2[forkPlace, int] {
	return func(yield func(forkPlace, int) bool) {
		for _, place := range m.all() {
			for i, f := range place.view.forks {
				for other := range f.branches {
					key := forkKey(place.path, f) + strconv.Itoa(other)
					isNew := !known[key] && other != f.chosen
					known[key] = true
					if isNew && !yield(forkPlace{place.path, f, i}, other) {
						return
					}
				}
			}
		}
	}
}

func (m *made) took(place forkPlace, other int) bool {
	key := forkKey(place.path, place.fork)
	for _, one := range m.all() {
		for _, f := range one.view.forks {
			if forkKey(one.path, f) == key {
				return f.branches[f.chosen].label == place.fork.branches[other].label
			}
		}
	}
	return false
}

// withPlaces records the places of a base whose schemas were not seen there yet. Of the list items
// with the same schemas it records the last one, because a check may stop at the first.
func (c *caser) withPlaces(b base, seen map[string]bool) base {
	own := map[string]int{}
	for _, one := range b.all() {
		var key strings.Builder
		for _, step := range one.path {
			if _, err := strconv.Atoi(step); err == nil {
				step = "*"
			}
			key.WriteString("/" + step)
		}
		for _, s := range one.view.parts {
			key.WriteString(" " + s.Location)
		}
		if i, alike := own[key.String()]; alike {
			b.places[i] = one
		} else if !seen[key.String()] && len(seen) < maxPlaces {
			own[key.String()], seen[key.String()] = len(b.places), true
			b.places = append(b.places, one)
		}
	}
	return b
}

// distinctly handles a change after which two entries of a list are the same, because a service may
// reject duplicates. It gives the other entry the old value of the changed one. Two sort keys that
// differ only in a minus count as the same. It returns nil if no two entries are the same.
func distinctly(before, after any, path []string) any {
	if len(path) == 0 {
		return nil
	}
	above, last := path[:len(path)-1], path[len(path)-1]
	inner, _ := instance.At(after, above)
	list, _ := inner.([]any)
	old, there := instance.At(before, path)
	now, _ := instance.At(after, path)
	bare := func(value any) string { return strings.TrimLeft(instance.Compact(value), `"+-`) }
	for i, entry := range list {
		if at := strconv.Itoa(i); there && at != last && bare(entry) == bare(now) && bare(old) != bare(now) {
			return changed(after, append(slices.Clip(above), at), old)
		}
	}
	return nil
}

// isNew reports whether all the ids and values are new. If so, it records them.
func (c *caser) isNew(keys ...string) bool {
	if slices.ContainsFunc(keys, func(key string) bool { return c.seen[key] }) {
		return false
	}
	for _, key := range keys {
		c.seen[key] = true
	}
	return true
}

// give yields the case of a change to a base, if the case is new and its value is valid or invalid
// as required. goOn reports whether to go on.
func (c *caser) give(b base, ch Case, valid bool) (goOn, given bool) {
	if at, there := instance.At(b.value, ch.Path); there && ch.Value != absent && instance.Equal(at, ch.Value) {
		return true, false
	}
	if b.label != "" {
		ch.Variant = strings.TrimPrefix(ch.Variant+"-in-"+b.label, "-")
	}
	text := fmt.Sprint("value ", b.label, instance.Pointer(ch.Path), ch.Value == absent, instance.Compact(ch.Value))
	if c.seen[ch.id()] || c.seen[text] {
		return true, false
	}
	value := changed(b.value, ch.Path, ch.Value)
	if c.meets(value) != valid {
		return true, false
	}
	if apart := distinctly(b.value, value, ch.Path); valid && apart != nil && c.meets(apart) {
		value, ch.Path = apart, ch.Path[:len(ch.Path)-1]
	}
	if !c.isNew(ch.id(), text) {
		return true, false
	}
	ch.Value, ch.Twin, ch.HasTwin = value, b.value, true
	return c.yield(ch), true
}

// meets reports whether a value meets the schema, and its objects meet the schemas that they name.
func (s *subject) meets(value any) bool {
	return schema.Meets(s.compiled, s.root(), value) && s.schema.MeetsSubtypes(s.direction, value)
}

// changed returns a value with another value at a path, or with nothing there if to is absent. It
// does not change the original.
func changed(value any, path []string, to any) any {
	if to == absent {
		left, _ := instance.Without(value, path)
		return left
	}
	return instance.Put(value, path, to)
}

// placeName returns a path as a person writes it: "author.name", "tags[0]".
func placeName(path []string) string {
	var b strings.Builder
	for _, step := range path {
		if _, err := strconv.Atoi(step); err == nil {
			b.WriteString("[" + step + "]")
		} else {
			b.WriteString("." + step)
		}
	}
	return cmp.Or(strings.TrimPrefix(b.String(), "."), "the value")
}

// shown returns a value as a person reads it in a sentence.
func shown(value any) string {
	const longest = 60
	text := []rune(instance.Compact(value))
	if len(text) > longest {
		return string(text[:longest]) + "…"
	}
	return string(text)
}

// variantOf returns the variant for a value: its text, if that is short and safe for file names, or
// else a name with a hash.
func variantOf(value any, others []any) string {
	const longest = 40
	text := instance.Compact(value)
	if s, ok := value.(string); ok {
		text = s
	}
	name := slug(text)
	clash := slices.ContainsFunc(others, func(other any) bool {
		s, ok := other.(string)
		return ok && s != text && strings.EqualFold(slug(s), name)
	})
	if name == text && !clash && len(name) <= longest {
		return name
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(instance.Compact(value))) // a hash takes any bytes
	return strings.Trim(name[:min(len(name), longest)]+fmt.Sprintf("-%08x", h.Sum32()), "-")
}
