// Package terminal writes for a screen, or for the log of a CI system, what was
// put together from texts of others: nothing that either would obey gets past it
// but its own colours.
package terminal
