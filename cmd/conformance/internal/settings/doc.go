// Package settings reads files that say what else flags would say: the keys are
// the names of flags, the values are their texts.
//
//	base-url: https://plants.example.com
//	token-file: secrets/token
//	header:
//	  - 'X-Api-Key: ${PLANTS_API_KEY}'
//
// Texts stay as they were written and are made sense of where those of the
// command line are, so that a mistake is told in the same way. What is settled
// here is what a file has and a command line has not: the place of each value,
// paths that count from the file's folder, and variables that keep a secret out
// of the file.
package settings
