package reference

import (
	"github.com/go-json-experiment/json/jsontext"
)

// readNewPlant reads the body of a request as a NewPlant (§2), or returns a
// rejection that names the first property at fault. Properties that NewPlant
// does not list are ignored; as JSON they are held to the same rules.
func readNewPlant(body []byte) (NewPlant, error) {
	var p NewPlant
	properties, err := readObject(body, "name", "id", "tag")
	if err != nil {
		return NewPlant{}, err
	}
	name, err := optionalString(properties, "name")
	switch {
	case err != nil:
		return NewPlant{}, err
	case name == nil:
		return NewPlant{}, rejection{"name", "is missing: it must be a string"}
	}
	p.Name = *name
	if p.ID, err = requiredInt64(properties, "id"); err != nil {
		return NewPlant{}, err
	}
	if p.Tag, err = optionalString(properties, "tag"); err != nil {
		return NewPlant{}, err
	}
	return p, nil
}

// optionalString returns nil when the property is absent. A property that is
// null is present, and no string.
func optionalString(properties map[string]jsontext.Value, name string) (*string, error) {
	value, present := properties[name]
	if !present {
		return nil, nil
	}
	if value.Kind() != '"' {
		return nil, rejection{name, "must be a string, not " + describe(value.Kind())}
	}
	// The object that value came from was read without an error, so there is
	// none left in its quotes.
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return nil, rejection{name, "is not a JSON string: " + err.Error()}
	}
	return new(string(text)), nil
}

func requiredInt64(properties map[string]jsontext.Value, name string) (int64, error) {
	value, present := properties[name]
	if !present {
		return 0, rejection{name, "is missing: it must be an integer"}
	}
	if value.Kind() != '0' {
		return 0, rejection{name, "must be an integer, not " + describe(value.Kind())}
	}
	n, err := parseInt64(string(value))
	if err != nil {
		return 0, rejection{name, err.Error() + ", not " + excerpt(string(value))}
	}
	return n, nil
}

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
