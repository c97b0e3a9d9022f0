//go:build long

package hostiletest

import (
	"net"
	"testing"
)

// A redirect is not an answer. It is not followed, and the token is not sent to its location.
func TestRedirectsAreNotFollowed(t *testing.T) {
	elsewhere := serve(t, func(conn net.Conn) { say(framed("200 OK", isJSON, `{"name": "x"}`))(conn) })
	t.Run("rows", func(t *testing.T) {
		for _, status := range []string{"301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"} {
			for name, location := range map[string]string{
				"itself": "/plants", "another host": elsewhere.url() + "/plants", "its own credential": "http://user:pass@" + elsewhere.address,
				"a file": "file:///etc/passwd", "no scheme": "//" + elsewhere.address, "nonsense": "http://[%zz",
			} {
				if status != "307 Temporary Redirect" && name != "another host" {
					continue
				}
				t.Run(status[:3]+" to "+name, row{
					handle: says(framed(status, "Location: "+location+"\r\nRefresh: 0; url="+elsewhere.url()+"\r\n", "")),
					flags:  few, code: exitNonconformant, violated: []string{answers},
					says: []string{"which redirects, and the contract declares no redirect"},
				}.test)
			}
		}
	})
	if n := elsewhere.conns.Load(); n > 0 {
		t.Errorf("the other host got %d connections", n)
	}
}
