// Package collect has what package slices lacks: lists, maps and numbers that are made of lists.
package collect

// Of is what f makes of each item, nil if there is none.
func Of[T, U any](items []T, f func(T) U) (list []U) {
	for _, item := range items {
		list = append(list, f(item))
	}
	return list
}

// Set has the keys of all items.
func Set[T any, K comparable](items []T, key func(T) K) map[K]bool {
	set := make(map[K]bool, len(items))
	for _, item := range items {
		set[key(item)] = true
	}
	return set
}

// By has each item under its key.
func By[T any, K comparable](items []T, key func(T) K) map[K]T {
	by := make(map[K]T, len(items))
	for _, item := range items {
		by[key(item)] = item
	}
	return by
}

// Count is how many items are such.
func Count[T any](items []T, such func(T) bool) (n int) {
	for _, item := range items {
		if such(item) {
			n++
		}
	}
	return n
}

// Sum is the sum of a number of each item.
func Sum[T any](items []T, number func(T) int) (sum int) {
	for _, item := range items {
		sum += number(item)
	}
	return sum
}

// Max is the greatest number of an item, and 0 if there is none.
func Max[T any](items []T, number func(T) int) (most int) {
	for _, item := range items {
		most = max(most, number(item))
	}
	return most
}

// Group is what has the same key.
type Group[K comparable, T any] struct {
	Key   K
	Items []T
}

// Groups are the items by their keys, in the order of first sight.
func Groups[K comparable, T any](items []T, key func(T) K) []Group[K, T] {
	var groups []Group[K, T]
	places := map[K]int{}
	for _, item := range items {
		k := key(item)
		i, known := places[k]
		if !known {
			i = len(groups)
			places[k], groups = i, append(groups, Group[K, T]{Key: k})
		}
		groups[i].Items = append(groups[i].Items, item)
	}
	return groups
}
