package books

import (
	"net/http"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

// row returns a deviation.
//
// For a fault in an edition, the edition may be blamed too, because no branch of it matches.
func row(name, clause, says string, how fault.Change, shows services.Probe) services.Deviation {
	d := services.Deviation{Name: name, Says: says, Clause: clause, How: how, Shows: shows}
	if whole, _, found := strings.Cut(clause, "/edition/"); found {
		d.Also = []string{whole + "/edition"}
	}
	return d
}

// body returns a deviation that ignores a rule for a value in the body of createBook.
func body(name, place, rule, says string, shows services.Probe) services.Deviation {
	property, _, _ := strings.Cut(place, "/*")
	return row(name, "createBook/request/body/"+property, says, services.Overlook("body/"+place, rule), shows).If(services.To(http.MethodPost, collection))
}

// query returns a deviation that ignores a rule for a query parameter of listBooks.
func query(name, place, rule, says, shows string) services.Deviation {
	parameter, _, _ := strings.Cut(place, "/")
	return row(name, "listBooks/request/query/"+parameter, says, services.Overlook("query/"+place, rule), list(shows))
}

// refuses returns a deviation that rejects valid requests to create a book.
func refuses(name, says string, such fault.Condition, shows services.Probe) services.Deviation {
	return row(name, "createBook/accepts", says, refused(http.MethodPost, http.StatusUnprocessableEntity, such), shows)
}

// refusesQuery returns a deviation that rejects valid requests for lists of books.
func refusesQuery(name, says, expression, shows string) services.Deviation {
	such := fault.SentQuery(fault.Matches(expression))
	return row(name, "listBooks/accepts", says, refused(http.MethodGet, http.StatusBadRequest, such), list(shows))
}

func refused(method string, status int, such fault.Condition) fault.Change {
	return services.Refuse(fault.Both(services.To(method, collection), such), func() fault.Answer { return problem(status) })
}

func edited(method string, status int, edits ...fault.Edit) fault.Change {
	return fault.When(fault.Both(services.To(method, collection), fault.HasStatus(status)), edits...)
}

// created returns a change that edits responses with a new book.
func created(edits ...fault.Edit) fault.Change {
	return edited(http.MethodPost, http.StatusCreated, edits...)
}

// createdWith returns a change that edits one property of a new book in a response.
func createdWith(name string, edit fault.TextEdit) fault.Change {
	return created(fault.Body(fault.PropertyOf(name, edit)))
}

// listed returns a change that edits responses with a list of books.
func listed(edits ...fault.Edit) fault.Change {
	return edited(http.MethodGet, http.StatusOK, append([]fault.Edit{fault.Body()}, edits...)...).
		If(func(r *fault.Request, _ fault.Answer) bool { return r.URL.Path == collection })
}

// items edits the items of a list, except for this number of items at its start.
func items(except int, edit fault.TextEdit) fault.Edit {
	return fault.Body(fault.PropertyOf("items", fault.ItemsFrom(except, edit)))
}

// keyless returns a change that accepts requests without a key.
func keyless() fault.Change {
	return fault.ReadingHeader("X-Shop-Key", fault.Where(fault.Equals(""), fault.Constant(key)))
}

// Header lines of the probes.
const (
	keyLine  = "X-Shop-Key: " + key
	idLine   = "X-Request-Id: 3f0c2a52-7d0e-4a1b-9a55-0c8d2f6e1b7a"
	jsonLine = "Content-Type: application/json"
	firstID  = "00000000-0000-4000-8000-000000000001"
)

// createdBy returns a request to create a book from a JSON text.
func createdBy(text string, lines ...string) services.Probe {
	return services.Probe{
		Method: http.MethodPost, Target: collection, Body: text,
		Header: append([]string{keyLine, idLine, jsonLine}, lines...),
	}
}

// create returns a request to create a paper book with these properties added.
func create(properties string, lines ...string) services.Probe {
	return createdBy(paperWith(properties), lines...)
}

func paperWith(properties string) string {
	return services.WithProperties(paperBook, properties)
}

// without returns a request to create a book without a property.
func without(name string) services.Probe {
	book, _ := fault.ParseObject(paperBook)
	delete(book, name)
	return createdBy(book.Text())
}

func list(q string) services.Probe {
	return services.Probe{Method: http.MethodGet, Target: collection + "?" + q, Header: []string{keyLine}}
}

func item(method, id, mediaType, text string) services.Probe {
	return services.Probe{
		Method: method, Target: collection + "/" + id, Body: text,
		Header: []string{keyLine, "Content-Type: " + mediaType},
	}
}
