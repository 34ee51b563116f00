// Package todo keeps chores and what they wait for.
package todo

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Priority is how urgent a task is.
type Priority int

// The zero value is Normal.
const (
	Low    Priority = -1
	Normal Priority = 0
	High   Priority = 1
)

// Task is one chore. Done is zero as long as it is open.
type Task struct {
	ID       int
	Title    string
	Priority Priority
	Needs    []int
	Created  time.Time
	Done     time.Time
}

// Filter says which tasks to list; AtLeast counts only when it is not nil.
type Filter struct {
	Open    bool
	Text    string
	AtLeast *Priority
}

// What can be wrong.
var (
	ErrNoTitle     = errors.New("todo: no title")
	ErrBadPriority = errors.New("todo: bad priority")
	ErrDone        = errors.New("todo: already done")
	ErrNotDone     = errors.New("todo: not done")
	ErrCycle       = errors.New("todo: needs would form a circle")
)

// NotFoundError names a task that is not there.
type NotFoundError struct{ ID int }

func (e *NotFoundError) Error() string { return "todo: no task " + strconv.Itoa(e.ID) }

// BlockedError names what a task waits for.
type BlockedError struct {
	ID int
	By []int
}

func (e *BlockedError) Error() string {
	ids := make([]string, len(e.By))
	for i, id := range e.By {
		ids[i] = strconv.Itoa(id)
	}
	return "todo: task " + strconv.Itoa(e.ID) + " is blocked by " + strings.Join(ids, ", ")
}
