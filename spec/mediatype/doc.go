// Package mediatype reads media types and ranges (RFC 9110 §8.3.1 and §12.5.1), and says which media
// types a range covers and which of them carry JSON or forms. It also holds what a document declares
// for bodies of one media type: how such a body is written and read, and which faults of a merge
// patch are certain.
package mediatype
