//go:build long

package hostiletest

import (
	"net"
	"strings"
	"sync/atomic"
	"testing"
)

// nasty are texts that a terminal, a browser or a parser might execute.
var nasty = map[string]string{
	"script":            `<script>alert("x")</script>`,
	"terminal":          "\x1b[2J\x1b]0;owned\x07\x1b[31m\x9b31m\u009b31m\b\b\r\n",
	"bidi":              "\u202e\u2066 abc \u2069\u202c\u200f\u061c",
	"NUL":               "a\x00b\x00",
	"no UTF-8":          "\xff\xfe\xc0\x80\xed\xa0\x80",
	"end of CDATA":      "]]>]]&gt;<![CDATA[",
	"end of a comment":  "--> <!-- ?> <?xml",
	"lines":             "a\nconformant: all fixtures were judged\u2028\u2029\u0085\v\f",
	"formats":           "%s%n%!(EXTRA) {{.}} ${x} `id` $(id)",
	"private and wide":  "\ufeff\ufffe\uffff\U0010ffff\ue000\u00ad\u200b\u3000",
	"workflow commands": "\n::error file=x::y\n##[error]z",
}

// Whatever a target sends in any place, the output is plain text and the reports can be parsed.
func TestTargetsThatTalkToTheReader(t *testing.T) {
	for name, text := range nasty {
		line := strings.NewReplacer("\r", "", "\n", "").Replace(text)
		quoted := strings.NewReplacer(`"`, `\"`, "\x1b", `\u001b`, "\x00", `\u0000`, "\n", `\n`, "\r", "", "\b", "", "\v", "", "\f", "", "\x07", "").Replace(text)
		said := []string{
			"HTTP/1.1 500 " + line + "\r\nContent-Length: 0\r\n\r\n",                                         // status text
			"HTTP/1.1 " + line + "\r\n\r\n",                                                                  // status line
			text + "\r\n\r\n",                                                                                // not HTTP
			framed("500 Oops", "X-Text: "+line+"\r\nContent-Type: "+line+"\r\n", ""),                         // header value
			framed("500 Oops", line+": x\r\n", ""),                                                           // header name
			framed("499 No", "Content-Type: "+line+"\r\n", text),                                             // rejection
			"HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + line + ": " + line + "\r\n\r\n", // trailer
			framed("200 OK", isJSON, text),                                                                   // body
			framed("200 OK", isJSON, `{"name": "x", "tag": ["`+quoted+`"]}`),                                 // value in a body
			framed("400 No", isJSON, `{"message": "x", "error": 1, "`+quoted+`": 1}`),                        // name in a body
			"HTTP/1.1 200 OK\r\nContent-Length: " + line + "\r\n\r\n",                                        // length
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			server := serve(t, eachRequest(func(conn net.Conn, _ request) bool {
				say(said[int(asked.Add(1))%len(said)])(conn)
				return false
			}))
			o := child{args: append(strings.Fields(some), "--only=createPlant/open/token-unknown", "--verbose"), token: token, url: server.url()}.run(t)
			checkStreams(t, o)
			checkReports(t, o)
			if int(asked.Load()) < len(said) || o.code != exitNonconformant || !strings.HasPrefix(lastLine(o.out), "nonconformant: ") {
				t.Errorf("%d requests, exit code %d, and the verdict is %q", asked.Load(), o.code, lastLine(o.out))
			}
			for line := range strings.SplitSeq(o.out, "\n") {
				if strings.HasPrefix(line, "::") || strings.HasPrefix(line, "##[") {
					t.Errorf("a line that CI systems obey: %q", line)
				}
			}
			show(t, o)
		})
	}
}
