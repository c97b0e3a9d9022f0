package spec

import (
	"slices"

	"github.com/plantstore/conformance/spec/document"
)

// secretHeaders are the header fields in which the document's security schemes
// carry keys, whether or not an operation asks for them, and however many it
// asks for at once.
func secretHeaders(top document.Place) ([]string, error) {
	var names []string
	schemes := top.To("components", "securitySchemes")
	if schemes.Node == nil {
		return nil, nil
	}
	for _, m := range schemes.Members {
		scheme, err := schemes.To(m.Key).Resolve()
		if err != nil {
			return nil, err
		}
		if kind, in, name := carrier(scheme); kind == APIKey && in == "header" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}
