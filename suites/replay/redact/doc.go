// Package redact masks secrets in what a target sends back.
//
// A target may return the credential in any form: as it is, in another case,
// percent-encoded inside JSON inside base64, folded over several lines, or only
// in part. A secret has too many forms to search for each. So this package decodes
// the text step by step and searches for the secret in each decoded text, which is
// called a reading.
//
//   - patterns are the texts to search for: each secret, and the few forms of it that
//     no decoding removes. For a long secret these are all parts of 12 bytes.
//   - view is one reading of a text. It maps each of its bytes to the part of the
//     original text that the byte comes from, so that a match can be masked there.
//   - readings decodes escapes, round by round. blocks decodes base64 and
//     hexadecimal digits, starting at any digit.
//   - search combines both for a piece of the text, up to four nested blocks. A text
//     that takes too long to search is masked as a whole.
package redact
