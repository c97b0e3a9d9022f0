package words

import (
	"fmt"
	"path"
	"strings"
)

// Some names a few and counts the rest.
func Some(ids []string) string {
	const few = 3
	if len(ids) <= few {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:few], ", "), len(ids)-few)
}

// Several says how many fixtures there are, if more than one: " (2 fixtures)".
func Several(fixtures []string) string {
	if len(fixtures) == 1 {
		return ""
	}
	return fmt.Sprintf(" (%d fixtures)", len(fixtures))
}

// Folder is a folder with the ids in it.
type Folder struct {
	Name string
	IDs  []string
}

// Folders gathers ids by their folder, in the order of first sight.
func Folders(ids []string) []Folder {
	var list []Folder
	places := map[string]int{}
	for _, id := range ids {
		name := path.Dir(id)
		i, known := places[name]
		if !known {
			i = len(list)
			places[name] = i
			list = append(list, Folder{Name: name})
		}
		list[i].IDs = append(list[i].IDs, id)
	}
	return list
}

// ByFolder lists ids by their folder: folder/name, folder/{name,name}, or,
// where they are more than most in all, folder/* and how many that are.
func ByFolder(ids []string, most int) []string {
	var list []string
	for _, f := range Folders(ids) {
		switch {
		case len(f.IDs) == 1:
			list = append(list, f.IDs[0])
		case len(ids) <= most:
			var names []string
			for _, id := range f.IDs {
				names = append(names, path.Base(id))
			}
			list = append(list, fmt.Sprintf("%s/{%s}", f.Name, strings.Join(names, ",")))
		default:
			list = append(list, fmt.Sprintf("%s/* (%d)", f.Name, len(f.IDs)))
		}
	}
	return list
}
