// Package lists complements package slices: it makes lists and maps from lists.
package lists

import "slices"

// Map returns of(item) for each item. The list is never nil.
func Map[T, U any](list []T, of func(T) U) []U {
	mapped := make([]U, len(list))
	for i, one := range list {
		mapped[i] = of(one)
	}
	return mapped
}

// Filter returns the items for which such is true.
func Filter[S ~[]T, T any](items S, such func(T) bool) S {
	return slices.DeleteFunc(slices.Clone(items), func(item T) bool { return !such(item) })
}

// First returns the first item for which isSuch is true. ok is false if there is no such item.
func First[T any](list []T, isSuch func(T) bool) (first T, ok bool) {
	if i := slices.IndexFunc(list, isSuch); i >= 0 {
		return list[i], true
	}
	return first, false
}

// Set returns the set of the keys of all items.
func Set[T any, K comparable](items []T, key func(T) K) map[K]bool {
	set := make(map[K]bool, len(items))
	for _, item := range items {
		set[key(item)] = true
	}
	return set
}

// By returns a map of the items by their keys.
func By[T any, K comparable](items []T, key func(T) K) map[K]T {
	by := make(map[K]T, len(items))
	for _, item := range items {
		by[key(item)] = item
	}
	return by
}

// Unique returns each item once, where it first occurs.
func Unique[T comparable](items []T) []T {
	seen := make(map[T]bool, len(items))
	return slices.DeleteFunc(slices.Clone(items), func(item T) bool {
		again := seen[item]
		seen[item] = true
		return again
	})
}

// Count returns the number of items for which such is true.
func Count[T any](items []T, such func(T) bool) int { return len(Filter(items, such)) }

// Tally returns how many items have each key.
func Tally[T any, K comparable](items []T, key func(T) K) map[K]int {
	count := map[K]int{}
	for _, item := range items {
		count[key(item)]++
	}
	return count
}

// Sum returns the sum of the numbers of all items.
func Sum[T any](items []T, number func(T) int) (sum int) {
	for _, item := range items {
		sum += number(item)
	}
	return sum
}

// Max returns the greatest number of an item. It is never less than 0.
func Max[T any](items []T, number func(T) int) (most int) {
	for _, item := range items {
		most = max(most, number(item))
	}
	return most
}

// A Group holds the items with one key.
type Group[K comparable, T any] struct {
	Key   K
	Items []T
}

// Groups returns the items grouped by their keys. Groups and items keep their order.
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
