// Package bucket limits how often something happens.
package bucket

import (
	"errors"
	"time"
)

// Clock is where time comes from.
type Clock interface {
	Now() time.Time
	AfterFunc(d time.Duration, f func()) (stop func())
}

// Rate is a number of tokens for every period.
type Rate struct {
	Tokens int64
	Per    time.Duration
}

// What can be wrong.
var (
	ErrRate     = errors.New("bucket: rate must be positive")
	ErrBurst    = errors.New("bucket: burst must be positive")
	ErrTooMany  = errors.New("bucket: more tokens than the burst")
	ErrNegative = errors.New("bucket: negative number of tokens")
	ErrBusy     = errors.New("bucket: others are waiting")
)

type system struct{}

// System is the clock of the machine.
func System() Clock { return system{} }

func (system) Now() time.Time { return time.Now() }

func (system) AfterFunc(d time.Duration, f func()) func() {
	timer := time.AfterFunc(d, f)
	return func() { timer.Stop() }
}
