package spec

import (
	"net/url"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

// serverPaths are the paths of the document's servers, with the defaults of
// their variables, each once and without a slash at its end.
func serverPaths(top document.Place) []string {
	var paths []string
	for _, server := range top.To("servers").List() {
		address := server.Get("url").Text()
		for _, variable := range server.To("variables").All() {
			address = strings.ReplaceAll(address, "{"+variable.Key+"}", variable.Value.Get("default").Text())
		}
		u, err := url.Parse(address)
		if err != nil {
			continue // there is nothing that could be matched
		}
		if path := strings.TrimSuffix(u.EscapedPath(), "/"); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}
