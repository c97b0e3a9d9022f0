// Package waivers reads the file in which a team lists the violations that it
// knows of and accepts for now, and writes a first one.
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
// A waiver makes a known violation visible and harmless, and only that. A
// violation that is not listed still fails the run. So does a waiver that has
// expired, or that no longer matches a violation. Otherwise the list would only
// ever grow.
package waivers
