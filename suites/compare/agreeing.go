package compare

import (
	"cmp"
	"fmt"
	"slices"
)

// agreeing are the columns that have the same text.
type agreeing struct {
	text    string
	columns []int
}

// splitBy gathers the columns by their texts, in the order of first sight.
func splitBy(texts []string) []agreeing {
	var list []agreeing
	for column, text := range texts {
		i := slices.IndexFunc(list, func(a agreeing) bool { return a.text == text })
		if i < 0 {
			i = len(list)
			list = append(list, agreeing{text: text})
		}
		list[i].columns = append(list[i].columns, column)
	}
	return list
}

// share is a text and who has it.
type share struct{ text, who string }

// sharesOf says who has which text: the rarest first, as that is where to look,
// and the most common last, which then needs no names. An empty text is none.
func sharesOf(texts []string) []share {
	split := slices.DeleteFunc(splitBy(texts), func(a agreeing) bool { return a.text == "" })
	slices.SortStableFunc(split, func(a, b agreeing) int { return cmp.Compare(len(a.columns), len(b.columns)) })
	var list []share
	for i, a := range split {
		who := keys(a.columns)
		switch {
		case len(split) == 1:
			who = "all"
		case i == len(split)-1 && len(a.columns) > 1:
			who = fmt.Sprintf("%d others", len(a.columns))
		}
		list = append(list, share{a.text, who})
	}
	return list
}
