package report_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/report/badge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

func TestBadge(t *testing.T) {
	for _, verdict := range []verdict.Verdict{verdict.Conformant, verdict.Nonconformant, verdict.Inconclusive} {
		t.Run(string(verdict), func(t *testing.T) {
			text := reporttest.Written(t, badge.Write, reporttest.Scene{Verdict: verdict}.Report())
			reporttest.Golden(t, string(verdict)+".svg", text)
			root := checkBadge(t, text)
			if title := root.Children[0].Text; title != "Plant Store 1.0.0: "+string(verdict) {
				t.Errorf("its title is %q", title)
			}
		})
	}
}

// A badge of a qualified verdict is amber and says what the verdict does not cover.
func TestBadgeOfAQualifiedVerdict(t *testing.T) {
	r := reporttest.Waived()
	text := reporttest.Written(t, badge.Write, r)
	reporttest.Golden(t, "qualified.svg", text)
	root := checkBadge(t, text)
	if title := root.Children[0].Text; title != "Plant Store 1.0.0: conformant but for 1 waived clause" {
		t.Errorf("its title is %q", title)
	}
	amber := checkBadge(t, reporttest.Written(t, badge.Write, reporttest.Scene{Verdict: verdict.Inconclusive}.Report())).all("g")[0].all("rect")[1].attr("fill")
	if got := root.all("g")[0].all("rect")[1].attr("fill"); got != amber {
		t.Errorf("its color is %s, want that of inconclusive, %s", got, amber)
	}
}

func TestBadgeOfHostileTexts(t *testing.T) {
	reporttest.EachHostile(t, func(t *testing.T, _ string, r result.Report) {
		text := reporttest.Written(t, badge.Write, r)
		if len(text) > 4<<10 {
			t.Errorf("it has %d bytes", len(text))
		}
		checkBadge(t, text)
	})
}

// badgeElements are the allowed elements of a badge, with their attributes. None of them runs a
// script or loads anything.
var badgeElements = map[string]string{
	"svg":      "xmlns width height viewBox role aria-label",
	"title":    "",
	"clipPath": "id",
	"g":        "clip-path fill font-family font-size",
	"rect":     "x width height rx fill",
	"text":     "x y textLength lengthAdjust",
}

// checkBadge checks that the image has a text alternative, and that its texts are readable and
// do not overlap.
func checkBadge(t *testing.T, text []byte) element {
	t.Helper()
	root := parseXML(t, text)
	checkElements(t, root)
	if root.XMLName.Local != "svg" || root.attr("role") != "img" || root.Children[0].XMLName.Local != "title" {
		t.Fatalf("no image with a title: %s", text)
	}
	title := root.Children[0].Text
	reporttest.Harmless(t, "the title", title)
	if root.attr("aria-label") != title {
		t.Errorf("it is called %q and %q", root.attr("aria-label"), title)
	}
	rects, texts := root.all("g")[0].all("rect"), root.all("g")[1].all("text")
	if shown := texts[0].Text + ": " + texts[1].Text; shown != title {
		t.Errorf("it shows %q and says %q", shown, title)
	}
	end := 0.0
	for i, label := range texts {
		if x := numberOf(t, label, "x"); x < end+5 {
			t.Errorf("text %d begins at %v, and %v is taken", i, x, end)
		}
		end = numberOf(t, label, "x") + numberOf(t, label, "textLength")
		if c := contrast(t, root.all("g")[1].attr("fill"), rects[i].attr("fill")); c < 4.5 {
			t.Errorf("text %d has a contrast of %.1f", i, c)
		}
	}
	if width := numberOf(t, root, "width"); end+5 > width || width > 900 {
		t.Errorf("the texts end at %v of %v", end, width)
	}
	return root
}

func checkElements(t *testing.T, e element) {
	t.Helper()
	attrs, ok := badgeElements[e.XMLName.Local]
	if !ok {
		t.Errorf("an element %s", e.XMLName.Local)
	}
	for _, a := range e.Attrs {
		if !strings.Contains(" "+attrs+" ", " "+a.Name.Local+" ") {
			t.Errorf("%s has %s", e.XMLName.Local, a.Name.Local)
		}
	}
	for _, child := range e.Children {
		checkElements(t, child)
	}
}

func numberOf(t *testing.T, e element, name string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(e.attr(name), 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// contrast returns the contrast of two colors as WCAG 2.2 defines it.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	one, other := luminance(t, a), luminance(t, b)
	return (max(one, other) + 0.05) / (min(one, other) + 0.05)
}

func luminance(t *testing.T, color string) float64 {
	t.Helper()
	var parts [3]uint8
	if _, err := fmt.Sscanf(color, "#%02x%02x%02x", &parts[0], &parts[1], &parts[2]); err != nil {
		t.Fatal(color, err)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		c := float64(parts[i]) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func FuzzBadge(f *testing.F) {
	reporttest.Fuzz(f, func(t *testing.T, r result.Report) {
		text := reporttest.Written(t, badge.Write, r)
		checkBadge(t, text)
		reporttest.CheckNoCommands(t, "the badge", string(text))
	})
}
