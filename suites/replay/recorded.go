package replay

import "net/http"

// Recorded makes an exchange of a request and a complete response that were
// recorded elsewhere, without secrets in them.
func Recorded(request Request, status int, header http.Header, body []byte) Exchange {
	return Exchange{
		Request:  request,
		Response: &Response{Status: status, Header: header, Body: body, raw: &raw{header, body}},
	}
}
