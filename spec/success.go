package spec

import (
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

// Success is a declared response whose status is 2xx.
type Success struct {
	Status   string // such as 201 or 2XX
	Content  []Content
	Location bool // the header Location is declared
	Links    []Link
}

// Link says how a response leads to another operation (OpenAPI 3.0.3, Link Object).
type Link struct {
	operation  string // its id; "" if the link names method and path
	method     string
	path       string
	Parameters map[string]string // runtime expressions by parameter, as path.id or id
}

// LeadsTo says whether the link is to that operation.
func (l Link) LeadsTo(op *Operation) bool {
	return l.operation == op.ID || l.operation == "" && l.method == op.Method && l.path == op.Path
}

// Successes are the declared responses of status 2xx, in the document's order.
func (op *Operation) Successes() []Success {
	var list []Success
	for _, r := range op.responses {
		if !strings.HasPrefix(r.status, "2") || r.unread {
			continue
		}
		s := Success{Status: r.status, Content: r.content, Links: r.links}
		for _, h := range r.headers {
			s.Location = s.Location || strings.EqualFold(h.name, "Location")
		}
		list = append(list, s)
	}
	return list
}

// readLinks reads the links of a response. What cannot be read is no link.
func (op *Operation) readLinks(at document.Place) []Link {
	links, err := at.Resolve()
	if err != nil || at.Node == nil {
		return nil
	}
	var list []Link
	for _, m := range links.All() {
		l, err := links.To(m.Key).Resolve()
		if err != nil {
			continue
		}
		link := Link{operation: operationID(l.Get("operationId").Text(), "", ""), Parameters: map[string]string{}}
		if ref, ok := strings.CutPrefix(l.Get("operationRef").Text(), "#/paths/"); ok {
			path, method, _ := strings.Cut(ref, "/")
			link.method, link.path = strings.ToUpper(method), document.UnescapePointer(path)
		}
		for _, p := range l.Get("parameters").All() {
			if text := p.Value.Text(); text != "" {
				link.Parameters[p.Key] = text
			}
		}
		list = append(list, link)
	}
	return list
}
