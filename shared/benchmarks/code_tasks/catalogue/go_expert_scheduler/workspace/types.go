// Package foundry runs jobs that wait for each other.
package foundry

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Clock is where time comes from.
type Clock interface {
	Now() time.Time
	AfterFunc(d time.Duration, f func()) (stop func())
}

// Limits is what all jobs of a run share.
type Limits struct {
	Workers     int
	Resources   map[string]int
	MaxFailures int
}

// Job is something to do.
type Job struct {
	ID       string
	Needs    []string
	After    []string
	Uses     map[string]int
	Priority int
	Attempts int
	Backoff  time.Duration
	Timeout  time.Duration
	Run      func(ctx context.Context, attempt int) error
}

// State is what became of a job.
type State string

// The states of jobs that have ended.
const (
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Skipped   State = "skipped"
	Canceled  State = "canceled"
)

// Result is what became of a job, and when.
type Result struct {
	State    State
	Attempts int
	Err      error
	Started  time.Time
	Ended    time.Time
}

// Kind is what an event tells.
type Kind string

// The kinds of events.
const (
	Started  Kind = "started"
	Ended    Kind = "ended"
	Retrying Kind = "retrying"
	TimedOut Kind = "timed out"
	Settled  Kind = "settled"
)

// Event is something that happened in a run.
type Event struct {
	Kind    Kind
	Job     string
	Attempt int
	State   State
	Err     error
	Delay   time.Duration
	Running int
	Ready   int
	Delayed int
}

// What can be wrong.
var (
	ErrWorkers  = errors.New("foundry: at least one worker")
	ErrResource = errors.New("foundry: negative limit")
	ErrName     = errors.New("empty or repeated name")
	ErrNoRun    = errors.New("nothing to run")
	ErrNumber   = errors.New("negative number")
	ErrUnknown  = errors.New("waits for an unknown job")
	ErrTooMuch  = errors.New("uses more than there is")
	ErrCycle    = errors.New("waits for itself")

	ErrPermanent       = errors.New("foundry: not to be tried again")
	ErrTimeout         = errors.New("foundry: took too long")
	ErrTooManyFailures = errors.New("foundry: too many failures")
	ErrFailed          = errors.New("foundry: not all jobs succeeded")
)

// JobError tells which job cannot be run, and why.
type JobError struct {
	ID  string
	Err error
}

func (e *JobError) Error() string { return fmt.Sprintf("foundry: job %q: %v", e.ID, e.Err) }

func (e *JobError) Unwrap() error { return e.Err }

// NeedError is why a job was skipped.
type NeedError struct{ ID string }

func (e *NeedError) Error() string { return fmt.Sprintf("foundry: needs %q", e.ID) }

// PanicError is what a job panicked with.
type PanicError struct{ Value any }

func (e *PanicError) Error() string { return fmt.Sprintf("foundry: panic: %v", e.Value) }

type system struct{}

// System is the clock of the machine.
func System() Clock { return system{} }

func (system) Now() time.Time { return time.Now() }

func (system) AfterFunc(d time.Duration, f func()) func() {
	timer := time.AfterFunc(d, f)
	return func() { timer.Stop() }
}
