package books

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
)

// matching is the books that a query selects, in its order.
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

// selects reports whether a book has what the query asks for.
func selects(q, book map[string]any) bool {
	tags, _ := book["tags"].([]any)
	wanted, _ := q["tag"].([]any)
	for _, tag := range wanted {
		if !slices.Contains(tags, tag) {
			return false
		}
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

// number is a number that needs no more precision than a price.
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
