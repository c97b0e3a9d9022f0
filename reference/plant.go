package reference

// Plant is the service's answer about a new plant (§2 Plant). It has no id.
type Plant struct {
	Name string `json:"name"`

	// Tag is nil if the plant was created without a tag. An empty tag is a tag.
	Tag *string `json:"tag,omitempty"`
}

// NewPlant is the payload that creates a plant (§2 NewPlant).
type NewPlant struct {
	Plant

	// ID is any int64; §8 sets no bounds.
	ID int64
}
