package instance

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Difference says where two texts first differ, and what each has there.
func Difference(sent, got string) string {
	a, b := []rune(sent), []rune(got)
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	same := 0 // characters at the end
	for same < min(len(a), len(b))-from && a[len(a)-1-same] == b[len(b)-1-same] {
		same++
	}
	return fmt.Sprintf("at character %d, sent %s, got %s", from+1, shownRunes(a[from:len(a)-same]), shownRunes(b[from:len(b)-same]))
}

// shownRunes quotes characters, or only the first if they are many. It adds the code
// points of characters that are hard to read, and shows blank ones by code points alone.
func shownRunes(runes []rune) string {
	const (
		most  = 12 // characters that are quoted in full
		named = 4  // characters for which code points are added
	)
	more := ""
	if len(runes) > most {
		runes, more = runes[:1], fmt.Sprintf(" and %d more", len(runes)-1)
	}
	if len(runes) == 0 {
		return "nothing"
	}
	text, blank := "“"+string(runes)+"”", true
	odd := len(runes) == 1 && !unicode.IsLetter(runes[0]) && !unicode.IsDigit(runes[0])
	var points []string
	for _, r := range runes {
		odd = odd || r >= utf8.RuneSelf || unicode.IsControl(r)
		blank = blank && isBlank(r)
		points = append(points, fmt.Sprintf("%U", r))
	}
	switch {
	case blank:
		text = strings.Join(points, " ")
	case odd && len(runes) <= named:
		text += " (" + strings.Join(points, " ") + ")"
	}
	return text + more
}

func isBlank(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
