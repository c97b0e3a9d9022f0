// Package hostiletest runs the binary against hostile targets. Its tests show that none of these
// makes it hang, fills its memory, breaks its reports or gets a credential into its output. They
// take minutes and need -tags long.
package hostiletest
