// Package terminal writes untrusted texts to a terminal or to the log of a CI
// system. It escapes everything that one of these would interpret as a command.
// Only its own color codes remain.
package terminal
