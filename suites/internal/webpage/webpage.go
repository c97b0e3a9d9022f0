// Package webpage writes self-contained HTML pages. They share a head with a
// Content-Security-Policy, and a common style.
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

// A Frame contains the values for the head of a page. The view for page.html embeds it and
// sets the title.
type Frame struct {
	Title  string
	Policy string
	Style  template.CSS
	Script template.JS
}

// Write writes a page from its files. page.html is a template that begins with
// {{template "head" .}}. page.css comes after the shared style. page.js is an optional
// script. The template gets view and these functions. Write fills frame, which is part of
// view. what is the name of the page in errors.
//
// The policy limits the page (CSP Level 3 §6): it loads nothing, and only the style and
// the script with the right hashes are applied.
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

// hashOf returns the hash of a text as a CSP source (CSP Level 3 §2.3.1).
func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
