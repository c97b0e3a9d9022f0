package compare

import (
	"fmt"
	"path"
	"unicode/utf8"

	"github.com/plantstore/conformance/suites/report/words"
)

// Widths in characters of texts that others chose.
const (
	answerWidth = 60
	nameWidth   = 40
	textWidth   = 240
)

// short makes a text harmless to look at and cuts it to so many characters.
func short[T ~string](text T, width int) string {
	runes := []rune(words.Visible(text[:min(len(text), (width+1)*utf8.UTFMax)]))
	if len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return string(runes)
}

// folder is a number of fixtures of one folder.
type folder struct {
	name  string
	ids   []string
	first string
}

// byFolder gathers fixtures by their folder, in the order of first sight.
func byFolder(ids []string) []folder {
	var list []folder
	places := map[string]int{}
	for _, id := range ids {
		name := path.Dir(id)
		i, known := places[name]
		if !known {
			i = len(list)
			places[name] = i
			list = append(list, folder{name: name, first: id})
		}
		list[i].ids = append(list[i].ids, id)
	}
	return list
}

// String names one fixture, or the folder and how many.
func (f folder) String() string {
	if len(f.ids) == 1 {
		return f.first
	}
	return fmt.Sprintf("%s/* (%d)", f.name, len(f.ids))
}
