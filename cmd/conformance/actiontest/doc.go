// Package actiontest runs the action in .github/actions as a GitHub runner does. Its tests read
// action.yml, pass its inputs to its scripts, and check their outputs, the summary and the log.
// They take minutes and need -tags long.
package actiontest
