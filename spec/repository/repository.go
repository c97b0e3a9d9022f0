// Package repository finds the git repository that a folder is part of.
package repository

import (
	"os"
	"path/filepath"
)

// Root returns the root of the repository that contains an absolute folder. ok is false if there is
// none.
func Root(folder string) (root string, ok bool) {
	for root = folder; ; root = filepath.Dir(root) {
		if _, err := os.Lstat(filepath.Join(root, ".git")); err == nil { // it is a file in a worktree
			return root, true
		}
		if root == filepath.Dir(root) {
			return "", false
		}
	}
}
