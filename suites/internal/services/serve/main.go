// Command serve runs the bookshop of package books, so that other programs can test it.
//
//	serve --list
//	serve --listen HOST:PORT [--deviation NAME] [--variation NAME]
//
// It writes one line to standard output for each request.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/plantstore/conformance/suites/internal/services"
	"github.com/plantstore/conformance/suites/internal/services/books"
)

func main() {
	list := flag.Bool("list", false, "list the deviations and the variations, and serve nothing")
	listen := flag.String("listen", "127.0.0.1:8080", "serve on `HOST:PORT`")
	deviation := flag.String("deviation", "", "break the document as `NAME` says")
	variation := flag.String("variation", "", "use a freedom of the document as `NAME` says")
	flag.Parse()
	service := books.Service()
	if *list {
		for _, d := range service.Deviations {
			fmt.Printf("deviation %s %s\n", d.Name, d.Says)
		}
		for _, v := range service.Variations {
			fmt.Printf("variation %s %s\n", v.Name, v.Says)
		}
		return
	}
	options, err := find(service, *deviation, *variation)
	if err == nil {
		err = serve(*listen, service.New(options))
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

// find returns the options with the deviation and the variation of these names.
func find(s services.Service, deviation, variation string) (services.Options, error) {
	named := func(rows []services.Deviation, name string) (found services.Deviation) {
		for _, row := range rows {
			if row.Name == name {
				found = row
			}
		}
		return found
	}
	o := services.Options{Deviation: named(s.Deviations, deviation), Variation: named(s.Variations, variation)}
	if o.Deviation.Name != deviation || o.Variation.Name != variation {
		return o, fmt.Errorf("no deviation %q or no variation %q; --list shows all", deviation, variation)
	}
	return o, nil
}

// serve serves the handler until the process ends.
func serve(address string, handler http.Handler) error {
	server := &http.Server{
		Addr:              address,
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Println(r.Method, r.URL.Path)
			handler.ServeHTTP(w, r)
		}),
	}
	return server.ListenAndServe()
}
