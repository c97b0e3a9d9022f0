package reference

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// connectionVariations end kept connections, which a server may do at any time
// (RFC 9112 §9.5), and write the same answer in other ways that HTTP/1.1 has.
func connectionVariations() []Alteration {
	const brief = 2 * time.Millisecond
	silently := delivered(verbatim(message("HTTP/1.1 %d OK")))
	closing := func(name, summary string, c change) Alteration {
		return variation("closes-"+name, answers, "closes the connection "+summary, c).maybe(answers).wire().shows(plainPlant).shows(`{"id":8,"name":"moss"}`)
	}
	written := func(name, summary string, format func(a answer) string) Alteration {
		return variation(name, answers, summary, always(delivered(verbatim(format)))).wire().shows(plainPlant)
	}
	head := func(a answer, lines string) string {
		return fmt.Sprintf("HTTP/1.1 %d OK\r\n", a.status) + "Content-Type:" + strings.Join(a.header["Content-Type"], ",") + "\r\n" + lines + "\r\n"
	}
	chunked := func(format string) func(a answer) string {
		return func(a answer) string {
			half := len(a.body) / 2
			return head(a, "Transfer-Encoding: chunked\r\nConnection: close\r\n") + fmt.Sprintf(format, half, a.body[:half], len(a.body)-half, a.body[half:])
		}
	}
	said := header("Connection", "close")
	closes := []Alteration{
		closing("after-each-rejection", "after every rejection without saying so", when(refusal, silently)).shows(`{"id":9}`),
		closing("after-each-plant", "after every plant without saying so", when(acceptance, silently)),
		closing("on-rejections-saying-so", "after every rejection, and says so", when(refusal, said)).shows(`{"id":9}`),
		closing("a-moment-after", "2 ms after every answer without saying so", always(delivered(closedAfter(brief)))),
		closing("a-moment-after-some", "2 ms after every third answer without saying so", counting(anything, every(3), delivered(closedAfter(brief)))).shows(`{"id":9,"name":"ivy"}`),
		closing("by-reset", "with a reset after every fifth answer of all", counting(anything, every(5), delivered(resetAfter))).
			shows(`{"id":9,"name":"a"}`).shows(`{"id":10,"name":"a"}`).shows(`{"id":11,"name":"a"}`),
	}
	for _, n := range []int64{2, 5, 7, 20} {
		silent := closing(fmt.Sprintf("after-%d", n), fmt.Sprintf("after %d answers without saying so", n), onConnection(n, silently))
		for id := range n {
			silent = silent.shows(fmt.Sprintf(`{"id":%d,"name":"a"}`, 100+id))
		}
		closes = append(closes, silent)
	}
	told := closing("after-3-saying-so", "after 3 answers, and says so", onConnection(3, said)).shows(`{"id":9,"name":"a"}`)
	return append(closes, told,
		written("http-1-0-kept", "speaks HTTP/1.0 and says that it keeps connections, which it does not", message("HTTP/1.0 %d OK", "Connection: keep-alive")),
		written("chunk-extensions", "sends chunks with extensions", chunked("%x;a=1;b=\"x;y\"\r\n%s\r\n%x;c\r\n%s\r\n0;end\r\n\r\n")),
		written("chunks-with-zeros", "sends chunks whose sizes have leading zeros and capital letters", chunked("0000%X\r\n%s\r\n00%X\r\n%s\r\n000\r\n\r\n")),
		written("chunks-with-trailer", "sends fields after the last chunk that nothing announces", chunked("%x\r\n%s\r\n%x\r\n%s\r\n0\r\nX-Sum: 7\r\nServer-Timing: db\r\n\r\n")),
		written("length-with-zeros", "sends a Content-Length with leading zeros", func(a answer) string {
			return head(a, fmt.Sprintf("Content-Length: 000%d\r\nConnection: close\r\n", len(a.body))) + string(a.body)
		}),
		written("length-twice", "sends the same Content-Length twice", func(a answer) string {
			return head(a, strings.Repeat(fmt.Sprintf("Content-Length: %d\r\n", len(a.body)), 2)+"Connection: close\r\n") + string(a.body)
		}),
		written("no-blank-after-colon", "sends fields without a blank after the colon, or with tabs", func(a answer) string {
			return head(a, fmt.Sprintf("content-length:\t%d\t \r\nCONNECTION:close\r\nX-None:\r\n", len(a.body))) + string(a.body)
		}),
		written("odd-reason-phrase", "sends a reason phrase in another language", message("HTTP/1.1 %d Tout va très bien", "Connection: close")),
		written("until-close", "sends no length and ends the body by closing", func(a answer) string { return head(a, "Connection: close\r\n") + string(a.body) }),
		variation("timeout-after-answer", answers, "sends 408 a moment after every answer, and closes the connection",
			always(delivered(inTwoParts(message("HTTP/1.1 %d OK"), func(answer) string {
				return "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
			}, brief)))).maybe(answers).wire().shows(plainPlant),
		variation("unknown-1xx", answers, "sends 100 and 199 first", always(delivered(hinting(http.StatusContinue, 199)))).wire().shows(plainPlant),
		variation("body-later", answers, "sends the body a moment after the header", always(delivered(laterBody(brief)))).wire().shows(plainPlant),
		variation("http-2-alone", answers, "speaks HTTP/2 and nothing else", unchanged).overTLS("h2"),
	)
}

// onConnection edits the nth answer on each connection.
func onConnection(n int64, edits ...edit) change {
	return func(next decision, _ []string) decision {
		var counts keyed[*atomic.Int64]
		return func(r *request) answer {
			a := next(r)
			if counts.first(byConnection(r), new(atomic.Int64)).Add(1) == n {
				counts.take(byConnection(r))
				a = edited(edits, r, a)
			}
			return a
		}
	}
}

// closedAfter sends the answer and closes the connection a moment later.
func closedAfter(d time.Duration) delivery {
	return inTwoParts(message("HTTP/1.1 %d OK"), func(answer) string { return "" }, d)
}

// resetAfter sends the answer and resets the connection once it is read.
func resetAfter(w http.ResponseWriter, r *http.Request, a answer) {
	const pause = 2 * time.Millisecond
	connection, out := takeOver(w, r)
	_, _ = out.WriteString(message("HTTP/1.1 %d OK")(a))
	_ = out.Flush()
	time.Sleep(pause)
	if tcp, ok := connection.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = connection.Close()
}

// laterBody sends the header at once and the body after a pause.
func laterBody(d time.Duration) delivery {
	return func(w http.ResponseWriter, _ *http.Request, a answer) {
		a.begin(w, "")
		_ = http.NewResponseController(w).Flush()
		time.Sleep(d)
		_, _ = w.Write(a.body)
	}
}
