// Package selftest tests the suite itself. It runs the whole suite against the
// reference, against every variation of it and against every deviation. A
// variation uses a freedom of the contract: the suite must find no violation. A
// deviation breaks a clause: the suite must find it, blame its own clauses and no
// other.
//
// The result is three numbers that anybody can check: deviations found,
// variations passed and clauses covered.
package selftest
