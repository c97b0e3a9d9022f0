// Package generate makes values that meet a schema, and values that violate it in exactly one
// place.
//
// Each value comes from a [Tape] of choices: small integers, where 0 is the simplest. The same
// generator makes the plainest value (all choices are 0), the values of [Valid] (a plan chooses)
// and random values (a seed chooses). A recorded tape makes the same value again. [Explore] and
// [Break] make values for a search. [Shrink] finds the simplest tape that still shows the result.
//
// Every value is validated: [Draw] and [Valid] return only values that the compiled schema accepts,
// [Invalid] only values that it rejects. Many mutations of real schemas turn out to be valid,
// because another branch of a union accepts them.
//
// # Kinds of case
//
// The kinds are a fixed vocabulary. They are part of the ids of fixtures. A value of two kinds is
// given once, as the first of them. An example is always given as an example.
//
// Valid:
//
//	minimal    the plainest value: only what is required
//	example    an example of the schema in the document
//	full       every optional property is present; a recursive object is nested once
//	branch     another branch of oneOf, anyOf or if, or another subtype that a discriminator
//	           allows; the variant names it
//	null       null, where it is allowed
//	enum       one member of an enum, or true or false; the variant is that member
//	minimum, maximum                 a number at a bound, or just inside it
//	minLength, maxLength             a string at a bound, or just inside it
//	pattern    the longest text of a pattern that limits the length
//	minItems, maxItems, items        a list at a bound, or with 0 to 3 items
//	minProperties, maxProperties     an object at a bound, or just inside it
//	pairwise   some optional properties left out; over all variants, each pair
//	           of them occurs in each of its four combinations
//	undeclared the full value with a property that the schema allows
//	           but does not declare
//
// Invalid:
//
//	required, dependentRequired      a property is left out
//	type       another JSON type; look-alikes, such as "7" for 7, are variants
//	null       null, where it is not allowed
//	enum, const                      a value that is not in the list
//	minimum, maximum, exclusiveMinimum, exclusiveMaximum, int32, int64
//	           a number just outside; if double precision rounds it to the bound, also
//	           a number that it does not round to the bound ("beyond")
//	multipleOf, minLength, maxLength, pattern
//	format     a text that almost has the format, or one that is quite different
//	minItems, maxItems, uniqueItems, contains, minContains, maxContains
//	minProperties, maxProperties, propertyNames
//	additionalProperties, unevaluatedProperties
//	           a property that the schema does not allow
//	properties a property whose schema is false
//	oneOf, anyOf
//	           a property of another branch, so that two branches match or the property is
//	           not allowed; no property that only some branches require ("none")
//	not        a value that meets the schema of not
package generate
