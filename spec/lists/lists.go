// Package lists has what package slices leaves out: a list that is made of another one, and the first item
// that something holds for.
package lists

import "slices"

// Map is the list of what of gives for each item.
func Map[T, U any](list []T, of func(T) U) []U {
	mapped := make([]U, len(list))
	for i, one := range list {
		mapped[i] = of(one)
	}
	return mapped
}

// First is the first item that is such; the zero value if there is none.
func First[T any](list []T, isSuch func(T) bool) (first T, ok bool) {
	if i := slices.IndexFunc(list, isSuch); i >= 0 {
		return list[i], true
	}
	return first, false
}
