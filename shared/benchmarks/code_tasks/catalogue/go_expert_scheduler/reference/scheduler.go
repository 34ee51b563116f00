package foundry

import (
	"context"
	"errors"
	"math"
	"sort"
	"time"
)

// Scheduler runs jobs within limits.
type Scheduler struct {
	clock  Clock
	limits Limits
	watch  func(Event)
}

// New makes a scheduler; watch may be nil.
func New(clock Clock, limits Limits, watch func(Event)) (*Scheduler, error) {
	if limits.Workers < 1 {
		return nil, ErrWorkers
	}
	if limits.MaxFailures < 0 {
		return nil, ErrResource
	}
	resources := map[string]int{}
	for name, amount := range limits.Resources {
		if amount < 0 {
			return nil, ErrResource
		}
		resources[name] = amount
	}
	limits.Resources = resources
	if watch == nil {
		watch = func(Event) {}
	}
	return &Scheduler{clock, limits, watch}, nil
}

// Run runs jobs until all have ended.
func (s *Scheduler) Run(ctx context.Context, jobs []Job) (map[string]Result, error) {
	nodes, err := link(jobs, s.limits.Resources)
	if err != nil {
		return nil, err
	}
	free := map[string]int{}
	for name, amount := range s.limits.Resources {
		free[name] = amount
	}
	r := &run{Scheduler: s, ctx: ctx, nodes: nodes, left: len(nodes), free: free, inbox: make(chan func() bool), closed: make(chan struct{})}
	defer close(r.closed)
	return r.work()
}

type phase int

const (
	waiting phase = iota
	ready
	running
	delayed
	ended
)

type node struct {
	Job
	place    int
	urgency  int
	blocked  int // jobs that it still waits for
	needs    map[string]bool
	waiters  []*node
	phase    phase
	timedOut bool
	cancel   context.CancelFunc
	stop     func()
	result   Result
}

// run is the state of one call; only the goroutine of that call touches it.
type run struct {
	*Scheduler
	ctx      context.Context
	nodes    []*node
	line     []*node
	left     int
	running  int
	delayed  int
	failures int
	free     map[string]int
	stopped  error
	inbox    chan func() bool
	closed   chan struct{}
}

func (r *run) work() (map[string]Result, error) {
	done := r.ctx.Done()
	for _, one := range r.nodes {
		if one.blocked == 0 {
			r.queue(one)
		}
	}
	if err := r.ctx.Err(); err != nil {
		r.halt(err)
		done = nil
	}
	r.start()
	for changed := true; r.left > 0; {
		if changed {
			r.watch(Event{Kind: Settled, Running: r.running, Ready: len(r.line), Delayed: r.delayed})
		}
		select {
		case message := <-r.inbox:
			changed = message()
		case <-done:
			done, changed = nil, true
			r.end()
		}
		r.start()
	}
	return r.results()
}

func (r *run) results() (map[string]Result, error) {
	results, err := map[string]Result{}, r.stopped
	for _, one := range r.nodes {
		results[one.ID] = one.result
		if err == nil && one.result.State != Succeeded {
			err = ErrFailed
		}
	}
	return results, err
}

// send hands something to the goroutine of the run, if there still is one.
func (r *run) send(message func() bool) {
	select {
	case r.inbox <- message:
	case <-r.closed:
	}
}

// queue puts a job in its place of the line.
func (r *run) queue(one *node) {
	one.phase = ready
	at := sort.Search(len(r.line), func(i int) bool {
		other := r.line[i]
		return other.urgency < one.urgency || other.urgency == one.urgency && other.place > one.place
	})
	r.line = append(r.line, nil)
	copy(r.line[at+1:], r.line[at:])
	r.line[at] = one
}

// start goes through the line once.
func (r *run) start() {
	held := map[string]bool{}
	kept := 0 // those of the front that stay
	next := 0
	for ; next < len(r.line) && r.running < r.limits.Workers; next++ {
		one := r.line[next]
		if r.fits(one, held) {
			r.launch(one)
			continue
		}
		r.line[kept] = one
		kept++
	}
	r.line = append(r.line[:kept], r.line[next:]...)
}

// fits tells whether a job can have its resources; if not, they are held for it.
func (r *run) fits(one *node, held map[string]bool) bool {
	behind, lacks := false, false
	for name, amount := range one.Uses {
		behind = behind || amount > 0 && held[name]
		lacks = lacks || amount > r.free[name]
	}
	if lacks {
		for name, amount := range one.Uses {
			held[name] = held[name] || amount > 0
		}
	}
	return !behind && !lacks
}

func (r *run) launch(one *node) {
	now := r.clock.Now()
	if one.result.Attempts == 0 {
		one.result.Started = now
	}
	one.result.Attempts++
	attempt := one.result.Attempts
	one.phase, one.timedOut = running, false
	r.running++
	r.take(one, -1)
	r.watch(Event{Kind: Started, Job: one.ID, Attempt: attempt})
	ctx, cancel := context.WithCancel(r.ctx)
	one.cancel = cancel
	if one.Timeout > 0 {
		one.stop = r.clock.AfterFunc(one.Timeout, func() {
			r.send(func() bool { return r.timeout(one, attempt) })
		})
	}
	go func() {
		err := call(ctx, one.Job.Run, attempt)
		r.send(func() bool { return r.returned(one, err) })
	}()
}

func call(ctx context.Context, run func(context.Context, int) error, attempt int) (err error) {
	returned := false
	defer func() {
		if value := recover(); !returned {
			err = &PanicError{value}
		}
	}()
	err = run(ctx, attempt)
	returned = true
	return err
}

func (r *run) take(one *node, sign int) {
	for name, amount := range one.Uses {
		r.free[name] += sign * amount
	}
}

func (r *run) timeout(one *node, attempt int) bool {
	if one.phase != running || one.result.Attempts != attempt || one.timedOut {
		return false
	}
	one.timedOut = true
	r.watch(Event{Kind: TimedOut, Job: one.ID, Attempt: attempt})
	one.cancel()
	return true
}

func (r *run) returned(one *node, err error) bool {
	r.unset(one)
	one.cancel()
	r.running--
	r.take(one, 1)
	if one.timedOut {
		err = ErrTimeout
	}
	switch {
	case err == nil:
		r.finish(one, Succeeded, nil)
	case one.result.Attempts < one.Attempts && r.stopped == nil && !errors.Is(err, ErrPermanent):
		r.retry(one, err)
	default:
		r.fail(one, err)
	}
	return true
}

func (r *run) retry(one *node, err error) {
	attempt := one.result.Attempts
	delay := time.Duration(math.MaxInt64)
	if shift := attempt - 1; shift < 63 && one.Backoff <= delay>>shift {
		delay = one.Backoff << shift
	}
	if one.Backoff == 0 {
		delay = 0
	}
	r.watch(Event{Kind: Retrying, Job: one.ID, Attempt: attempt, Err: err, Delay: delay})
	if delay == 0 {
		r.queue(one)
		return
	}
	one.phase = delayed
	r.delayed++
	one.stop = r.clock.AfterFunc(delay, func() {
		r.send(func() bool { return r.resume(one, attempt) })
	})
}

func (r *run) resume(one *node, attempt int) bool {
	if one.phase != delayed || one.result.Attempts != attempt {
		return false
	}
	one.stop = nil
	r.delayed--
	r.queue(one)
	return true
}

func (r *run) fail(one *node, err error) {
	r.failures++
	r.finish(one, Failed, err)
	r.skip(one)
	if r.failures == r.limits.MaxFailures && r.stopped == nil {
		r.halt(ErrTooManyFailures)
	}
}

// skip ends all that need a job.
func (r *run) skip(cause *node) {
	gone := map[string]bool{cause.ID: true}
	var found []*node
	for queue := []*node{cause}; len(queue) > 0; queue = queue[1:] {
		for _, one := range queue[0].waiters {
			if one.phase == waiting && one.needs[queue[0].ID] && !gone[one.ID] {
				gone[one.ID] = true
				found = append(found, one)
				queue = append(queue, one)
			}
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].place < found[j].place })
	for _, one := range found {
		one.phase = ended // before any of them makes others ready
	}
	for _, one := range found {
		r.finish(one, Skipped, &NeedError{r.missing(one, gone)})
	}
}

// missing is the first need of a job that will not succeed any more.
func (r *run) missing(one *node, gone map[string]bool) string {
	for _, name := range one.Needs {
		if gone[name] {
			return name
		}
	}
	return ""
}

// end is what the end of the context leads to.
func (r *run) end() {
	if r.stopped == nil {
		r.halt(r.ctx.Err())
	}
	for _, one := range r.nodes {
		r.unset(one)
	}
}

// halt cancels all that is not running.
func (r *run) halt(reason error) {
	r.stopped = reason
	r.line = nil
	for _, one := range r.nodes {
		if one.phase == delayed {
			r.delayed--
			r.unset(one)
		}
		if one.phase != running && one.phase != ended {
			one.phase = ended
			r.finish(one, Canceled, reason)
		}
	}
}

func (r *run) unset(one *node) {
	if one.stop != nil {
		one.stop()
		one.stop = nil
	}
}

// finish ends a job; those that waited for nothing else become ready.
func (r *run) finish(one *node, state State, err error) {
	one.phase = ended
	one.result.State, one.result.Err, one.result.Ended = state, err, r.clock.Now()
	r.left--
	r.watch(Event{Kind: Ended, Job: one.ID, Attempt: one.result.Attempts, State: state, Err: err})
	for _, other := range one.waiters {
		if other.needs[one.ID] && state != Succeeded {
			continue
		}
		other.blocked--
		if other.blocked == 0 && other.phase == waiting && r.stopped == nil {
			r.queue(other)
		}
	}
}
