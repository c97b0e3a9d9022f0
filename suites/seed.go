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

// MessageSeed is what the ids of the requests are drawn from. It is the Seed,
// and for a shard another one for each: shards send the same controls, and a
// service may refuse an id that another shard has sent.
func (c Config) MessageSeed() uint64 {
	const above = 40                             // the bits of a seed that was drawn
	return c.Seed ^ uint64(c.Shard.Index)<<above //nolint:gosec // a part counts from 1
}

// newRunID gives a run the name by which its report and its traffic are found.
func newRunID() string { return rand.Text() }
