package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"bells.example/foundry"
)

var scenarios = map[string]func(){"order": order, "failure": failure, "limits": limits}

func workers(n int) foundry.Limits { return foundry.Limits{Workers: n} }

func order() {
	b := begin(workers(2), "a", "b priority=1", "c needs=a,b", "d priority=-1", "e needs=c,d priority=5", "f priority=5", "g priority=4")
	observe("urgency", b.play("a ok", "b ok", "d ok", "f ok", "c ok", "e ok", "g ok"))
	b = begin(workers(1), "z after=y priority=1", "y needs=x,x", "w priority=1 needs=v", "v", "x", "u", "t after=u,u needs=u priority=2", "s priority=1")
	observe("line", b.play("u ok", "t ok", "v ok", "w ok", "x ok", "y ok", "z ok", "s ok"))
	b = begin(workers(9), "last after=m,n,o", "m", "n needs=m", "o needs=n after=p", "p", "q needs=o after=n")
	observe("waves", b.play("p ok", "m bad", "last look"))
	b = begin(workers(9))
	observe("nothing", b.play())
	lines := []string{}
	for i := 0; i < 30; i++ {
		line := fmt.Sprintf("j%d priority=%d", i, i*7%5)
		if i > 4 {
			line += fmt.Sprintf(" needs=j%d,j%d", i*i%(i-2), i-5)
		}
		lines = append(lines, line)
	}
	b = begin(workers(1), lines...)
	steps := []any{}
	for i := 0; i < 30 && !b.over; i++ {
		for _, line := range b.take() {
			id := ""
			if n, _ := fmt.Sscanf(line, "started %s", &id); n == 1 {
				steps = append(steps, id)
				b.release(id) <- "ok"
			}
		}
		b.over = <-b.settled
	}
	observe("mesh", []any{steps, b.end()[0]})
	s, _ := foundry.New(&manual{timers: map[int]timer{}}, workers(4), nil)
	jobs := []foundry.Job{}
	var sum int64
	for i := 0; i < 50000; i++ {
		i := i
		job := foundry.Job{ID: fmt.Sprint("k", i), Priority: i % 3, Run: func(context.Context, int) error { atomic.AddInt64(&sum, int64(i)); return nil }}
		if i%10 != 0 {
			job.Needs = []string{fmt.Sprint("k", i-1)}
		}
		if i >= 25000 {
			job.After = []string{fmt.Sprint("k", i-1)}
		}
		jobs = append(jobs, job)
	}
	results, err := s.Run(context.Background(), jobs)
	observe("many", []any{len(results), sum, text(err), results["k49999"].State, results["k7"].Attempts})
}

func failure() {
	b := begin(workers(3), "a attempts=3 backoff=2", "b needs=a", "c attempts=2", "d needs=c after=a", "e after=d", "f needs=b,d")
	observe("retries", b.play("a bad", "c look", "pass 1", "c look", "pass 1", "a bad", "pass 3", "pass 1", "a look", "e ok"))
	b = begin(workers(2), "a attempts=4 backoff=1 priority=1", "b attempts=9", "c needs=b,a", "d attempts=2", "e needs=c after=d", "f after=c")
	observe("backoff", b.play("a bad", "b never", "d panic", "pass 1", "f ok", "d bad", "a bad", "pass 2", "a panic", "pass 4", "a ok"))
	b = begin(workers(1), "a attempts=70 backoff=5000000000", "b")
	observe("longest", b.play("a bad", "b ok", "pass 5000000000", "a bad", "cancel"))
	b = begin(workers(2), "a timeout=5 attempts=2 backoff=3", "b timeout=5", "c needs=b", "d timeout=1 after=b")
	observe("timeouts", b.play("pass 4", "pass 1", "a ok", "pass 1", "b look", "d ok", "pass 2", "pass 4", "a ok"))
	b = begin(workers(2), "a timeout=5", "b attempts=2 timeout=4", "c attempts=2 backoff=9 timeout=1", "d needs=c", "e after=a", "f")
	observe("cancel", b.play("a ok", "c look", "pass 1", "cancel", "b look", "e ok"))
	b = begin(workers(3), "a attempts=3 timeout=7", "b", "c", "d needs=a", "e", "f after=e")
	observe("cancel_running", b.play("cancel", "b ok", "a look", "c bad"))
	b = begin(workers(1), "a")
	observe("cancel_last", b.play("cancel", "a ok"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, _ := foundry.New(&manual{timers: map[int]timer{}}, workers(1), nil)
	said := []any{}
	for _, jobs := range [][]foundry.Job{nil, {{ID: "a", Run: func(context.Context, int) error { return nil }}}} {
		results, err := s.Run(ctx, jobs)
		said = append(said, len(results), text(err), results["a"].State, results["a"].Attempts, text(results["a"].Err))
	}
	observe("before", said)
}

func limits() {
	refused := []string{}
	for _, one := range []foundry.Limits{{}, {Workers: -1, MaxFailures: -1}, {Workers: 1, MaxFailures: -1}, {Workers: 1, Resources: map[string]int{"a": 0, "b": -1}}, {Workers: 1, Resources: map[string]int{"a": 0}}} {
		_, err := foundry.New(&manual{timers: map[int]timer{}}, one, nil)
		refused = append(refused, text(err))
	}
	s, _ := foundry.New(&manual{timers: map[int]timer{}}, foundry.Limits{Workers: 1, Resources: map[string]int{"oven": 2}}, nil)
	for _, lines := range [][]string{
		{"a needs=x", "b", "a"}, {"a", "- attempts=-1"}, {"a uses=oven:3", "b needs=x"}, {"a needs=b uses=oven:2", "b uses=pit:1"}, {"a uses=pit:0 after=x attempts=-1"}, {"a uses=oven:-1"}, {"a uses=oven:9 after=x"}, {"a backoff=-1"}, {"a timeout=-1", "nil"},
		{"nil attempts=-1 needs=x", "b timeout=-1"}, {"a needs=a"}, {"a needs=b", "b needs=d", "c needs=b", "d after=c"}, {"a needs=b", "b after=b"}, {"a", "b needs=a after=c", "c needs=b"},
	} {
		jobs := []foundry.Job{}
		for _, line := range lines {
			job := parse(line)
			if job.ID == "-" {
				job.ID = ""
			}
			if job.ID != "nil" {
				job.Run = func(context.Context, int) error { return nil }
			}
			jobs = append(jobs, job)
		}
		results, err := s.Run(context.Background(), jobs)
		var which *foundry.JobError
		refused = append(refused, fmt.Sprint(results == nil, errors.As(err, &which), text(err)))
	}
	observe("refused", refused)
	hall := foundry.Limits{Workers: 4, Resources: map[string]int{"oven": 3, "crane": 1}}
	b := begin(hall, "a uses=oven:2", "b uses=oven:2,crane:1", "c uses=oven:1", "d uses=crane:1", "e", "f uses=oven:0,crane:0", "g uses=crane:1 priority=-1")
	observe("resources", b.play("e ok", "f ok", "a ok", "b ok", "c ok", "d ok", "g ok"))
	b = begin(hall, "a uses=oven:3", "b uses=crane:1", "c uses=oven:1,crane:1", "d uses=oven:1", "e uses=crane:1 attempts=2 backoff=5", "f", "g priority=1 needs=b uses=oven:3")
	observe("passing", b.play("b ok", "a ok", "f ok", "g ok", "c ok", "e bad", "d ok", "pass 5", "e ok"))
	b = begin(foundry.Limits{Workers: 2, Resources: map[string]int{"mould": 2}}, "a uses=mould:1", "b uses=mould:2 priority=-1", "c uses=mould:1", "d uses=mould:1 needs=a", "e uses=mould:2 priority=9 needs=a")
	observe("starving", b.play("a ok", "c ok", "e ok", "d ok", "b ok"))
	b = begin(foundry.Limits{Workers: 4, MaxFailures: 2}, "a attempts=3", "b attempts=2 backoff=4", "c timeout=6", "d needs=a", "e attempts=3", "f", "g after=f", "h needs=f")
	observe("too_many", b.play("b bad", "a never", "c ok", "f bad", "pass 6", "e look"))
	b = begin(foundry.Limits{Workers: 3, MaxFailures: 1}, "a", "b timeout=3", "c timeout=9", "d")
	observe("stopped_twice", b.play("a bad", "pass 3", "cancel", "b ok", "c look"))
	b = begin(foundry.Limits{Workers: 3, MaxFailures: 1}, "a", "b needs=a")
	observe("stopped_last", b.play("a bad"))

	var running, most int64
	var barrier sync.Mutex
	arrived := map[int]chan bool{}
	jobs := []foundry.Job{}
	var place int64 = -1
	for i := 0; i < 40; i++ {
		jobs = append(jobs, foundry.Job{ID: fmt.Sprint(i), Attempts: 2, Run: func(_ context.Context, attempt int) error {
			barrier.Lock()
			running++
			if running > most {
				most = running
			}
			place++
			group := int(place / 5)
			if arrived[group] == nil {
				arrived[group] = make(chan bool)
			}
			gate := arrived[group]
			if place%5 == 4 {
				close(gate)
			}
			barrier.Unlock()
			<-gate // goes on when five are here
			barrier.Lock()
			running--
			barrier.Unlock()
			if attempt == 1 {
				return errors.New("again")
			}
			return nil
		}})
	}
	counts := map[foundry.Kind]int{}
	parallel, _ := foundry.New(&manual{timers: map[int]timer{}}, workers(5), func(e foundry.Event) { counts[e.Kind]++ })
	results, err := parallel.Run(context.Background(), jobs)
	attempts := 0
	for _, one := range results {
		attempts += one.Attempts
	}
	observe("parallel", []any{most, attempts, text(err), counts})
}
