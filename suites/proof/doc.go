// Package proof tests the suite itself on a contract that nobody has seen before.
package proof
