package reference

// Plant is what the service tells of a plant it has created (§2 Plant). It has
// no id.
type Plant struct {
	Name string `json:"name"`

	// Tag is nil when the plant was created without one. An empty tag is a tag.
	Tag *string `json:"tag,omitempty"`
}

// NewPlant is the payload that creates a plant (§2 NewPlant).
type NewPlant struct {
	Plant

	// ID is any int64; §8 gives it no bounds.
	ID int64
}
