package reference

// probe is a request that shows a deviation or a variation. The lines are
// header fields that replace those of a usual request ("Accept: */*"; an empty
// value removes the field), or a query ("?x=1"). $token stands for an accepted
// token.
type probe struct {
	body  string
	lines []string
}

// plainPlant is the body of a probe whose lines or answers are what matters.
const plainPlant = `{"id":7,"name":"fern"}`

// chunkedLine is the line of a probe whose body is sent without its length.
const chunkedLine = "Transfer-Encoding: chunked"
