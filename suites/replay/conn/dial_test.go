package conn

import (
	"net/url"
	"strings"
	"testing"
)

func TestResolveIsChecked(t *testing.T) {
	for _, row := range []struct {
		base, resolve string
		want          string // a part of the error; "" means no error
	}{
		{"https://plants.example", "plants.example:192.0.2.7", ""},
		{"https://plants.example", "PLANTS.example:192.0.2.7:8443", ""},
		{"https://plants.example:8443/v1", "plants.example:[2001:db8::7]", ""},
		{"https://plants.example", "plants.example:[2001:db8::7]:8443", ""},
		{"https://grün.example", "grün.example:192.0.2.7", ""},
		{"https://grün.example", "xn--grn-ioa.example:192.0.2.7", ""},
		{"http://[::1]:8080", "[::1]:192.0.2.7", ""},
		{"https://plants.example", "plants.example", `resolve is "plants.example"; it must be HOST:ADDRESS`},
		{"https://plants.example", ":192.0.2.7", "it must be HOST:ADDRESS"},
		{"http://[::1]:8080", "[::1]", "it must be HOST:ADDRESS"},
		{"https://plants.example", "other.example:192.0.2.7", `resolve is for the host "other.example", but the host of the base URL is "plants.example"`},
		{"https://plants.example", "plants.example:", `resolve has the address ""; it must be an IP address`},
		{"https://plants.example", "plants.example:localhost", `has the address "localhost"`},
		{"https://plants.example", "plants.example:192.0.2.7:0", `has the address "192.0.2.7:0"`},
		{"https://plants.example", "plants.example:2001:db8::7", "[2001:db8::7] or"},
		{"https://plants.example", "plants.example:443:192.0.2.7", `has the address "443:192.0.2.7"`},
	} {
		t.Run(row.base+" "+row.resolve, func(t *testing.T) {
			base, err := url.Parse(row.base)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Resolve(row.resolve, base)
			if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
				t.Errorf("%v, want %q", err, row.want)
			}
		})
	}
}
