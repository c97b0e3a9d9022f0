package settings

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

var (
	plainWord   = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9/._+=-]*(:[A-Za-z0-9/._+=-]+)*$`)
	plainNumber = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]+)?$`)
	plainAmount = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?(ms|s|m|h|/|[kKMG]i?B)[0-9hms]*$`) // a time, a part or a size
	otherKind   = regexp.MustCompile(`^(?i:null|true|false|yes|no|on|off|[yn])$`)          // in some YAML or other
)

// Quote writes a text as YAML that [LoadFile] reads as that text: as it is where
// no reader of YAML could mistake it, and otherwise in quotes.
func Quote(text string) string {
	switch {
	case text == "true" || text == "false", plainNumber.MatchString(text), plainAmount.MatchString(text):
		return text
	case plainWord.MatchString(text) && !otherKind.MatchString(text):
		return text
	case strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		return strconv.QuoteToASCII(text) // whose escapes are YAML's as well
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}
