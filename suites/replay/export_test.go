package replay

import (
	"context"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay/conn"
)

// Exchange sends one message. Unlike All, it leaves the connection open for the next call.
// It records the unasked bytes that came together with the response.
func (c *Client) Exchange(ctx context.Context, m fixtures.Message) (x Exchange) {
	var unasked []byte
	by := conn.NewHandover(func(late []byte) { unasked = c.redactor.Bytes(late) })
	s := sending{Client: c, wait: c.pace, by: by}
	x = repeat(m, func(m fixtures.Message) Exchange { return s.send(ctx, m) })
	by.Release(nil)
	x.Unasked = unasked
	return x
}
