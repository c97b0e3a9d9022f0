// Package compare sets the reports of several runs side by side.
//
// Reports of different implementations become a matrix: which clauses each of
// them keeps, and, where the contract is silent, how each of them answers. That
// is where the clients of one break on another. Two reports of the same
// implementation become an account of what changed since: what is newly broken,
// what is mended, and which answers moved.
//
// There is one model, [Comparison], which [New] makes without any input or
// output. JSON ([WriteJSON]), the console ([Console]) and HTML ([WriteHTML]) are
// views of it, and a [Roll] is what a console shows before there is one. What
// came from a target or from a file is untrusted: each view makes it harmless
// for its medium.
package compare
