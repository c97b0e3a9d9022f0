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

	"github.com/plantstore/conformance/spec/lists"
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
	fail := func(problem any) {
		fmt.Fprintln(os.Stderr, problem)
		os.Exit(2)
	}
	named := func(rows []services.Deviation, name string) services.Deviation {
		found := lists.By(rows, func(d services.Deviation) string { return d.Name })[name]
		if found.Name != name {
			fail(fmt.Sprintf("no deviation or no variation %q; --list shows all", name))
		}
		return found
	}
	handler := service.New(services.Options{
		Deviation: named(service.Deviations, *deviation), Variation: named(service.Variations, *variation),
	})
	server := &http.Server{
		Addr:              *listen,
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Println(r.Method, r.URL.Path)
			handler.ServeHTTP(w, r)
		}),
	}
	fail(server.ListenAndServe())
}
