// Package selftest proves the suite about itself: it runs the whole suite
// against the reference, against every variation of it, in which no violation
// may be found, and against every deviation, which must be found and blamed on
// its own clauses and no other.
//
// What it gives is two figures that can be checked by anybody: how many ways
// of breaking the contract the suite notices, and how many ways of using its
// freedoms it leaves alone.
package selftest
