// Package mediatype reads media types and ranges (RFC 9110 §8.3.1 and §12.5.1), and says
// which media types a range covers and which of them carry JSON or forms.
package mediatype
