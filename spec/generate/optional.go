package generate

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/instance"
)

// pairs yields the full value without some of its optional properties. For any two of these, all
// four combinations occur.
func (c *caser) pairs() bool {
	b, ok := c.first()
	if !ok || instance.TypeOf(b.value) != "object" {
		return true
	}
	required, _ := b.view.names()
	var optional []string
	for _, kid := range b.kids {
		if name := kid.path[0]; !kid.isTag && !slices.Contains(required, name) {
			optional = append(optional, name)
		}
	}
	const shownNames = 3
	for i, row := range covering(len(optional)) {
		value := b.value
		var left []string
		for j, present := range row {
			if !present {
				left = append(left, optional[j])
				value = changed(value, []string{optional[j]}, absent)
			}
		}
		says := "the full value without " + strings.Join(left[:min(len(left), shownNames)], ", ")
		if len(left) > shownNames {
			says += fmt.Sprintf(" and %d more", len(left)-shownNames)
		}
		if len(left) > 0 && !c.whole(Case{Kind: "pairwise", Variant: strconv.Itoa(i + 1), Value: value, Says: says}) {
			return false
		}
	}
	return true
}

// deeper completes, in one value each, the objects and lists for which the full value had no room.
func (c *caser) deeper(first base, seen map[string]bool) (found []base) {
	for queue := []base{first}; len(queue) > 0; queue = queue[1:] {
		outer := queue[0]
		for _, place := range outer.all() {
			if !place.truncated || len(place.path) == 0 || first.enclosing(place.path, place.conjunction) > 1 || len(found) == maxDeeper {
				continue
			}
			inner := c.maker(full(nil)).make(place.path, place.conjunction, nil, maxRoom)
			if inner == nil {
				continue
			}
			whole := *outer.made
			whole.value, whole.kids = changed(outer.value, place.path, inner.value), []*made{inner}
			b := c.withPlaces(base{
				made: &whole, at: forkPlace{path: place.path},
				branch: branch{label: "deep-" + slug(strings.Join(place.path, "-")), says: "has all that is optional in it"},
			}, seen)
			if len(b.places) > 0 && c.meets(b.value) {
				found, queue = append(found, b), append(queue, b)
			}
		}
	}
	return found
}

// maxDeeper bounds the number of values that deeper makes.
const maxDeeper = 24

// leftOut makes values with an optional property that the full value does not have, because the
// property is valid only with some of the others.
func (c *caser) leftOut(first base, seen map[string]bool) (found []base) {
	for _, place := range first.all() {
		if instance.TypeOf(place.value) != "object" {
			continue
		}
		_, optional := place.view.names()
		for _, name := range optional {
			of, path := place.view.property(name), instance.Below(place.path, name)
			if _, there := instance.At(first.value, path); there || place.truncated || !c.maker(nil).carried(of) || slices.ContainsFunc(of, isNever) || first.enclosing(path, of) > 1 || len(found) == maxLeftOut {
				continue
			}
			c.must = path
			one := c.draw(full(nil))
			c.must = nil
			if one == nil {
				continue
			}
			if _, there := instance.At(one.value, path); there {
				b := branch{label: "with-" + slug(name), says: "has " + name + ", which does not go with all others"}
				found = append(found, c.withPlaces(base{made: one, branch: b, at: forkPlace{path: place.path}}, seen))
			}
		}
	}
	return found
}

// maxLeftOut bounds the number of values that leftOut makes.
const maxLeftOut = 16

// enclosing returns how many values around the path have one of the schemas. A recursive object is
// nested once.
func (m *made) enclosing(path []string, c conjunction) (n int) {
	for _, outer := range m.all() {
		if len(outer.path) < len(path) && slices.Equal(outer.path, path[:len(outer.path)]) && slices.ContainsFunc(c, func(s *jsonschema.Schema) bool {
			return slices.ContainsFunc(outer.view.parts, func(part *jsonschema.Schema) bool { return part == resolved(s) })
		}) {
			n++
		}
	}
	return n
}

// covering returns a covering array of strength 2 for n factors with two levels: in any two columns
// all four pairs occur. Each row but the first stands for an element of a set. The columns are
// different subsets of one size, large enough that any two of them intersect (Kleitman and Spencer
// 1973).
func covering(n int) [][]bool {
	if n == 0 {
		return nil
	}
	elements, size := 1, 1
	for new(big.Int).Binomial(int64(elements), int64(size)).Cmp(big.NewInt(int64(n))) < 0 {
		elements++
		size = (elements + 2) / 2
	}
	rows := make([][]bool, elements+1)
	for i := range rows {
		rows[i] = make([]bool, n)
	}
	column := 0
	for subset := uint(1)<<elements - 1; column < n; subset-- { // a bit for each element
		if bits.OnesCount(subset) != size {
			continue
		}
		for element := range elements {
			rows[1+element][column] = subset>>(elements-1-element)&1 == 1
		}
		column++
	}
	return rows
}
