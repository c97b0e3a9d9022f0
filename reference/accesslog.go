package reference

import (
	"log/slog"
	"net/http"
	"time"
)

// logAccess writes the record of one answered request.
//
// It leaves out the headers, because one of them is the credential; the query,
// because some clients put a credential there too; and the text of an error,
// because that may quote the body. The path is cut: it is the client's text.
func logAccess(logger *slog.Logger, r *http.Request, a answer, took time.Duration) {
	attributes := []slog.Attr{
		slog.String("remote", r.RemoteAddr),
		slog.String("method", excerpt(r.Method)),
		slog.String("path", excerpt(r.URL.Path)),
		slog.Int("status", a.status),
		slog.Int("bytes", len(a.body)),
		slog.Float64("ms", float64(took.Microseconds())/1000),
	}
	if a.rejected != "" {
		attributes = append(attributes, slog.String("rejected", a.rejected))
	}
	logger.LogAttrs(r.Context(), slog.LevelInfo, "request", attributes...)
}
