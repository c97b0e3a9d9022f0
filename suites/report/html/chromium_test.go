package html_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is the timeout of everything that waits for the browser.
const patience = 60 * time.Second

// chromium is a headless browser. Tests use the DevTools protocol over a pipe: each message is
// JSON and ends with a NUL.
type chromium struct {
	t  testing.TB
	in *os.File

	mu      sync.Mutex
	last    int
	waiting map[int]chan<- message
	tabs    map[string]*tab // by session
	gone    chan struct{}
}

// message is a message in the pipe, in either direction.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// startChromium starts the browser, and stops it when the test ends.
func startChromium(t testing.TB, program string) *chromium {
	t.Helper()
	theirIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.MkdirTemp("", "chromium") //nolint:usetesting // its children may still write there when the test ends
	if err != nil {
		t.Fatal(err)
	}
	// The context of the test would kill the browser before it has stored its files.
	cmd := exec.Command(program, "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--hide-scrollbars", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--user-data-dir="+home, "about:blank")
	cmd.ExtraFiles = []*os.File{theirIn, theirOut} // files 3 and 4, which --remote-debugging-pipe uses
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &chromium{t: t, in: in, waiting: map[int]chan<- message{}, tabs: map[string]*tab{}, gone: make(chan struct{})}
	go b.listen(out)
	t.Cleanup(func() {
		_ = b.send(message{ID: -1, Method: "Browser.close"})
		<-b.gone
		in.Close()
		_ = cmd.Wait()
		_ = os.RemoveAll(home)
	})
	return b
}

// listen passes on the messages of the browser until the pipe is closed.
func (b *chromium) listen(out *os.File) {
	defer close(b.gone)
	defer out.Close()
	reader := bufio.NewReader(out)
	for {
		text, err := reader.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		answered, tab := b.waiting[m.ID], b.tabs[m.Session]
		delete(b.waiting, m.ID)
		b.mu.Unlock()
		switch {
		case answered != nil:
			answered <- m
		case tab != nil && m.Method != "":
			tab.note(m)
		}
	}
}

func (b *chromium) send(m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = b.in.Write(append(text, 0))
	return err
}

// call calls a method of the browser, and decodes the response into result unless it is nil.
func (b *chromium) call(session, method string, with, result any) error {
	raw, err := json.Marshal(with)
	if err != nil {
		return err
	}
	answer := make(chan message, 1)
	b.mu.Lock()
	b.last++
	id := b.last
	b.waiting[id] = answer
	b.mu.Unlock()
	if err := b.send(message{ID: id, Session: session, Method: method, Params: raw}); err != nil {
		return err
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-b.gone:
		return errors.New("the browser is gone")
	case <-time.After(patience):
		return fmt.Errorf("%s: no answer", method)
	}
}

// look is how a tab shows a page.
type look struct {
	width, height int
	dark          bool
	noScript      bool
}

// tab is a page in the browser, and a record of what a report must not do.
type tab struct {
	*chromium
	t       testing.TB
	session string
	loaded  chan struct{}

	mu       sync.Mutex
	problems []string // errors on the console, and violations of the policy
	requests []string
}

// tab opens an empty tab.
func (b *chromium) tab(t testing.TB, l look) *tab {
	t.Helper()
	var target struct{ TargetID, SessionID string }
	p := &tab{chromium: b, t: t, loaded: make(chan struct{}, 1)}
	p.must(b.call("", "Target.createTarget", params{"url": "about:blank"}, &target))
	p.must(b.call("", "Target.attachToTarget", params{"targetId": target.TargetID, "flatten": true}, &target))
	p.session = target.SessionID
	b.mu.Lock()
	b.tabs[p.session] = p
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Runtime", "Log", "Network", "Audits"} {
		p.do(domain+".enable", params{})
	}
	p.do("Performance.enable", params{"timeDomain": "threadTicks"})
	p.do("Emulation.setFocusEmulationEnabled", params{"enabled": true})
	p.do("Emulation.setDeviceMetricsOverride", params{"width": l.width, "height": l.height, "deviceScaleFactor": 1, "mobile": false})
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	p.do("Emulation.setEmulatedMedia", params{"features": []params{{"name": "prefers-color-scheme", "value": scheme}}})
	p.do("Emulation.setScriptExecutionDisabled", params{"value": l.noScript})
	t.Cleanup(func() { _ = b.call("", "Target.closeTarget", params{"targetId": target.TargetID}, nil) })
	return p
}

// params are the parameters of a method.
type params map[string]any

func (p *tab) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *tab) do(method string, with params) {
	p.t.Helper()
	p.must(p.call(p.session, method, with, nil))
}

// note records an event if a test needs it.
func (p *tab) note(m message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch m.Method {
	case "Page.loadEventFired":
		select {
		case p.loaded <- struct{}{}:
		default:
		}
	case "Network.requestWillBeSent":
		var event struct{ Request struct{ URL string } }
		_ = json.Unmarshal(m.Params, &event)
		p.requests = append(p.requests, event.Request.URL)
	case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Audits.issueAdded":
		p.problems = append(p.problems, string(m.Params))
	}
}

// open loads an address and waits until it is loaded.
func (p *tab) open(address string) {
	p.t.Helper()
	p.do("Page.navigate", params{"url": address})
	select {
	case <-p.loaded:
	case <-time.After(patience):
		p.t.Fatalf("%s does not load", address)
	}
}

// eval runs a script in the page, waits for it, and decodes its value into result.
func (p *tab) eval(script string, result any) {
	p.t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	p.must(p.call(p.session, "Runtime.evaluate", params{"expression": script, "awaitPromise": true, "returnByValue": true}, &answer))
	if answer.ExceptionDetails != nil {
		p.t.Fatalf("%.200s: %s", script, answer.ExceptionDetails)
	}
	if result != nil {
		p.must(json.Unmarshal(answer.Result.Value, result))
	}
}

// text returns the value of a script as text.
func (p *tab) text(script string) string {
	p.t.Helper()
	var text string
	p.eval("(async () => String("+script+"))()", &text)
	return text
}

// click clicks on the middle of the element that the script returns.
func (p *tab) click(script string) {
	p.t.Helper()
	var at struct{ X, Y float64 }
	p.eval(`(() => { const e = `+script+`; e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); return {X: r.x + r.width / 2, Y: r.y + r.height / 2}; })()`, &at)
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		p.do("Input.dispatchMouseEvent", params{"type": kind, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1})
	}
}

// press presses a key.
func (p *tab) press(key string, code int) {
	p.t.Helper()
	down := params{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code}
	if key == "Enter" {
		down["text"] = "\r"
	}
	p.do("Input.dispatchKeyEvent", down)
	p.do("Input.dispatchKeyEvent", params{"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code})
}

// write types a text into the focused element.
func (p *tab) write(text string) {
	p.t.Helper()
	p.do("Input.insertText", params{"text": text})
}

// picture returns a PNG of the visible part of the page, or of the whole page.
func (p *tab) picture(all bool) []byte {
	p.t.Helper()
	var shot struct{ Data []byte }
	p.must(p.call(p.session, "Page.captureScreenshot", params{"format": "png", "captureBeyondViewport": all}, &shot))
	return shot.Data
}

// cost returns the processor time of the page. On a shared machine, it is more precise than the
// clock.
func (p *tab) cost() string {
	p.t.Helper()
	var all struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	p.must(p.call(p.session, "Performance.getMetrics", params{}, &all))
	var text []string
	for _, m := range all.Metrics {
		if slices.Contains([]string{"LayoutDuration", "RecalcStyleDuration", "ScriptDuration", "TaskDuration"}, m.Name) {
			text = append(text, fmt.Sprintf("%s %.0f ms", m.Name, m.Value*1000))
		}
	}
	return strings.Join(text, ", ")
}
