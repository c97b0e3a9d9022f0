package reference

// Shown reports whether the row writes down a request that shows it.
func (v Variation) Shown() bool { return len(v.probes) > 0 }
