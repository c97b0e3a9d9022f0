// Package words is what the formats of a report have in common, and in part the
// comparison of reports: which faults there are, what shows them, how it is said,
// and how texts of others are made harmless. A format decides how that looks.
package words
