package compare

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
)

// The page's own parts, embedded so that the file needs nothing beside itself.
//
//go:embed html/page.html html/page.css
var htmlAssets embed.FS

// WriteHTML writes one page that needs no network and no script. What it may do
// is bound by a Content-Security-Policy in it: it can load nothing, and its
// style is told by its hash.
func WriteHTML(w io.Writer, c Comparison) error {
	if err := writeHTML(w, c); err != nil {
		return fmt.Errorf("writing the comparison as HTML: %w", err)
	}
	return nil
}

func writeHTML(w io.Writer, c Comparison) error {
	page, err := template.ParseFS(htmlAssets, "html/page.html")
	if err != nil {
		return err //nolint:wrapcheck // wrapped by WriteHTML
	}
	style, err := htmlAssets.ReadFile("html/page.css")
	if err != nil {
		return err //nolint:wrapcheck // wrapped by WriteHTML
	}
	view := newHTMLPage(c)
	view.Style = template.CSS(style) //nolint:gosec // ours, and the same in every page
	sum := sha256.Sum256(style)      // CSP Level 3 §2.3.1
	view.Policy = fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'", base64.StdEncoding.EncodeToString(sum[:]))
	return page.Execute(w, view) //nolint:wrapcheck // wrapped by WriteHTML
}
