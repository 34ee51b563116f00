package todo

import (
	"sort"
	"strings"
	"sync"
	"time"
)

// Service keeps tasks.
type Service struct {
	clock func() time.Time
	mutex sync.Mutex
	tasks map[int]*Task
	last  int
}

// New makes a service without tasks.
func New(clock func() time.Time) *Service {
	return &Service{clock: clock, tasks: map[int]*Task{}}
}

// Add takes a new task.
func (s *Service) Add(title string, priority Priority, needs ...int) (Task, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	title = strings.TrimSpace(title)
	if title == "" {
		return Task{}, ErrNoTitle
	}
	if priority < Low || priority > High {
		return Task{}, ErrBadPriority
	}
	for _, need := range needs {
		if s.tasks[need] == nil {
			return Task{}, &NotFoundError{need}
		}
	}
	s.last++
	task := &Task{ID: s.last, Title: title, Priority: priority, Created: s.clock()}
	for _, need := range needs {
		task.addNeed(need)
	}
	s.tasks[task.ID] = task
	return task.copy(), nil
}

// Get finds a task.
func (s *Service) Get(id int) (Task, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	task, err := s.find(id)
	if err != nil {
		return Task{}, err
	}
	return task.copy(), nil
}

// Need makes a task wait for another.
func (s *Service) Need(id, other int) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	task, err := s.find(id)
	if err != nil {
		return err
	}
	if _, err := s.find(other); err != nil {
		return err
	}
	if task.isDone() {
		return ErrDone
	}
	if s.reaches(other, id) {
		return ErrCycle
	}
	task.addNeed(other)
	return nil
}

// Finish marks a task as done.
func (s *Service) Finish(id int) (Task, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	task, err := s.find(id)
	if err != nil {
		return Task{}, err
	}
	if task.isDone() {
		return Task{}, ErrDone
	}
	if by := s.missing(task); len(by) > 0 {
		return Task{}, &BlockedError{id, by}
	}
	task.Done = s.clock()
	return task.copy(), nil
}

// Reopen marks a task, and what was built on it, as not done.
func (s *Service) Reopen(id int) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	task, err := s.find(id)
	if err != nil {
		return err
	}
	if !task.isDone() {
		return ErrNotDone
	}
	s.reopen(task)
	return nil
}

// Remove forgets a task.
func (s *Service) Remove(id int) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if _, err := s.find(id); err != nil {
		return err
	}
	delete(s.tasks, id)
	for _, task := range s.tasks {
		kept := task.Needs[:0]
		for _, need := range task.Needs {
			if need != id {
				kept = append(kept, need)
			}
		}
		task.Needs = kept
	}
	return nil
}

// Ready lists what can be done now.
func (s *Service) Ready() []Task {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	ready := []Task{}
	for _, task := range s.ordered() {
		if !task.isDone() && len(s.missing(task)) == 0 {
			ready = append(ready, task.copy())
		}
	}
	sort.SliceStable(ready, func(i, j int) bool { return ready[i].Priority > ready[j].Priority })
	return ready
}

// List lists the tasks that a filter keeps.
func (s *Service) List(filter Filter) []Task {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	kept := []Task{}
	for _, task := range s.ordered() {
		if filter.Open && task.isDone() || filter.AtLeast != nil && task.Priority < *filter.AtLeast {
			continue
		}
		if strings.Contains(strings.ToLower(task.Title), strings.ToLower(filter.Text)) {
			kept = append(kept, task.copy())
		}
	}
	return kept
}

// Plan lists what has to be done for a task, in order.
func (s *Service) Plan(id int) ([]Task, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	task, err := s.find(id)
	if err != nil || task.isDone() {
		return nil, err
	}
	open := map[int]bool{}
	s.collect(task, open)
	var plan []Task
	for len(open) > 0 {
		next := s.firstFree(open)
		delete(open, next.ID)
		plan = append(plan, next.copy())
	}
	return plan, nil
}

// firstFree is the task with the smallest id among the open ones that needs none of them.
func (s *Service) firstFree(open map[int]bool) *Task {
	for _, task := range s.ordered() {
		free := open[task.ID]
		for _, need := range task.Needs {
			free = free && !open[need]
		}
		if free {
			return task
		}
	}
	panic("todo: the needs form a circle")
}

func (s *Service) collect(task *Task, open map[int]bool) {
	if task.isDone() || open[task.ID] {
		return
	}
	open[task.ID] = true
	for _, need := range task.Needs {
		s.collect(s.tasks[need], open)
	}
}

func (s *Service) reopen(task *Task) {
	task.Done = time.Time{}
	for _, other := range s.tasks {
		if other.isDone() && other.needs(task.ID) {
			s.reopen(other)
		}
	}
}

func (s *Service) reaches(from, to int) bool {
	if from == to {
		return true
	}
	for _, need := range s.tasks[from].Needs {
		if s.reaches(need, to) {
			return true
		}
	}
	return false
}

func (s *Service) missing(task *Task) []int {
	var missing []int
	for _, need := range task.Needs {
		if !s.tasks[need].isDone() {
			missing = append(missing, need)
		}
	}
	return missing
}

func (s *Service) find(id int) (*Task, error) {
	if task := s.tasks[id]; task != nil {
		return task, nil
	}
	return nil, &NotFoundError{id}
}

func (s *Service) ordered() []*Task {
	tasks := make([]*Task, 0, len(s.tasks))
	for _, task := range s.tasks {
		tasks = append(tasks, task)
	}
	sort.Slice(tasks, func(i, j int) bool { return tasks[i].ID < tasks[j].ID })
	return tasks
}

func (t *Task) isDone() bool { return !t.Done.IsZero() }

func (t *Task) copy() Task {
	copied := *t
	copied.Needs = append([]int(nil), t.Needs...)
	return copied
}

func (t *Task) needs(id int) bool {
	place := sort.SearchInts(t.Needs, id)
	return place < len(t.Needs) && t.Needs[place] == id
}

func (t *Task) addNeed(id int) {
	if !t.needs(id) {
		t.Needs = append(t.Needs, id)
		sort.Ints(t.Needs)
	}
}
