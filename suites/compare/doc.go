// Package compare shows what several reports say about the same contract.
//
// Reports of different implementations become a matrix: which of them satisfies
// which clause, and how each answers where the contract is silent. There the
// clients of one may break on another. Two reports of the same implementation
// show what changed: regressions, fixes, and changed behavior.
//
// There is one model, [Comparison]. [New] makes it, without any input or output.
// JSON ([WriteJSON]), the console ([Console]) and HTML ([WriteHTML]) are views of
// it. A [TargetSummary] is what a console shows while the reports come in. What came from a
// target or from a file is untrusted: each view makes it harmless for its medium.
//
// compare.go checks the reports and names them. index.go indexes a report by ids, rows.go
// makes the rows, and change.go compares two reports of one implementation. console.go and
// matrix.go print, and page.go writes HTML.
package compare
