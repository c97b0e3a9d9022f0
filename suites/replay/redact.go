package replay

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
)

const (
	// mask takes the place of a secret.
	mask = "[redacted]"
	// minSecret is the length from which a text is masked wherever it
	// appears. A shorter one cannot be told from ordinary text; it is still
	// kept out of the recorded request.
	minSecret = 4
	// window is how many characters of a secret in a row are enough to be
	// masked, so that a part of it does not slip through either.
	window = 12
)

// redactor masks secrets in every form in which a target may send one back:
// as they are, in base64 at any alignment, in hexadecimal, and with any of
// their characters escaped as URLs, JSON, HTML or shells do. Case is ignored.
type redactor struct {
	bySize map[int]map[string]bool // windows of the forms, by their length
	starts [256]bool               // first bytes of the windows
}

func newRedactor(secrets []string) *redactor {
	r := &redactor{bySize: map[int]map[string]bool{}}
	for _, secret := range secrets {
		if len(secret) < minSecret {
			continue
		}
		r.add(secret)
		r.add(hex.EncodeToString([]byte(secret)))
		for shift := range 3 {
			padded := append(make([]byte, shift), secret...)
			for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				r.add(core(encoding.EncodeToString(padded), shift, len(padded)))
			}
		}
	}
	return r
}

// core is the part of a base64 text that depends on the secret alone: not on
// what stands before it, by which it is shifted, nor on what follows.
func core(encoded string, shift, length int) string {
	from := (shift*8 + 5) / 6
	to := length * 8 / 6
	return encoded[from:min(to, len(encoded))]
}

func (r *redactor) add(form string) {
	form = strings.ToLower(form)
	size := min(window, len(form))
	if size < minSecret {
		return
	}
	if r.bySize[size] == nil {
		r.bySize[size] = map[string]bool{}
	}
	for i := 0; i+size <= len(form); i++ {
		r.bySize[size][form[i:i+size]] = true
		r.starts[form[i]] = true
	}
}

func (r *redactor) text(s string) string { return string(r.bytes([]byte(s))) }

func (r *redactor) header(h http.Header) http.Header {
	out := make(http.Header, len(h))
	for name, values := range h {
		name = r.text(name)
		for _, value := range values {
			out[name] = append(out[name], r.text(value))
		}
	}
	return out
}

// bytes gives the text with its secrets masked; the same slice where there
// are none.
func (r *redactor) bytes(text []byte) []byte {
	if len(r.bySize) == 0 {
		return text
	}
	plain, ends := unescape(text)
	secret := make([]bool, 0)
	for size, windows := range r.bySize {
		for i := 0; i+size <= len(plain); i++ {
			if !r.starts[plain[i]] || !windows[string(plain[i:i+size])] {
				continue
			}
			if len(secret) == 0 {
				secret = make([]bool, len(plain))
			}
			for j := i; j < i+size; j++ {
				secret[j] = true
			}
		}
	}
	if len(secret) == 0 {
		return text
	}
	var out bytes.Buffer
	from := 0
	for i := range plain {
		to := ends.at(i)
		switch {
		case !secret[i]:
			out.Write(text[from:to])
		case i == 0 || !secret[i-1]:
			out.WriteString(mask)
		}
		from = to
	}
	out.Write(text[from:])
	return out.Bytes()
}

// ends are where the escaped form of each plain byte ends in the text; nil
// where nothing was escaped.
type ends []int32

func (e ends) at(i int) int {
	if e == nil {
		return i + 1
	}
	return int(e[i])
}

// unescape reads the text with every escape undone that stands for one byte
// of ASCII, in lower case.
func unescape(text []byte) ([]byte, ends) {
	plain := make([]byte, 0, len(text))
	if !bytes.ContainsAny(text, `%\&`) {
		for _, c := range text {
			plain = append(plain, lower(c))
		}
		return plain, nil
	}
	at := make(ends, 0, len(text))
	for i := 0; i < len(text); {
		c, n := escape(text[i:])
		i += n
		plain, at = append(plain, lower(c)), append(at, int32(i)) //nolint:gosec // a body or a header is far below 2 GiB
	}
	return plain, at
}

// lower leaves all but ASCII alone, so that every byte keeps its place.
func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// escape reads one byte, or one escape of an ASCII byte, off the front.
func escape(text []byte) (c byte, length int) {
	for _, form := range []struct {
		prefix string
		digits int
		base   int
		suffix string
	}{
		{"%", 2, 16, ""}, {`\u`, 4, 16, ""}, {`\U`, 8, 16, ""}, {`\x`, 2, 16, ""}, {"&#x", 0, 16, ";"}, {"&#", 0, 10, ";"},
	} {
		rest, ok := bytes.CutPrefix(text, []byte(form.prefix))
		if !ok {
			continue
		}
		digits := form.digits
		if form.suffix != "" {
			digits = bytes.IndexByte(rest[:min(len(rest), 9)], form.suffix[0])
		}
		if digits < 1 || len(rest) < digits {
			continue
		}
		value, err := strconv.ParseUint(string(rest[:digits]), form.base, 32)
		if err == nil && value < 0x80 {
			return byte(value), len(form.prefix) + digits + len(form.suffix)
		}
	}
	if len(text) > 1 && text[0] == '\\' && strings.IndexByte(`"\/'`, text[1]) >= 0 {
		return text[1], 2
	}
	return text[0], 1
}
