//go:build long

package hostiletest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
)

// gzipped gives a text in gzip.
func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// bomb is 1 GiB of a JSON string, in gzip. A gzip text may have many members
// (RFC 1952 §2.2): one of 16 MiB, again and again.
var bomb = sync.OnceValue(func() string {
	return gzipped(`{"name": "`) + strings.Repeat(gzipped(strings.Repeat("x", 16<<20)), 64)
})

// bombInBomb is gzip in gzip: small, larger, and then 1 GiB.
var bombInBomb = sync.OnceValue(func() string { return gzipped(bomb()) })

// pieces is a header of as many fields as fit into so many bytes, each as short
// as it can be: what is kept of it is far larger than it is on the wire.
func pieces(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "%x:\r\n", i)
	}
	return b.String()
}

// noise is text in which nothing repeats: each answer's own.
func noise(size int) string {
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, "%x", rand.Uint64())
	}
	return b.String()[:size]
}

// properties are so many undeclared ones.
func properties(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"%x":0`, i)
	}
	return b.String()
}
