package main

import (
	"strconv"
	"strings"
)

// parseSize reads a number of bytes, with or without a unit: 512, 64KiB, 1MB.
func parseSize(flag, text string) (int64, error) {
	number, factor := text, int64(1)
	for _, unit := range []struct {
		suffix string
		factor int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}} {
		if rest, ok := strings.CutSuffix(text, unit.suffix); ok {
			number, factor = strings.TrimSpace(rest), unit.factor
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil || n < 1 {
		return 0, usagef("--%s is %q; it must be a size such as 512, 64KiB or 1MiB", flag, text)
	}
	return n * factor, nil
}
