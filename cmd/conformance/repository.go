package main

import (
	"os"
	"path/filepath"
)

// repositoryAbove gives the root of the git repository that a folder is below, and
// the folder's path from there, with slashes. Both are empty where the folder is
// a root itself, or in no repository.
func repositoryAbove(dir string) (root, below string) {
	folder, err := filepath.Abs(dir)
	if err != nil {
		return "", ""
	}
	for root = folder; ; root = filepath.Dir(root) {
		if _, err := os.Lstat(filepath.Join(root, ".git")); err == nil { // a file, in a worktree
			break
		}
		if root == filepath.Dir(root) {
			return "", ""
		}
	}
	below, err = filepath.Rel(root, folder)
	if err != nil || below == "." {
		return "", ""
	}
	return root, filepath.ToSlash(below)
}
