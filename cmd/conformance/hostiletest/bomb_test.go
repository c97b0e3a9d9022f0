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

// gzipped compresses a text.
func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// bomb is 1 GiB of a JSON string, compressed. A gzip file may have many members (RFC 1952 §2.2):
// this one repeats a member of 16 MiB.
var bomb = sync.OnceValue(func() string {
	return gzipped(`{"name": "`) + strings.Repeat(gzipped(strings.Repeat("x", 16<<20)), 64)
})

// bombInBomb is gzip in gzip: first small, then larger, then 1 GiB.
var bombInBomb = sync.OnceValue(func() string { return gzipped(bomb()) })

// pieces returns as many header fields as fit into size bytes, each as short as possible. In memory
// they are far larger than on the wire.
func pieces(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "%x:\r\n", i)
	}
	return b.String()
}

// noise returns a text without repetition, different for each call.
func noise(size int) string {
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, "%x", rand.Uint64())
	}
	return b.String()[:size]
}

// properties returns n undeclared properties.
func properties(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"%x":0`, i)
	}
	return b.String()
}
