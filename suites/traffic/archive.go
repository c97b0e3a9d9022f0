package traffic

// entry is what is needed of one entry of an archive. What else tools write
// into it is passed over.
type entry struct {
	Time     float64   `json:"time"` // in milliseconds
	Request  request   `json:"request"`
	Response *response `json:"response"`
	Error    string    `json:"_error"` // as Chromium calls it
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
	Status     int      `json:"status"` // 0 where none came
	StatusText string   `json:"statusText"`
	Headers    []field  `json:"headers"`
	Content    content  `json:"content"`
	BodySize   *float64 `json:"bodySize"` // on the wire; -1 where it is not known
	Error      string   `json:"_error"`
}

type content struct {
	Size     *float64 `json:"size"` // without content codings; -1 where it is not known
	MimeType string   `json:"mimeType"`
	Text     *string  `json:"text"`
	Encoding string   `json:"encoding"`
}

type field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}
