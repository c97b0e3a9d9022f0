package main

import (
	"net/http"
	"net/url"
	"slices"
	"testing"
)

func TestNoNetwork(t *testing.T) {
	r, err := serve()
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	client := http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: r.host})}}
	for _, address := range []string{"http://registry.invalid/v2/", "https://secret.invalid/v2/"} {
		response, err := client.Get(address)
		if err != nil {
			continue // a tunnel that was refused
		}
		response.Body.Close()
		if response.StatusCode < 500 {
			t.Errorf("%s: %s", address, response.Status)
		}
	}
	if got, want := r.strays(), []string{"registry.invalid", "secret.invalid:443"}; !slices.Equal(got, want) {
		t.Errorf("strays %q, not %q", got, want)
	}
}
