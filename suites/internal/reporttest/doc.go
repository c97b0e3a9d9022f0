// Package reporttest helps to test the report formats. It contains made-up runs, texts that are
// hard to display, and checks of the output. Only tests import it.
package reporttest
