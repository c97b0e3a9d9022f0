// Package webpage writes HTML pages that need no other file. They share a head, with
// a Content-Security-Policy, and the beginning of their style.
package webpage

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
)

//go:embed head.html page.css
var shared embed.FS

// Frame is what the head of a page consists of. A view of page.html embeds it,
// and sets the title.
type Frame struct {
	Title  string
	Policy string
	Style  template.CSS
	Script template.JS
}

// Write writes the page whose parts are files: page.html, a template that begins
// with {{template "head" .}}; page.css, which follows the shared style; and
// page.js, if it has a script. View is what the template shows with these functions, and
// frame is the part of view that Write fills. An error says that it is about what.
//
// What the page may do is bound by its policy (CSP Level 3 §6): it can load
// nothing, and its style and its script run by their hashes alone.
func Write(w io.Writer, what string, files fs.FS, functions template.FuncMap, view any, frame *Frame) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", what, err)
		}
	}()
	page, err := template.New("").Funcs(functions).ParseFS(shared, "head.html")
	if err == nil {
		page, err = page.ParseFS(files, "page.html")
	}
	if err != nil {
		return err
	}
	var style []byte
	for _, from := range []fs.FS{shared, files} {
		part, err := fs.ReadFile(from, "page.css")
		if err != nil {
			return err
		}
		style = append(style, part...)
	}
	policy := fmt.Sprintf("default-src 'none'; style-src '%s'; ", hashOf(style))
	script, err := fs.ReadFile(files, "page.js")
	switch {
	case err == nil:
		policy += fmt.Sprintf("script-src '%s'; ", hashOf(script))
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	frame.Policy = policy + "base-uri 'none'; form-action 'none'"
	frame.Style = template.CSS(style)  //nolint:gosec // ours, and the same in every page
	frame.Script = template.JS(script) //nolint:gosec // ours, and the same in every page
	return page.ExecuteTemplate(w, "page.html", view)
}

// hashOf names a text by its hash (CSP Level 3 §2.3.1).
func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
