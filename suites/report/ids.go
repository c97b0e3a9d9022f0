package report

import (
	"fmt"
	"path"
	"strings"
)

// some names a few and counts the rest.
func some(ids []string) string {
	const few = 3
	if len(ids) <= few {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:few], ", "), len(ids)-few)
}

// byFolder lists ids by their folder: folder/name, folder/{name,name}, or,
// where they are more than most in all, folder/* and how many that are.
func byFolder(ids []string, most int) []string {
	var folders []string
	names := map[string][]string{}
	for _, id := range ids {
		folder := path.Dir(id)
		if names[folder] == nil {
			folders = append(folders, folder)
		}
		names[folder] = append(names[folder], path.Base(id))
	}
	for i, folder := range folders {
		switch inside := names[folder]; {
		case len(inside) == 1:
			folders[i] += "/" + inside[0]
		case len(ids) <= most:
			folders[i] += "/{" + strings.Join(inside, ",") + "}"
		default:
			folders[i] += fmt.Sprintf("/* (%d)", len(inside))
		}
	}
	return folders
}
