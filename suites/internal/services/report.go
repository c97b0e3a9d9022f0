package services

// Fault is one place in a request that breaks the document.
type Fault struct {
	Place string // "body/price/amount", "query/limit", "credential"; * stands for the items of a list
	Rule  string // the keyword that is broken, such as "maximum", or a word such as "syntax"
	Index int    // of the item of the innermost list
}

// Report collects the faults of one request.
type Report struct {
	Faults    []Fault
	overlooks func(f Fault) bool
}

// Add adds a fault, unless the service ignores it. It reports whether it was added.
func (r *Report) Add(place, rule string) bool { return r.add(Fault{Place: place, Rule: rule}) }

func (r *Report) add(f Fault) bool {
	if r.overlooks(f) {
		return false
	}
	r.Faults = append(r.Faults, f)
	return true
}

// Empty reports whether no fault was added.
func (r *Report) Empty() bool { return len(r.Faults) == 0 }
