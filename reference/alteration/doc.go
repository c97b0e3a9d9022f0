// Package alteration lists the ways to change the answers of the reference. A deviation breaks the
// contract, and the conformance suite must find it. A variation uses a freedom that the contract
// leaves, and the suite must find no violation in it.
//
// Each is a row of a table: a name, the clauses that it is about, a summary, and a
// change, which package fault builds from a condition and edits. Most rows also have
// probes: requests whose answer shows that the change does something. One file holds
// the rows about one part of the contract or of HTTP; plant.go holds what the rows
// need to know about plants. Section signs (§) are sections of the interface
// document.
//
// To add a row, write it into the table that fits. The tests check its name, its
// clauses and its probes, and the self-test of the suite checks that the suite finds
// the deviation, or passes the variation.
package alteration
