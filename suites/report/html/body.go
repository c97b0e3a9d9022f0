package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
)

// stretch is a part of a body that a finding is about, from a byte up to
// another.
type stretch struct{ from, to int }

// placesIn are the places in a body that findings are about, in order and
// apart from each other. Where a finding quotes what stands there, the place
// is as long as that, else it is a character.
func placesIn(body string, findings []judge.Finding) []stretch {
	var all []stretch
	for _, f := range findings {
		if f.Offset < 0 || f.Offset > int64(len(body)) {
			continue
		}
		from := int(f.Offset)
		_, size := utf8.DecodeRuneInString(body[from:])
		if f.Actual != body && strings.HasPrefix(body[from:], f.Actual) {
			size = max(size, len(f.Actual))
		}
		all = append(all, stretch{from, from + size})
	}
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	var apart []stretch
	for _, p := range all {
		if n := len(apart); n > 0 && p.from < apart[n-1].to {
			apart[n-1].to = max(apart[n-1].to, p.to)
			continue
		}
		apart = append(apart, p)
	}
	return slices.Compact(apart)
}

// excerpt is a body with the places marked: formatted if it is JSON, else
// at most so many bytes of it about the first place.
func excerpt(body string, places []stretch, most int) []fragment {
	if parts := formatted(body, places); parts != nil {
		return parts
	}
	from, to := 0, len(body)
	if to > most {
		if len(places) > 0 && places[0].from > most/2 {
			from = min(places[0].from-most/3, to-most)
		}
		to = from + most
	}
	from, to = startOfRune(body, from), startOfRune(body, to)
	var parts []fragment
	if from > 0 {
		parts = append(parts, leftOut(from))
	}
	at := from
	for _, p := range places {
		if p.from > to || p.from < at {
			break
		}
		end := min(p.to, to)
		parts = append(parts, text(body[at:p.from], false)...)
		parts = append(parts, text(body[p.from:end], true)...)
		at = end
	}
	parts = append(parts, text(body[at:to], false)...)
	if to < len(body) {
		parts = append(parts, leftOut(len(body)-to))
	}
	return slices.DeleteFunc(parts, func(p fragment) bool { return p.Text == "" && !p.Marked })
}

// text is a part of a body. Long white space in it is only counted.
func text(part string, marked bool) []fragment {
	var parts []fragment
	for _, p := range words.Pieces(part) {
		if !p.Blank {
			p.Text = terminal.VisibleText(p.Text)
		}
		parts = append(parts, fragment{Text: p.Text, Marked: marked, Gap: p.Blank})
	}
	if parts == nil {
		parts = []fragment{{Marked: marked}}
	}
	return parts
}

func leftOut(bytes int) fragment {
	return fragment{Text: fmt.Sprintf("… %s more bytes …", words.Grouped(bytes)), Gap: true}
}

// startOfRune moves an offset to the start of the character that it is in,
// unless it is in none.
func startOfRune(text string, offset int) int {
	for i := offset; i > 0 && i > offset-utf8.UTFMax; i-- {
		if i == len(text) || utf8.RuneStart(text[i]) {
			return i
		}
	}
	return offset
}
