// Reference serves the plant store of package reference.
//
//	reference --token-file tokens.txt --store plants.db
//
// When it is ready it says so in one line on standard error, with the address
// it listens on; the access log goes to standard output. SIGINT and SIGTERM end
// it once the requests in flight have their answers; a second one ends it at
// once.
//
// With --deviation or --variation it serves the plant store with a fault, or
// with a freedom used, to see what a client or a test suite makes of it; --list
// names them all:
//
//	reference --token-file tokens.txt --deviation null-for-no-tag
//	reference --list --json
//
// It exits with 0 after such an end, with 2 when it could not start as it was
// told to (one sentence on standard error says why and what to do), and with 1
// when something failed while it served.
package main
