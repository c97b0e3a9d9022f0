// Package shown compares the values in a response with the values that were sent.
//
// A service may show a resource in many ways. It may put it into an envelope, add values that only the
// service knows, leave out a password, round a number or sort a set. None of these is wrong, so
// none of these is a [Difference].
//
// [Parts] compares a response with all requests that created or changed the resource, and with the
// defaults of properties that they left out. It compares only properties that all of them describe
// alike. [Alike] reports whether there are any. [Whole] compares a response with one request of the
// same schema. [List] and [Entries] find the resources in a list.
//
// Everything here is a function of values and of their schemas. Package spec reads the bodies,
// and turns each difference into a violation of a clause.
package shown
