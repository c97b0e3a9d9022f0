package replay

import (
	"fmt"
	"sync/atomic"
)

// budget bounds how many requests a client sends in all.
type budget struct {
	most int64 // 0 is no limit
	sent atomic.Int64
}

// take is asked before each request, and says whether it may be sent.
func (b *budget) take() bool { return b.most == 0 || b.sent.Add(1) <= b.most }

func (b *budget) spent() bool { return b.most > 0 && b.sent.Load() >= b.most }

// failure is that of an exchange for which nothing is left.
func (b *budget) failure() *Failure {
	return &Failure{OverBudget, fmt.Sprintf("--max-requests is %d, and this limit is reached", b.most)}
}
