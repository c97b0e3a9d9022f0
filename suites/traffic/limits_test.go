package traffic

import (
	"strings"
	"testing"
)

// Values beyond the limits are refused before they are in memory. Values within them are read.
func TestLimits(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	one := `{"request":{"method":"GET","url":"http://a/` + long + `"}}`
	for _, row := range []struct {
		what, text string
		limits     limits
		says       string // "" if the archive is read
	}{
		{"an entry that is too long", `{"log":{"entries":[` + one + `]}}`, limits{1 << 20, 100_000}, "holds a value longer than 100000 bytes in or after entry 1, line 1"},
		{"something else that is too long", `{"log":{"pages":["` + long + `"],"entries":[]}}`, limits{1 << 20, 100_000}, "holds a value longer than 100000 bytes in line 1"},
		{"an archive that is too long", `{"log":{"entries":[` + one + strings.Repeat(","+one, 9) + `]}}`, limits{1 << 20, 300_000}, "is longer than 1048576 bytes; cut it into several files"},
		{"many that are long", `{"log":{"entries":[` + one + strings.Repeat(",\n"+one, 9) + `]}}`, limits{3 << 20, 300_000}, ""},
	} {
		t.Run(row.what, func(t *testing.T) {
			entries, line := 0, 0
			err := row.limits.read(strings.NewReader(row.text), func(at position, _ entry) error {
				entries, line = at.number, at.line
				return nil
			})
			if row.says == "" && (err != nil || entries != 10 || line != 10) {
				t.Errorf("%d entries up to line %d: %v", entries, line, err)
			}
			if row.says != "" && (err == nil || err.Error() != row.says) {
				t.Errorf("the archive %v, want: %s", err, row.says)
			}
		})
	}
}
