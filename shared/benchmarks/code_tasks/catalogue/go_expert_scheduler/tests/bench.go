package main

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"

	"bells.example/foundry"
)

// manual is a clock that moves when it is told to.
type manual struct {
	mutex  sync.Mutex
	now    time.Duration
	timers map[int]timer
	next   int
}

type timer struct {
	at   time.Duration
	call func()
}

var epoch = time.Unix(5000000000, 0)

func (m *manual) Now() time.Time {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return epoch.Add(m.now)
}

func (m *manual) AfterFunc(d time.Duration, f func()) func() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.next++
	id := m.next
	m.timers[id] = timer{m.now + d, f}
	return func() {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		delete(m.timers, id)
	}
}

// due takes out the next timer until a time.
func (m *manual) due(end time.Duration) func() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	ids := []int{}
	for id, one := range m.timers {
		if one.at <= end {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		m.now = end
		return nil
	}
	sort.Slice(ids, func(i, j int) bool {
		a, b := m.timers[ids[i]], m.timers[ids[j]]
		return a.at < b.at || a.at == b.at && ids[i] < ids[j]
	})
	one := m.timers[ids[0]]
	delete(m.timers, ids[0])
	m.now = one.at
	return one.call
}

func (m *manual) pending() int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return len(m.timers)
}

type key struct{}

// bench runs jobs that end when we say so.
type bench struct {
	clock   *manual
	mutex   sync.Mutex
	held    map[string]chan string
	log     []string
	settled chan bool // true when the run has returned
	cancel  context.CancelFunc
	stopped bool
	active  map[string]bool
	over    bool
	results map[string]foundry.Result
	err     error
	names   []string
}

func (b *bench) release(id string) chan string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.held[id] == nil {
		b.held[id] = make(chan string, 1)
	}
	return b.held[id]
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return " " + err.Error()
}

// watch is called by the run only; we read the log when it has settled.
func (b *bench) watch(e foundry.Event) {
	if e.Job != "" && e.Kind != foundry.TimedOut {
		b.active[e.Job] = e.Kind == foundry.Started
	}
	switch e.Kind {
	case foundry.Settled:
		b.log = append(b.log, fmt.Sprintf("settled %d %d %d, %d timers", e.Running, e.Ready, e.Delayed, b.clock.pending()))
		b.settled <- false
	case foundry.Retrying:
		b.log = append(b.log, fmt.Sprintf("retrying %s %d %v%s", e.Job, e.Attempt, e.Delay, text(e.Err)))
	default:
		b.log = append(b.log, strings.TrimSpace(fmt.Sprintf("%s %s %d %s%s", e.Kind, e.Job, e.Attempt, e.State, text(e.Err))))
	}
}

// job makes a function that waits for its word.
func (b *bench) job(id string) func(context.Context, int) error {
	return func(ctx context.Context, attempt int) error {
		word := <-b.release(id)
		switch word {
		case "ok":
			return nil
		case "look":
			return fmt.Errorf("saw %v %v %v", ctx.Err(), ctx.Value(key{}), attempt)
		case "never":
			return fmt.Errorf("spoiled %s: %w", id, foundry.ErrPermanent)
		case "panic":
			panic("burst " + id)
		}
		return errors.New(word + " " + id)
	}
}

// begin starts a run of jobs such as "c needs=a,b uses=oven:2".
func begin(limits foundry.Limits, lines ...string) *bench {
	b := &bench{clock: &manual{timers: map[int]timer{}}, held: map[string]chan string{}, active: map[string]bool{}, log: []string{}, settled: make(chan bool, 1000)}
	jobs := []foundry.Job{}
	for _, line := range lines {
		job := parse(line)
		job.Run = b.job(job.ID)
		jobs = append(jobs, job)
		b.names = append(b.names, job.ID)
	}
	s, err := foundry.New(b.clock, limits, b.watch)
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, "bronze"))
	b.cancel = cancel
	go func() {
		b.results, b.err = s.Run(ctx, jobs)
		b.settled <- true
	}()
	b.over = <-b.settled
	return b
}

func parse(line string) foundry.Job {
	words := strings.Fields(line)
	job := foundry.Job{ID: words[0]}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		number := 0
		fmt.Sscan(value, &number)
		switch name {
		case "needs":
			job.Needs = strings.Split(value, ",")
		case "after":
			job.After = strings.Split(value, ",")
		case "priority":
			job.Priority = number
		case "attempts":
			job.Attempts = number
		case "backoff":
			job.Backoff = time.Duration(number) * time.Second
		case "timeout":
			job.Timeout = time.Duration(number) * time.Second
		case "uses":
			job.Uses = map[string]int{}
			for _, one := range strings.Split(value, ",") {
				resource, amount, _ := strings.Cut(one, ":")
				fmt.Sscan(amount, &number)
				job.Uses[resource] = number
			}
		}
	}
	return job
}

// play carries out steps such as "a ok", "pass 5" and "cancel", and tells what happened after each.
func (b *bench) play(steps ...string) []any {
	told := []any{b.take()}
	for _, step := range steps {
		if b.over {
			break
		}
		words := strings.Fields(step)
		switch {
		case words[0] == "cancel" && b.stopped, len(words) == 2 && words[0] != "pass" && !b.active[words[0]]:
			b.log = append(b.log, "not now: "+step)
		case words[0] == "cancel":
			b.stopped = true
			b.cancel()
			b.over = <-b.settled
		case words[0] == "pass":
			seconds := 0
			fmt.Sscan(words[1], &seconds)
			end := b.clock.now + time.Duration(seconds)*time.Second
			for call := b.clock.due(end); call != nil; call = b.clock.due(end) {
				go call()
				b.over = <-b.settled
			}
		default:
			b.release(words[0]) <- words[1]
			b.over = <-b.settled
		}
		told = append(told, b.take())
	}
	b.cancel()
	return append(told, b.end())
}

func (b *bench) take() []string {
	log := b.log
	b.log = []string{}
	return log
}

func (b *bench) end() []string {
	if !b.over {
		return []string{"still running"}
	}
	lines := []string{fmt.Sprintf("end%s, %d timers, %d results", text(b.err), b.clock.pending(), len(b.results))}
	for _, name := range b.names {
		r := b.results[name]
		begun := "never"
		if !r.Started.IsZero() {
			begun = r.Started.Sub(epoch).String()
		}
		lines = append(lines, fmt.Sprintf("%s %s %d %s %s%s", name, r.State, r.Attempts, begun, r.Ended.Sub(epoch), text(r.Err)))
	}
	return lines
}
