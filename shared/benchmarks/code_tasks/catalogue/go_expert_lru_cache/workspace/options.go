// Package cache keeps what was used lately.
package cache

import (
	"errors"
	"time"
)

// Reason is why an entry left.
type Reason string

// Why entries leave.
const (
	Replaced Reason = "replaced"
	Expired  Reason = "expired"
	Evicted  Reason = "evicted"
	Deleted  Reason = "deleted"
)

// Options of a cache.
type Options[K comparable, V any] struct {
	MaxCost int64
	Cost    func(K, V) int64
	TTL     time.Duration
	Clock   func() time.Time
	OnEvict func(K, V, Reason)
}

// Stats counts what happened.
type Stats struct {
	Hits, Misses, Evictions, Expirations, Loads, LoadFailures int64
}

// What can be wrong.
var (
	ErrMaxCost = errors.New("cache: maximal cost must be positive")
	ErrTTL     = errors.New("cache: lifetime must not be negative")
	ErrLoader  = errors.New("cache: loader panicked")
)
