package reference

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestParseInt64(t *testing.T) {
	for _, test := range []struct {
		literal string
		want    int64
		err     error
	}{
		{literal: "0"},
		{literal: "-0"},
		{literal: "0.000"},
		{literal: "0e99999999999999999999"},
		{literal: "-0.0E-99999999999999999999"},
		{literal: "7", want: 7},
		{literal: "-7", want: -7},
		{literal: "10", want: 10},
		{literal: "1.0", want: 1},
		{literal: "1e3", want: 1000},
		{literal: "1E+3", want: 1000},
		{literal: "1000e-3", want: 1},
		{literal: "0.0012e4", want: 12},
		{literal: "120.50e1", want: 1205},
		{literal: "9007199254740993", want: 9007199254740993}, // 2^53+1, which a float64 cannot represent
		{literal: "9007199254740993.0", want: 9007199254740993},
		{literal: "9223372036854775807", want: math.MaxInt64},
		{literal: "9.223372036854775807e18", want: math.MaxInt64},
		{literal: "922337203685477580700e-2", want: math.MaxInt64},
		{literal: "-9223372036854775808", want: math.MinInt64},
		{literal: "-9223372036854775808.000", want: math.MinInt64},
		{literal: "1" + strings.Repeat("0", 1000) + "e-1000", want: 1},

		{literal: "0.5", err: errFraction},
		{literal: "1e-1", err: errFraction},
		{literal: "12.30", err: errFraction},
		{literal: "1.00000000000000000001", err: errFraction}, // 1, as a float64
		{literal: "1e-99999999999999999999", err: errFraction},
		{literal: "99999999999999999999.5", err: errFraction},
		{literal: "9223372036854775808", err: errRange}, // 2^63
		{literal: "-9223372036854775809", err: errRange},
		{literal: "9.2233720368547758075e18", err: errFraction},
		{literal: "1e19", err: errRange},
		{literal: "-1e19", err: errRange},
		{literal: "1e400", err: errRange},
		{literal: "1e99999999999999999999", err: errRange}, // written out, it would fill any memory
	} {
		t.Run(test.literal[:min(len(test.literal), 30)], func(t *testing.T) {
			got, err := parseInt64(test.literal)
			if got != test.want || !errors.Is(err, test.err) {
				t.Errorf("parseInt64(%s) = %d, %v; want %d, %v", test.literal, got, err, test.want, test.err)
			}
		})
	}
}
