package foundry

import (
	"context"
	"errors"
)

var errNotWritten = errors.New("foundry: not written yet")

// Scheduler runs jobs within limits.
type Scheduler struct{}

// New makes a scheduler; watch may be nil.
func New(clock Clock, limits Limits, watch func(Event)) (*Scheduler, error) {
	return nil, errNotWritten
}

// Run runs jobs until all have ended.
func (s *Scheduler) Run(ctx context.Context, jobs []Job) (map[string]Result, error) {
	return nil, errNotWritten
}
