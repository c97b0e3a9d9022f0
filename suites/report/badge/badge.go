// Package badge draws a badge for a README, as an SVG image.
package badge

import (
	"cmp"
	"fmt"
	"html"
	"io"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Maximum lengths of the texts on a badge, in characters.
const (
	contractWidth = 48
	headlineWidth = 64
)

// Write writes a badge as an SVG image: the contract with its version, and the headline.
func Write(w io.Writer, r result.Report) error {
	contract, headline := words.Cut(cmp.Or(r.Contract.String(), "contract"), contractWidth), words.Cut(r.Headline, headlineWidth)
	// White text on each of these colors has a contrast of at least 4.5 (WCAG 2.2, 1.4.3).
	color := map[verdict.Verdict]string{verdict.Conformant: "#1a7f37", verdict.Nonconformant: "#cf222e"}[words.Shade(r)]
	left, right := width(contract), width(headline)
	const margin = 7
	return terminal.WriteText(w, "the badge", fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" viewBox="0 0 %[1]d 20" role="img" aria-label="%[2]s: %[3]s">
  <title>%[2]s: %[3]s</title>
  <clipPath id="corners"><rect width="%[1]d" height="20" rx="3"/></clipPath>
  <g clip-path="url(#corners)">
    <rect width="%[1]d" height="20" fill="#444c56"/>
    <rect x="%[4]d" width="%[5]d" height="20" fill="%[6]s"/>
  </g>
  <g fill="#ffffff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">
    <text x="%[7]d" y="14" textLength="%[8]d" lengthAdjust="spacingAndGlyphs">%[2]s</text>
    <text x="%[9]d" y="14" textLength="%[10]d" lengthAdjust="spacingAndGlyphs">%[3]s</text>
  </g>
</svg>
`, left+right+4*margin, html.EscapeString(contract), html.EscapeString(headline), left+2*margin, right+2*margin, cmp.Or(color, "#9a6700"),
		margin, left, left+3*margin, right))
}

// width estimates the width of the text in the font of a badge, in pixels. The image declares
// this width, and a viewer fits the text to it.
func width(text string) int {
	const latin, wide = 7, 11
	width := 0
	for _, c := range text {
		if c < 0x1100 { // from U+1100 on, many characters are as wide as high
			width += latin
		} else {
			width += wide
		}
	}
	return width
}
