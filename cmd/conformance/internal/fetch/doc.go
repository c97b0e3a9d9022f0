// Package fetch loads a contract from a file or from the web. What it reads from the web
// is limited in time and size, and it sends no credential.
package fetch
