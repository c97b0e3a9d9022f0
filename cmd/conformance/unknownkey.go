package main

import (
	"slices"
	"strings"
)

// unknownKey says behind the name of a key that a file cannot hold what was
// probably meant, or else what there is. Who writes the credential itself into
// the file is told where it belongs.
func unknownKey(key string, known []string) string {
	name := strings.ReplaceAll(strings.ToLower(key), "_", "-") // as of the variables
	if namesCredential(name) {
		if slices.Contains(known, tokenVariableKey) {
			return "; no key takes the credential itself: name the variable that holds it with " + tokenVariableKey + ", or a file with token-file"
		}
		return "; no key takes the credential itself: set " + tokenVariable + " to it, or name a file with token-file"
	}
	if meant := suggestion(name, known); meant != "" {
		return meant
	}
	return "; known are " + strings.Join(known, ", ")
}

// namesCredential says whether a name ends like that of a credential.
func namesCredential(name string) bool {
	last := name[strings.LastIndexByte(name, '-')+1:]
	return slices.Contains([]string{"token", "password", "credential", "credentials", "secret"}, last)
}
