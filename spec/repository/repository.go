// Package repository finds the git repository that a folder is part of.
package repository

import (
	"os"
	"path/filepath"
)

// Root is the root of the repository that an absolute folder lies in, or is. ok is
// false if it lies in none.
func Root(folder string) (root string, ok bool) {
	for root = folder; ; root = filepath.Dir(root) {
		if _, err := os.Lstat(filepath.Join(root, ".git")); err == nil { // a file, in a worktree
			return root, true
		}
		if root == filepath.Dir(root) {
			return "", false
		}
	}
}
