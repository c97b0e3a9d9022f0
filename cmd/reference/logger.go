package main

import (
	"io"
	"log/slog"
)

func newLogger(format string, out io.Writer) (*slog.Logger, error) {
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(out, nil)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(out, nil)), nil
	case "off":
		return slog.New(slog.DiscardHandler), nil
	}
	return nil, usageErrorf("--%s %q is unknown: use text, json or off", logFlag, format)
}
