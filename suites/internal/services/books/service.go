// Package books is a bookshop whose catalogue can be read and changed over HTTP. Its
// document is OpenAPI 3.1. See package services for its use.
package books

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

//go:embed openapi.yaml
var document []byte

// key is the API key that the service accepts.
const key = "books-key-7f3a9c21"

// Service describes the bookshop.
func Service() services.Service {
	return services.Service{
		Name:        "books",
		Document:    document,
		Credentials: map[string]string{"shopKey": key},
		Deviations: slices.Concat(bodiesLetThrough(), parametersLetThrough(), otherwiseLetThrough(), services.Conditional(slices.Concat(letThroughInCompany(), checksSkippedInCompany())...),
			refusals(), wrongBooks(), wrongLists(), wrongErrors(), onOneBook()),
		Variations: slices.Concat(variedStatuses(), variedConditions(), variedBodies(), services.Deliveries(createdBy(fullBook))),
		New:        New,
	}
}

// New returns a bookshop with three books.
func New(o services.Options) http.Handler {
	s := &shop{books: map[string]map[string]any{}}
	for _, text := range []string{paperBook, audioBook, fullBook} {
		value, _ := services.ParseJSON([]byte(text))
		if book, ok := value.(map[string]any); ok {
			s.add(book)
		}
	}
	return o.Handler(s.answer)
}

type shop struct {
	mu    sync.Mutex
	books map[string]map[string]any // by id
	order []string                  // ids, oldest first
}

const collection = "/books"

func (s *shop) answer(r *fault.Request, report *services.Report) fault.Answer {
	id, isItem := strings.CutPrefix(r.URL.Path, collection+"/")
	if r.URL.Path != collection && (!isItem || id == "" || strings.Contains(id, "/")) {
		return problem(http.StatusNotFound)
	}
	type operation func(r *fault.Request, report *services.Report, id string) fault.Answer
	routes := map[string]operation{http.MethodGet: s.list, http.MethodPost: s.create}
	if isItem {
		routes = map[string]operation{http.MethodGet: s.read, http.MethodPut: s.replace, http.MethodPatch: s.update, http.MethodDelete: s.remove}
	}
	route, found := routes[r.Method]
	if !found {
		a := problem(http.StatusMethodNotAllowed)
		for method := range routes {
			a.Header.Add("Allow", method)
		}
		return a
	}
	switch sent := r.Header.Get("X-Shop-Key"); sent {
	case key:
	case "":
		report.Add("credential", "required")
	default:
		report.Add("credential", "enum")
	}
	if !report.Empty() {
		return refusal(report)
	}
	if isItem {
		report.Object("path", map[string]any{"bookId": id}).Text("bookId", services.UUID)
	}
	return route(r, report, strings.ToLower(id))
}

func (s *shop) list(r *fault.Request, report *services.Report, _ string) fault.Answer {
	q := readQuery(r, report)
	checkChannel(r, report)
	return s.alone(report, func() fault.Answer { return page(q, s.matching(q)) })
}

func (s *shop) create(r *fault.Request, report *services.Report, _ string) fault.Answer {
	header := report.Header(r, "X-Request-Id")
	header.Require("X-Request-Id")
	header.Text("X-Request-Id", services.UUID)
	checkChannel(r, report)
	book := readBook(r, report)
	return s.alone(report, func() fault.Answer {
		id := s.add(book)
		a := s.show(http.StatusCreated, id)
		a.Header.Set("Location", collection+"/"+id)
		return a
	})
}

func (s *shop) read(_ *fault.Request, report *services.Report, id string) fault.Answer {
	return s.found(report, id, func() fault.Answer { return s.show(http.StatusOK, id) })
}

func (s *shop) replace(r *fault.Request, report *services.Report, id string) fault.Answer {
	book := readBook(r, report)
	return s.found(report, id, func() fault.Answer {
		s.keep(id, book)
		return s.show(http.StatusOK, id)
	})
}

func (s *shop) update(r *fault.Request, report *services.Report, id string) fault.Answer {
	changes := readChanges(r, report)
	return s.found(report, id, func() fault.Answer {
		book := maps.Clone(s.books[id])
		maps.Copy(book, changes)
		maps.DeleteFunc(book, func(_ string, value any) bool { return value == nil })
		s.keep(id, book)
		return s.show(http.StatusOK, id)
	})
}

func (s *shop) remove(_ *fault.Request, report *services.Report, id string) fault.Answer {
	return s.found(report, id, func() fault.Answer {
		delete(s.books, id)
		return fault.Answer{Status: http.StatusNoContent, Header: http.Header{}}
	})
}

// found calls then if the request has no fault and the book exists.
func (s *shop) found(report *services.Report, id string, then func() fault.Answer) fault.Answer {
	return s.alone(report, func() fault.Answer {
		if _, found := s.books[id]; !found {
			return problem(http.StatusNotFound)
		}
		return then()
	})
}

// alone calls then under the lock if the request has no fault.
func (s *shop) alone(report *services.Report, then func() fault.Answer) fault.Answer {
	if !report.Empty() {
		return refusal(report)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return then()
}

func (s *shop) add(book map[string]any) string {
	id := fmt.Sprintf("00000000-0000-4000-8000-%012x", len(s.order)+1)
	s.order = append(s.order, id)
	s.keep(id, book)
	return id
}

// keep stores a book. Its read-only properties overwrite those that the client sent.
func (s *shop) keep(id string, book map[string]any) {
	book["id"] = id
	book["created"] = "2026-03-01T09:30:00Z"
	s.books[id] = book
}

func (s *shop) show(status int, id string) fault.Answer {
	a := fault.JSON(status, shown(s.books[id]))
	sum := fnv.New32a()
	_, _ = sum.Write(a.Body)
	a.Header.Set("ETag", fmt.Sprintf("\"%08x\"", sum.Sum32()))
	return a
}

// shown returns a book for a response: with defaults and without write-only properties.
func shown(book map[string]any) map[string]any {
	book = completed(book, map[string]any{
		"title": "Untitled", "author": "Unknown", "language": "en", "stock": 0, "price": map[string]any{}, "edition": map[string]any{"kind": "paper"},
	})
	delete(book, "purchaseNote")
	book["price"] = completed(book["price"], map[string]any{"amount": 0, "currency": "EUR"})
	edition, required := completed(book["edition"], map[string]any{"kind": "paper"}), map[string]any{"pages": 1}
	if edition["kind"] == "audio" {
		required = map[string]any{"minutes": 1, "narrator": nil}
	}
	book["edition"] = completed(edition, required)
	if publisher, ok := book["publisher"]; ok {
		book["publisher"] = completed(publisher, map[string]any{"name": "Unknown"})
	}
	return book
}

// completed returns a copy of the object with defaults for missing properties.
func completed(object any, defaults map[string]any) map[string]any {
	whole := maps.Clone(defaults)
	if values, ok := object.(map[string]any); ok {
		maps.Copy(whole, values)
	}
	return whole
}

// refusal returns the response to a request with faults. The first fault determines the status.
func refusal(report *services.Report) fault.Answer {
	status := http.StatusBadRequest
	switch first := report.Faults[0]; {
	case first.Place == "credential":
		status = http.StatusUnauthorized
	case first.Place == "media-type":
		status = http.StatusUnsupportedMediaType
	case first.Rule == "size":
		status = http.StatusRequestEntityTooLarge
	case strings.HasPrefix(first.Place, "body/"), first.Place == "body" && first.Rule != "syntax" && first.Rule != "required":
		status = http.StatusUnprocessableEntity
	}
	a := problem(status, report.Faults...)
	a.Rejected = report.Faults[0].Place
	return a
}

func problem(status int, faults ...services.Fault) fault.Answer {
	a := fault.JSON(status, struct {
		Title  string           `json:"title"`
		Status int              `json:"status"`
		Errors []services.Fault `json:"errors,omitempty"`
	}{http.StatusText(status), status, faults})
	a.Header.Set("Content-Type", "application/problem+json")
	a.Rejected = "resource"
	return a
}

// The books in a new shop.
const (
	paperBook = `{"title":"The Left Hand of Darkness","author":"Ursula K. Le Guin","language":"en","price":{"amount":9.95,"currency":"GBP"},"edition":{"kind":"paper","pages":304}}`

	audioBook = `{"title":"Momo","author":"Michael Ende","language":"de","price":{"amount":20,"currency":"EUR"},"edition":{"kind":"audio","minutes":512,"narrator":null}}`

	fullBook = `{"title":"Un Nos Ola Leuad","subtitle":null,"author":"Caradog Prichard","language":"cy","isbn":"978-0862430931",
"price":{"amount":0.5,"currency":"CHF"},"edition":{"kind":"paper","pages":191,"binding":"hardcover","size":[210,148.5,12]},
"tags":["fiction","classic"],"published":"1961-11-01","rating":4.5,"stock":3,"barcode":9780862430931,"series":"Clasuron","volume":2,
"publisher":{"name":"Gwasg Gee","email":"post@gee.example","website":"https://gee.example/?a=1"},
"titles":{"en":"One Moonlit Night"},"purchaseNote":"from the estate"}`
)

// matching returns the books that a query selects, in the order that it requires.
func (s *shop) matching(q map[string]any) []map[string]any {
	var books []map[string]any
	for _, id := range s.order {
		if book, found := s.books[id]; found && selects(q, book) {
			books = append(books, shown(book))
		}
	}
	if order, ok := q["sort"].(string); ok {
		property := strings.TrimPrefix(order, "-")
		slices.SortStableFunc(books, func(a, b map[string]any) int {
			if property != order {
				a, b = b, a
			}
			return cmp.Compare(fmt.Sprint(a[property]), fmt.Sprint(b[property]))
		})
	}
	return books
}

// selects reports whether a book matches the filters of the query.
func selects(q, book map[string]any) bool {
	tags, _ := book["tags"].([]any)
	wanted, _ := q["tag"].([]any)
	if slices.ContainsFunc(wanted, func(tag any) bool { return !slices.Contains(tags, tag) }) {
		return false
	}
	if day, ok := q["published-after"].(string); ok {
		if published, _ := book["published"].(string); published <= day {
			return false
		}
	}
	if q["in-stock"] == true && number(book["stock"]) == 0 {
		return false
	}
	price, _ := book["price"].(map[string]any)
	return q["max-price"] == nil || number(price["amount"]) <= number(q["max-price"])
}

// number returns a number as float64, which is precise enough for a price.
func number(value any) float64 {
	literal, _ := value.(json.Number)
	n, _ := literal.Float64()
	return n
}

func page(q map[string]any, books []map[string]any) fault.Answer {
	limit, offset := 20, int(number(q["offset"]))
	if q["limit"] != nil {
		limit = int(number(q["limit"]))
	}
	start := min(offset, len(books))
	end := min(start+limit, len(books))
	body := map[string]any{
		"items": append([]map[string]any{}, books[start:end]...),
		"total": len(books),
		"next":  nil,
	}
	if end < len(books) {
		body["next"] = fmt.Sprintf("%s?limit=%d&offset=%d", collection, limit, end)
	}
	a := fault.JSON(http.StatusOK, body)
	a.Header.Set("X-Total-Count", strconv.Itoa(len(books)))
	return a
}
