package replay_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
)

func clientTLS(server *httptest.Server) *tls.Config {
	return server.Client().Transport.(*http.Transport).TLSClientConfig
}
