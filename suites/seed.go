package suites

import (
	"crypto/rand"
	"encoding/binary"
)

// drawSeed gives a seed that is short enough to be typed again. It is never 0.
func drawSeed() uint64 {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return uint64(binary.BigEndian.Uint32(b[:])) + 1
}

// newRunID gives a run the name by which its report and its traffic are found.
func newRunID() string { return rand.Text() }
