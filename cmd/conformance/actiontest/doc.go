// Package actiontest runs the action below .github/actions as a runner of
// GitHub does: its tests read action.yml, hand its inputs to its scripts, and
// look at what those put out, into the summary and into the log. They take
// minutes: -tags long asks for them.
package actiontest
