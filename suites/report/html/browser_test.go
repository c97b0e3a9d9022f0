package html_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/report/html"
	"github.com/plantstore/conformance/suites/result"
)

// The tests in this file open the page in a browser. They run if BROWSER_TESTS names a copy of
// axe.min.js, as in `.ci/run browser`. BROWSER_PICTURES names a folder for screenshots.

var (
	desk     = look{width: 1280, height: 900}
	night    = look{width: 1280, height: 900, dark: true}
	phone    = look{width: 360, height: 740}
	phoneBy  = look{width: 360, height: 740, dark: true}
	noScript = look{width: 1280, height: 900, noScript: true}
)

func browser(t *testing.T) *chromium {
	t.Helper()
	if os.Getenv("BROWSER_TESTS") == "" {
		t.Skip("BROWSER_TESTS is not set")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if program, err := exec.LookPath(name); err == nil {
			return startChromium(t, program)
		}
	}
	t.Fatal("there is no chromium")
	return nil
}

// opened opens a report in a tab. fragment is added to the address.
func opened(t *testing.T, b *chromium, l look, r result.Report, fragment string) *tab {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, reporttest.Written(t, html.Write, r), 0o600); err != nil {
		t.Fatal(err)
	}
	p := b.tab(t, l)
	p.open("file://" + path + fragment)
	t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.requests) != 1 || len(p.problems) > 0 {
			t.Errorf("requests %q, problems %q", p.requests, p.problems)
		}
	})
	return p
}

// browserScenes returns scenes with everything that a page may show. They are not all scenes,
// because a browser is slow.
func browserScenes() map[string]reporttest.Scene {
	return map[string]reporttest.Scene{
		"conformant": reporttest.Conformant(), "nothing": reporttest.Nothing(), "one-failure": reporttest.OneFailure(), "forty": manyFailures(40), "hostile": reporttest.Hostile(), "everything": reporttest.Everything(),
		"wrong-base-url": reporttest.WrongBaseURL(),
	}
}

// Every page loads nothing else, shows the verdict and fits its window, and axe finds no
// violations.
func TestBrowserLooks(t *testing.T) {
	t.Parallel()
	b := browser(t)
	axe, err := os.ReadFile(os.Getenv("BROWSER_TESTS"))
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range browserScenes() {
		for kind, l := range map[string]look{"desk": desk, "night": night, "phone": phone, "phone by night": phoneBy} {
			t.Run(name+" "+kind, func(t *testing.T) {
				r := s.Report()
				p := opened(t, b, l, r, "")
				// Content outside the window has no layout, and axe cannot check it.
				p.eval("document.styleSheets[0].insertRule('details.item { content-visibility: visible !important; }', document.styleSheets[0].cssRules.length)", nil)
				if got, want := p.text("document.querySelector('h1').innerText.replace(/\\s+/g, ' ')"), string(r.Verdict)+": "+r.Reason; !strings.Contains(got, string(r.Verdict)) || !strings.Contains(got, r.Reason) {
					t.Errorf("the verdict is %q, want %q", got, want)
				}
				picture(t, p, name+"-"+kind)
				p.eval(`document.querySelectorAll('details').forEach((d) => { d.open = true; });
					new Promise((done) => requestAnimationFrame(() => setTimeout(done)))`, nil)
				if got := p.text("document.documentElement.scrollWidth"); got != fmt.Sprint(l.width) {
					t.Errorf("the page is %s wide, the window %d", got, l.width)
				}
				p.eval(string(axe), nil)
				var found []struct {
					ID, Help string
					Nodes    []struct{ HTML, FailureSummary string }
				}
				p.eval("axe.run(document).then((result) => result.violations)", &found)
				for _, v := range found {
					t.Errorf("%s: %s, %d times, as in %s: %s", v.ID, v.Help, len(v.Nodes), v.Nodes[0].HTML, v.Nodes[0].FailureSummary)
				}
				picture(t, p, name+"-"+kind+"-open")
			})
		}
	}
}

func picture(t *testing.T, p *tab, name string) {
	t.Helper()
	folder := os.Getenv("BROWSER_PICTURES")
	if folder == "" {
		return
	}
	name = filepath.Join(folder, strings.ReplaceAll(name, " ", "-"))
	p.must(os.WriteFile(name+".png", p.picture(false), 0o600))
	p.must(os.WriteFile(name+"-whole.png", p.picture(true), 0o600))
}

const visibleItems = `[...document.querySelectorAll('.item')].filter((e) => e.checkVisibility()).map((e) => (e.querySelector('[id]') || e).id)`

func TestBrowserFilters(t *testing.T) {
	t.Parallel()
	r := reporttest.Everything().Report()
	b := browser(t)
	for name, row := range map[string]struct {
		text, status string
		fixtures     []string
		says         string
	}{
		"a status":           {"", "unjudged", []string{"valid/later-1", "valid/later-2", "valid/later-3", "valid/later-4"}, "0 of 11 clauses, 0 of 1 open questions, 4 of 13 fixtures"},
		"a text":             {"COMMENT", "", []string{"malformed/comment"}, "3 of 11 clauses, 0 of 1 open questions, 1 of 13 fixtures"},
		"two words":          {"text/html malformed", "", []string{"malformed/comment"}, "3 of 11 clauses, 0 of 1 open questions, 1 of 13 fixtures"},
		"a text and status":  {"name", "failed", []string{"malformed/comment", "missing-required/name", "valid/cut"}, "5 of 11 clauses, 0 of 1 open questions, 3 of 13 fixtures"},
		"what is not there":  {"nowhere", "", nil, "0 of 11 clauses, 0 of 1 open questions, 0 of 13 fixtures"},
		"nothing in special": {" ", "", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := opened(t, b, desk, r, "")
			p.click("document.getElementById('find')")
			p.write(row.text)
			if row.status != "" {
				p.click(fmt.Sprintf("document.querySelector('#filter input[value=%s]')", row.status))
			}
			p.eval("new Promise((done) => setTimeout(done, 200))", nil)
			if got := p.text("document.getElementById('shown').textContent"); got != row.says {
				t.Errorf("it says %q, want %q", got, row.says)
			}
			if row.says == "" {
				return
			}
			var items []string
			p.eval(visibleItems, &items)
			var got []string
			for _, id := range items {
				if fixture, ok := strings.CutPrefix(id, "fixture/createPlant/"); ok {
					got = append(got, fixture)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, row.fixtures) {
				t.Errorf("it shows %q, want %q", got, row.fixtures)
			}
		})
	}
}

// The button copies the exact command, in a cause and in the entry of a fixture.
func TestBrowserCopies(t *testing.T) {
	t.Parallel()
	b := browser(t)
	s := reporttest.OneFailure()
	s.Results[0].Exchange.Request.Body = []byte("{\"a\": \"<b>&amp;'\"}\n  two lines")
	r := s.Report()
	p := opened(t, b, desk, r, "#fixture/createPlant/missing-required/name")
	p.must(b.call("", "Browser.grantPermissions", params{"permissions": []string{"clipboardReadWrite", "clipboardSanitizedWrite"}}, nil))
	for _, at := range []string{".cause", ".result"} {
		p.eval("navigator.clipboard.writeText('nothing')", nil)
		button := "document.querySelector('" + at + " .replay button')"
		p.click(button)
		p.eval(`new Promise((done) => { const look = () => `+button+`.textContent === 'Copied' ? done() : setTimeout(look, 20); look(); })`, nil)
		if got := p.text("await navigator.clipboard.readText()"); got != r.Results[0].Curl {
			t.Errorf("%s copies %q, want %q", at, got, r.Results[0].Curl)
		}
	}
}

// A link to a clause or a fixture opens it and scrolls to it, with and without a script.
func TestBrowserFollowsLinks(t *testing.T) {
	t.Parallel()
	b := browser(t)
	r := reporttest.Everything().Report()
	for name, l := range map[string]look{"with script": desk, "without": noScript} {
		for _, id := range []string{"fixture/createPlant/valid/tag", "clause/createPlant/400/body", "clause/createPlant/request/credential", "clause/createPlant/silent/same-id"} {
			t.Run(id+" "+name, func(t *testing.T) {
				p := opened(t, b, l, r, "#"+id)
				seen := fmt.Sprintf("(() => { const e = document.getElementById(%q); const y = e.getBoundingClientRect().y; return e.checkVisibility() && y >= 0 && y < innerHeight; })()", id)
				if id != "clause/createPlant/400/body" && p.text(seen) != "true" {
					t.Error("it is not in sight")
				}
			})
		}
	}
	t.Run("far down", func(t *testing.T) {
		p := opened(t, b, desk, reporttest.Many(2_000).Report(), "#fixture/createPlant/group-13/case-01333")
		p.eval("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))", nil)
		if p.text("(() => { const y = document.getElementById('fixture/createPlant/group-13/case-01333').getBoundingClientRect().y; return y > 0 && y < innerHeight; })()") != "true" {
			t.Error("it is not in sight")
		}
	})
	t.Run("to what is filtered out", func(t *testing.T) {
		p := opened(t, b, desk, r, "")
		p.click("document.querySelector('#filter input[value=failed]')")
		p.eval("new Promise((done) => setTimeout(done, 200))", nil)
		p.eval("location.hash = '#fixture/createPlant/valid/plain'; new Promise((done) => setTimeout(done, 200))", nil)
		if p.text("document.getElementById('fixture/createPlant/valid/plain').checkVisibility()") != "true" {
			t.Error("it is not in sight")
		}
	})
}

// Without a script, only the parts that need one are missing.
func TestBrowserWithoutScript(t *testing.T) {
	t.Parallel()
	r := reporttest.Everything().Report()
	p := opened(t, browser(t), noScript, r, "")
	if p.text("document.getElementById('filter').checkVisibility()") != "false" || p.text("document.querySelector('button')") != "null" {
		t.Error("there is a filter or a button that does nothing")
	}
	p.click("document.querySelector('.result summary')")
	if p.text("document.querySelector('.result').open") != "true" {
		t.Error("a fixture does not open")
	}
	if got := p.text("document.querySelectorAll('.result').length"); got != fmt.Sprint(len(r.Results)) {
		t.Errorf("%s fixtures, want %d", got, len(r.Results))
	}
}

// The keyboard reaches everything that the mouse reaches, in the order of the page.
func TestBrowserKeyboard(t *testing.T) {
	t.Parallel()
	p := opened(t, browser(t), desk, reporttest.Everything().Report(), "")
	var stops []string
	for range 200 {
		p.press("Tab", 9)
		stop := p.text("document.activeElement.id || document.activeElement.closest('summary')?.parentElement.className || document.activeElement.name || document.activeElement.tagName")
		if stop == "BODY" {
			break
		}
		stops = append(stops, stop)
	}
	last := -1
	for _, want := range []string{"find", "status", "BUTTON", "item clause", "item result"} {
		at := slices.Index(stops, want)
		if at <= last {
			t.Errorf("%s is stop %d of %q", want, at, stops)
		}
		last = at
	}
	p.eval("document.querySelector('.result summary').focus()", nil)
	p.press("Enter", 13)
	if p.text("document.querySelector('.result').open") != "true" {
		t.Error("Enter does not open a fixture")
	}
	p.press("Tab", 9)
	p.press("Tab", 9)
	if p.text("document.activeElement.closest('.result') === document.querySelector('.result')") != "true" {
		t.Error("Tab does not lead into it")
	}
}

// A page with 10,000 results opens quickly. The limit allows for busy machines. The log has the
// times.
func TestBrowserLoadsLargeReports(t *testing.T) {
	t.Parallel()
	b := browser(t)
	for name, s := range map[string]reporttest.Scene{"10,000 fixtures": reporttest.Many(10_000), "10,000 failures": manyFailures(10_000)} {
		t.Run(name, func(t *testing.T) {
			p := opened(t, b, desk, s.Report(), "")
			var ms struct{ Load, Ready, Filter float64 }
			p.eval(`(async () => {
				const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
				await frame();
				const Ready = performance.now();
				const Load = performance.getEntriesByType('navigation')[0].loadEventEnd;
				const find = document.getElementById('find');
				find.value = 'case-77';
				const before = performance.now();
				document.getElementById('filter').requestSubmit();
				await frame();
				return {Load, Ready, Filter: performance.now() - before};
			})()`, &ms)
			started := time.Now()
			size := len(reporttest.Written(t, html.Write, s.Report()))
			t.Logf("%.1f MB, written in %v: loaded after %.0f ms, ready after %.0f ms, filtered in %.0f ms", float64(size)/1e6, time.Since(started), ms.Load, ms.Ready, ms.Filter)
			t.Logf("it took the page %s", p.cost())
			if limit := 10_000.0; ms.Ready > limit || ms.Filter > limit {
				t.Errorf("it takes %+v", ms)
			}
			picture(t, p, strings.ReplaceAll(name, ",", ""))
		})
	}
}

// The page can be printed.
func TestBrowserPrints(t *testing.T) {
	t.Parallel()
	p := opened(t, browser(t), desk, reporttest.OneCause().Report(), "")
	var printed struct{ Data []byte }
	p.must(p.call(p.session, "Page.printToPDF", params{"printBackground": false, "paperWidth": 8.27, "paperHeight": 11.69}, &printed))
	if !strings.HasPrefix(string(printed.Data), "%PDF") {
		t.Error("no PDF")
	}
	if folder := os.Getenv("BROWSER_PICTURES"); folder != "" {
		p.must(os.WriteFile(filepath.Join(folder, "print.pdf"), printed.Data, 0o600))
	}
}
