// Package reporttest helps to test what shows reports. It has made-up runs, texts that are
// hard to show, and checks of what was written. Only tests import it.
package reporttest
