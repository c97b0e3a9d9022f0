// Package generate makes values of a schema, and values that break it in exactly
// one place.
//
// Each value comes from a [Tape] of choices: small integers, of which 0 is the
// simplest. The same generator makes the plainest value (all choices are 0), the
// values of [Valid] (a plan answers) and random ones (a seed answers). A recorded
// tape gives the same value again. For a search there are [Explore] and [Break], and
// [Shrink] finds the simplest tape that still shows what was found.
//
// Nothing here is trusted: [Draw] and [Valid] give only values that the compiled
// schema accepts, [Invalid] only values that it refuses. Many mutations of real
// schemas turn out valid after all, because another branch of a union takes them.
//
// # Kinds of case
//
// The kinds are a fixed vocabulary. They are part of the ids of fixtures. A value
// that is of two kinds is given once, as the first of them; an example always as an
// example.
//
// Valid:
//
//	minimal    the plainest value: only what is required
//	example    an example of the schema in the document
//	full       every optional property is present; an object holds those like itself once
//	branch     another branch of oneOf, anyOf or if, or what else a discriminator lets
//	           an object be; the variant names it
//	null       null, where it is allowed
//	enum       one member of an enum, or true or false; the variant is that member
//	minimum, maximum                 a number at a bound, or just inside it
//	minLength, maxLength             a string at a bound, or just inside it
//	pattern    the longest text that a pattern states
//	minItems, maxItems, items        a list at a bound, or with 0 to 3 items
//	minProperties, maxProperties     an object at a bound, or just inside it
//	pairwise   some optional properties left out; over all variants, each pair
//	           of them occurs in each of its four combinations
//	undeclared the full value and a property that the schema does not declare
//	           but allows
//
// Invalid:
//
//	required, dependentRequired      a property is left out
//	type       another JSON type; look-alikes, such as "7" for 7, are variants
//	null       null, where it is not allowed
//	enum, const                      a value that is not in the list
//	minimum, maximum, exclusiveMinimum, exclusiveMaximum, int32, int64
//	           a number just outside, and if double precision would round it to the
//	           bound, also the nearest that it would not ("beyond")
//	multipleOf, minLength, maxLength, pattern
//	format     a text that is almost of the format, or not at all
//	minItems, maxItems, uniqueItems, contains, minContains, maxContains
//	minProperties, maxProperties, propertyNames
//	additionalProperties, unevaluatedProperties
//	           a property that the schema does not allow
//	properties a property whose schema is false
//	oneOf, anyOf
//	           a property of another branch, so that two are met, or which is not allowed;
//	           nothing of what the branches require ("none")
//	not        a value of the schema that must not be met
package generate
