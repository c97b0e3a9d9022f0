package traffic

import "encoding/json"

// entry is what is needed of one entry of an archive. What else tools write
// into it is passed over, and of a hint any value will do.
type entry struct {
	Time     hint      `json:"time"` // in milliseconds
	Request  request   `json:"request"`
	Response *response `json:"response"`
	Error    hint      `json:"_error"` // as Chromium calls it
}

type request struct {
	Method   string    `json:"method"`
	URL      string    `json:"url"`
	Headers  []field   `json:"headers"`
	PostData *postData `json:"postData"`
}

type postData struct {
	Text     *string `json:"text"`
	Encoding string  `json:"encoding"` // not of HAR 1.2, but of those who send what is no text
}

type response struct {
	Status     int     `json:"status"` // 0 where none came
	StatusText hint    `json:"statusText"`
	Headers    []field `json:"headers"`
	Content    content `json:"content"`
	BodySize   hint    `json:"bodySize"` // on the wire; -1 where it is not known
	Error      hint    `json:"_error"`
}

type content struct {
	Size     hint    `json:"size"` // without content codings; -1 where it is not known
	MimeType string  `json:"mimeType"`
	Text     *string `json:"text"`
	Encoding string  `json:"encoding"`
	Cut      hint    `json:"_truncated"` // as our own reports call it
}

type field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// hint is what is good to know where it is there and as expected.
type hint struct{ value any }

// UnmarshalJSON takes whatever it is given.
func (h *hint) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &h.value) != nil {
		h.value = nil // a number beyond all range
	}
	return nil
}

func (h hint) isTrue() bool { return h.value == true }

func (h hint) text() string {
	text, _ := h.value.(string)
	return text
}

// number gives -1, which stands for an unknown size, where there is none.
func (h hint) number() float64 {
	if n, ok := h.value.(float64); ok {
		return n
	}
	return -1
}
