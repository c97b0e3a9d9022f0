// Package waivers reads the file in which a team lists known violations that it accepts for now. It
// can also write a first file.
//
// The file is a list:
//
//   - match: createThing/200/body/size   # ids of fixtures or of clauses
//     message: has the wrong type        # optional, and narrows it: see below
//     place: /size
//     reason: the size is text until the parser is replaced
//     owner: team checkout
//     until: 2027-03-31                  # the last day; optional
//
// A clause can be broken in several ways. Three optional keys name one of them:
// fixtures (the ids of the fixtures that find it), message (what the violation
// says) and place (its JSON pointer in the body of the response). A waiver
// covers only the violations that match all of its keys. In each of them *
// stands for any characters and ? for one.
//
// A waived violation stays visible, but does not fail the run. A violation that is not listed still does. So
// does a waiver that has expired, or that no longer matches a violation. Otherwise the list would only grow.
package waivers
