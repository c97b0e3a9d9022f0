// Package scenes helps to test what shows runs: runs that were made up, texts
// that are hard to show, and checks of what was written. Only tests import it.
package scenes
