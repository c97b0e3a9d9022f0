package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/plantstore/conformance/suites/result"
)

// The page's own parts. They are embedded so that the file that is written
// needs nothing beside itself.
//
//go:embed html/page.html html/page.css html/page.js
var htmlAssets embed.FS

// WriteHTML writes one page that needs no network and, but for its filter and
// its copy buttons, no script. What the page may do is bound by a
// Content-Security-Policy in it: it can load nothing, and its style and script
// run by their hashes alone.
func WriteHTML(w io.Writer, r result.Report) error {
	if err := writeHTML(w, r); err != nil {
		return fmt.Errorf("writing the HTML report: %w", err)
	}
	return nil
}

func writeHTML(w io.Writer, r result.Report) error {
	page, err := template.ParseFS(htmlAssets, "html/page.html")
	if err != nil {
		return err //nolint:wrapcheck // wrapped by WriteHTML
	}
	style, err := htmlAssets.ReadFile("html/page.css")
	if err != nil {
		return err //nolint:wrapcheck // wrapped by WriteHTML
	}
	script, err := htmlAssets.ReadFile("html/page.js")
	if err != nil {
		return err //nolint:wrapcheck // wrapped by WriteHTML
	}
	view := newHTMLPage(r)
	view.Policy = policy(style, script)
	view.Style = template.CSS(style)  //nolint:gosec // ours, and the same in every report
	view.Script = template.JS(script) //nolint:gosec // ours, and the same in every report
	return page.Execute(w, view)      //nolint:wrapcheck // wrapped by WriteHTML
}

// policy is the page's Content-Security-Policy (CSP Level 3 §6): nothing but
// this style and this script.
func policy(style, script []byte) string {
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", hashSource(style), hashSource(script))
}

// hashSource names a text by its hash (CSP Level 3 §2.3.1).
func hashSource(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
