package replay

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

const (
	// minSecret is the length from which a text is masked wherever it
	// appears. A shorter one cannot be told from ordinary text; it is still
	// kept out of the recorded request.
	minSecret = 4
	// window is how many bytes of a secret in a row are enough to be masked,
	// so that a part of it does not slip through either. It is longer than most
	// of the words of which a token may be made.
	window = 12
)

// forms are the ways in which a secret may be written, in lower case: itself,
// the same read as ISO 8859-1 or with plus signs for spaces, in hexadecimal
// and in base64.
func forms(secret string) []string {
	if len(secret) < minSecret {
		return nil
	}
	list := []string{
		secret,
		strings.ToLower(secret), // of letters beyond ASCII, too
		strings.ToUpper(secret),
		latin1(secret),
		strings.ReplaceAll(secret, " ", "+"),
		hex.EncodeToString([]byte(secret)),
	}
	for shift := range 3 {
		padded := append(make([]byte, shift), secret...)
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			list = append(list, core(encoding.EncodeToString(padded), shift, len(padded)))
		}
	}
	for i, form := range list {
		list[i] = lowerText(form)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// latin1 is what becomes of a text whose bytes are taken for characters.
func latin1(text string) string {
	runes := make([]rune, len(text))
	for i := range len(text) {
		runes[i] = rune(text[i])
	}
	return string(runes)
}

// core is the part of a base64 text that depends on the secret alone: not on
// what stands before it, by which it is shifted, nor on what follows.
func core(encoded string, shift, length int) string {
	return encoded[(shift*8+5)/6 : length*8/6]
}

// windows are the parts of a form that are masked wherever they appear.
func windows(form string) []string {
	size := min(window, len(form))
	list := make([]string, 0, len(form)-size+1)
	for i := range len(form) - size + 1 {
		list = append(list, form[i:i+size])
	}
	return list
}

// lower leaves all but ASCII alone, so that every byte keeps its place.
func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func lowerText(text string) string {
	b := []byte(text)
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}
