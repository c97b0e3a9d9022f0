// Package compare shows what several reports say about the same contract.
//
// Reports of different implementations become a matrix: which implementation satisfies which
// clause, and how each answers where the contract is silent. Where they answer differently, a
// client of one may break on another. Two reports of the same implementation show what changed:
// regressions, fixes, and changed behavior.
//
// There is one model, [Comparison]. [New] creates it without any input or output. JSON
// ([WriteJSON]), the console ([Console]) and HTML ([WriteHTML]) are views of it. A
// [TargetSummary] shows the targets on a console while their reports arrive. Text from a target
// or a file is untrusted: each view makes it harmless for its medium.
//
// compare.go checks the reports and names them. index.go indexes a report by ids, rows.go
// makes the rows, and change.go compares two reports of one implementation. console.go and
// matrix.go print, and page.go writes HTML.
package compare
