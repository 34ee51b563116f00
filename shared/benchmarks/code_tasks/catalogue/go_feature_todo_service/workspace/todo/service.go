package todo

import (
	"errors"
	"time"
)

var errNotWritten = errors.New("todo: not written yet")

// Service keeps tasks.
type Service struct {
	clock func() time.Time
}

// New makes a service without tasks.
func New(clock func() time.Time) *Service { return &Service{clock: clock} }

// Add takes a new task.
func (s *Service) Add(title string, priority Priority, needs ...int) (Task, error) {
	return Task{}, errNotWritten
}

// Get finds a task.
func (s *Service) Get(id int) (Task, error) { return Task{}, errNotWritten }

// Need makes a task wait for another.
func (s *Service) Need(id, other int) error { return errNotWritten }

// Finish marks a task as done.
func (s *Service) Finish(id int) (Task, error) { return Task{}, errNotWritten }

// Reopen marks a task, and what was built on it, as not done.
func (s *Service) Reopen(id int) error { return errNotWritten }

// Remove forgets a task.
func (s *Service) Remove(id int) error { return errNotWritten }

// Ready lists what can be done now.
func (s *Service) Ready() []Task { return nil }

// List lists the tasks that a filter keeps.
func (s *Service) List(filter Filter) []Task { return nil }

// Plan lists what has to be done for a task, in order.
func (s *Service) Plan(id int) ([]Task, error) { return nil, errNotWritten }
