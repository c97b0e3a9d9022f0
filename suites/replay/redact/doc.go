// Package redact masks secrets in what a target sends back.
//
// A target may return the credential in any form: as it is, in another case,
// percent-encoded inside JSON inside base64, folded over several lines, or only
// in part. To search for each form that a secret can have would never end. This
// package goes the other way: it decodes the text step by step and looks for
// the secret in each reading on the way.
//
//   - patterns are what is searched for: each secret, and the few forms of it that
//     no decoding undoes. Of a long secret these are all parts of 12 bytes.
//   - view is one reading of a text. It knows for each of its bytes which part of
//     the original text it comes from, so that a match can be masked there.
//   - readings undoes escapes, round by round; blocks decodes base64 and
//     hexadecimal digits, from any digit on.
//   - search combines them for a piece of the text, as deep as four blocks in
//     each other. A text that is made to take long is masked as a whole.
package redact
