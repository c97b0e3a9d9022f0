package replay

import "sync"

// handover hands an exchange over as soon as nothing can be added to it.
//
// A target may send bytes that no request asked for, and it may send them
// late. A connection at rest therefore holds its last exchange until its next
// use or its end, so that those bytes always become part of an exchange.
type handover struct {
	mu      sync.Mutex
	holders int
	unasked []byte
	give    func(unasked []byte)
}

// newHandover has one holder, who makes the exchange.
func newHandover(give func(unasked []byte)) *handover {
	return &handover{holders: 1, give: give}
}

// hold keeps the exchange back until one more release.
func (h *handover) hold() *handover {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.holders++
	return h
}

// release adds what came unasked. The last holder's call hands the exchange
// over before it returns.
func (h *handover) release(unasked []byte) {
	h.mu.Lock()
	if h.unasked == nil {
		h.unasked = unasked
	}
	h.holders--
	last := h.holders == 0
	h.mu.Unlock()
	if last {
		h.give(h.unasked)
	}
}

// arrived is what came unasked so far.
func (h *handover) arrived() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.unasked
}
