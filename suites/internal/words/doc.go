// Package words contains the content that all report formats share, and partly the
// comparison of reports: the faults, their evidence, the wording, and the escaping of
// untrusted texts. Each format decides how this content looks.
package words
