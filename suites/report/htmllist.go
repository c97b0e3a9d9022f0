package report

import (
	"path"
	"strings"

	"github.com/plantstore/conformance/suites/judge"
)

// mostLinks is how many fixtures are linked to one by one. Of more the groups
// are named, or a page would have a link for each clause and fixture.
const mostLinks = 60

// htmlList is a list of fixtures, by group.
type htmlList struct {
	Total  string
	Groups []htmlListGroup
}

type htmlListGroup struct {
	htmlLink
	Count    int
	Fixtures []htmlLink // none where they are too many
}

// htmlLink leads to a place in the page.
type htmlLink struct{ Text, Href string }

func newHTMLList(fixtures []string) htmlList {
	list := htmlList{Total: judge.Number(len(fixtures), "fixture")}
	at := map[string]int{}
	for _, id := range fixtures {
		group := path.Dir(id)
		i, known := at[group]
		if !known {
			i = len(list.Groups)
			at[group] = i
			list.Groups = append(list.Groups, htmlListGroup{htmlLink: linkTo("group", group)})
		}
		list.Groups[i].Count++
		if len(fixtures) <= mostLinks {
			link := linkTo("fixture", id)
			link.Text = Visible(path.Base(id))
			list.Groups[i].Fixtures = append(list.Groups[i].Fixtures, link)
		}
	}
	return list
}

func linkTo(kind, id string) htmlLink {
	return htmlLink{Visible(id), "#" + anchor(kind, id)}
}

// anchor is the id of an element: a word and an id of ours, so that links into
// the page can be read and outlive the run. White space ends an id in HTML
// (§3.2.6), so that there is none.
func anchor(kind, id string) string {
	return kind + "/" + strings.ReplaceAll(Visible(id), " ", "_")
}
