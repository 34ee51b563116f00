package bucket

import (
	"context"
	"errors"
	"time"
)

var errNotWritten = errors.New("bucket: not written yet")

// Bucket fills with tokens as time goes by.
type Bucket struct{}

// Reservation is tokens that were taken ahead of time.
type Reservation struct{}

// New makes a full bucket.
func New(clock Clock, rate Rate, burst int64) (*Bucket, error) { return nil, errNotWritten }

// Allow takes tokens that are there.
func (b *Bucket) Allow(n int64) bool { return false }

// Reserve takes tokens that may not be there yet.
func (b *Bucket) Reserve(n int64) (*Reservation, error) { return nil, errNotWritten }

// Wait takes tokens when its turn has come.
func (b *Bucket) Wait(ctx context.Context, n int64) error { return errNotWritten }

// Level is the number of whole tokens.
func (b *Bucket) Level() int64 { return 0 }

// Waiting is how many wait.
func (b *Bucket) Waiting() int { return 0 }

// SetRate changes the rate.
func (b *Bucket) SetRate(rate Rate) error { return errNotWritten }

// SetBurst changes the burst.
func (b *Bucket) SetBurst(burst int64) error { return errNotWritten }

// Delay is how long to wait before the tokens may be used.
func (r *Reservation) Delay() time.Duration { return 0 }

// Cancel gives the tokens back.
func (r *Reservation) Cancel() bool { return false }
