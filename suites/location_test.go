package suites_test

import (
	"strings"
	"testing"
)

// locatedShelves is the document of shelves, whose creation gives a Location.
var locatedShelves = strings.Replace(shelfDocument, "{'201': &shelf {", "{'201': &shelf {headers: {Location: {schema: {type: string}}}, ", 1)

// TestLocation: what a Location leads to is what was created (RFC 9110 §15.3.2). A service
// may write it in several ways, or not at all: no request is sent to another list.
func TestLocation(t *testing.T) {
	at := func(location string) func(string) string {
		return func(id string) string { return strings.ReplaceAll(location, "ID", id) }
	}
	for name, row := range map[string]struct {
		locate func(id string) string
		found  bool
	}{
		"the shelf":                      {at("/shelves/ID"), false},
		"with its host":                  {at("http://service.example/shelves/ID"), false},
		"relative to the list":           {at("shelves/ID"), false},
		"behind a gateway":               {at("https://gateway.example/v2/shelves/ID"), false},
		"relative to nothing":            {at("ID"), false},
		"the list itself":                {at("shelves"), false},
		"none":                           {at(""), false},
		"of another list":                {at("/racks/ID"), false},
		"a shelf that there is not":      {at("/shelves/0ID"), true},
		"another shelf":                  {at("/shelves/1"), true},
		"of a value that nobody defined": {at("/shelves/undefined"), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := contractOf(locatedShelves)
			if err != nil {
				t.Fatal(err)
			}
			r := runShelvesBy(t, c, func(s *shelves) { s.locate = row.locate })
			if found := stateFindings(r); (strings.Join(found, " ") == "getShelf/state/created") != row.found || len(found) > 1 {
				t.Errorf("found %v%s", found, firstOf(r))
			}
		})
	}
}
