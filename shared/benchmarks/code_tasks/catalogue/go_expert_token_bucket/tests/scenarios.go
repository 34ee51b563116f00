package main

import (
	"context"
	"runtime"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"ferry.example/bucket"
)

var scenarios = map[string]func(){"taking": taking, "reserving": reserving, "waiting": waiting}

// manual is a clock that moves when it is told to.
type manual struct {
	mutex  sync.Mutex
	now    time.Time
	timers map[int]timer
	next   int
}

type timer struct {
	at   time.Time
	call func()
}

func newManual() *manual { return &manual{now: time.Unix(4000000000, 0), timers: map[int]timer{}} }

func (m *manual) Now() time.Time {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.now
}

func (m *manual) AfterFunc(d time.Duration, f func()) func() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.next++
	id := m.next
	m.timers[id] = timer{m.now.Add(d), f}
	return func() {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		delete(m.timers, id)
	}
}

// pass lets time go by; timers are called at their times.
func (m *manual) pass(d time.Duration) {
	m.mutex.Lock()
	end := m.now.Add(d)
	for {
		ids := []int{}
		for id, one := range m.timers {
			if !one.at.After(end) {
				ids = append(ids, id)
			}
		}
		if len(ids) == 0 {
			break
		}
		sort.Slice(ids, func(i, j int) bool {
			a, b := m.timers[ids[i]], m.timers[ids[j]]
			return a.at.Before(b.at) || a.at.Equal(b.at) && ids[i] < ids[j]
		})
		one := m.timers[ids[0]]
		delete(m.timers, ids[0])
		if one.at.After(m.now) {
			m.now = one.at
		}
		m.mutex.Unlock()
		one.call()
		settle()
		m.mutex.Lock()
	}
	m.now = end
	m.mutex.Unlock()
	settle()
}

// quiet tells whether all goroutines have done what they could.
var quiet = func() bool { return true }

// settle waits until others have noticed.
func settle() {
	for runtime.Gosched(); !quiet(); runtime.Gosched() {
		time.Sleep(100 * time.Microsecond)
	}
}

func open(clock *manual, tokens int64, per time.Duration, burst int64) *bucket.Bucket {
	b, err := bucket.New(clock, bucket.Rate{Tokens: tokens, Per: per}, burst)
	if err != nil {
		panic(err)
	}
	return b
}

func text(err error) string {
	if err == nil {
		return "ok"
	}
	return err.Error()
}

func taking() {
	clock := newManual()
	b := open(clock, 3, time.Second, 5)
	steps := []any{}
	for _, n := range []int64{0, -1, 6, 2, 3, 1, 0} {
		steps = append(steps, b.Allow(n), b.Level())
	}
	observe("begin", steps)
	steps = []any{}
	for _, d := range []time.Duration{333333333, 1, 333333332, 1, 333333333, 1, time.Second, 10 * time.Second} {
		clock.pass(d)
		steps = append(steps, b.Level(), b.Allow(1), b.Level())
	}
	observe("thirds", steps)
	clock = newManual()
	b = open(clock, 7, 11*time.Nanosecond, 1000000)
	b.Allow(1000000)
	taken := 0
	for i := 0; i < 11000; i++ {
		clock.mutex.Lock()
		clock.now = clock.now.Add(time.Duration(i%3 + 1))
		clock.mutex.Unlock()
		if b.Allow(int64(i%2 + 1)) {
			taken += i%2 + 1
		}
	}
	observe("exact", []any{taken, b.Level()})
	clock = newManual()
	b = open(clock, 1000000000, 24*time.Hour, 1000000000)
	b.Allow(1000000000)
	steps = []any{}
	for _, d := range []time.Duration{1, 86399, 1, 1, time.Hour, 23 * time.Hour, 100 * 365 * 24 * time.Hour} {
		clock.pass(d)
		steps = append(steps, b.Level())
	}
	b.Allow(999999999)
	clock.pass(-time.Hour)
	steps = append(steps, b.Level())
	clock.pass(time.Hour - 1)
	steps = append(steps, b.Level())
	clock.pass(86401)
	observe("far", append(steps, b.Level()))
	refused := []string{}
	for _, one := range []struct {
		rate  bucket.Rate
		burst int64
	}{{bucket.Rate{Tokens: 0, Per: 1}, 1}, {bucket.Rate{Tokens: 1, Per: 0}, 0}, {bucket.Rate{Tokens: -1, Per: -1}, 1}, {bucket.Rate{Tokens: 1, Per: 1}, 0}, {bucket.Rate{Tokens: 1, Per: 1}, 1}} {
		_, err := bucket.New(clock, one.rate, one.burst)
		refused = append(refused, text(err))
	}
	observe("refused", refused)
	clock = newManual()
	b = open(clock, 10, time.Second, 10)
	b.Allow(10)
	clock.pass(450 * time.Millisecond)
	steps = []any{text(b.SetRate(bucket.Rate{Tokens: 0, Per: 1})), text(b.SetBurst(0)), text(b.SetRate(bucket.Rate{Tokens: 1, Per: time.Second})), b.Level()}
	clock.pass(500 * time.Millisecond)
	steps = append(steps, b.Level(), text(b.SetBurst(3)), b.Level(), text(b.SetBurst(20)), b.Level(), b.Allow(4))
	clock.pass(time.Minute)
	observe("setting", append(steps, b.Level()))
}

func reserving() {
	clock := newManual()
	b := open(clock, 4, time.Second, 6)
	var made []*bucket.Reservation
	steps := []any{}
	for _, n := range []int64{0, 6, 1, 3, 0, 6} {
		r, err := b.Reserve(n)
		if err != nil {
			panic(err)
		}
		made = append(made, r)
		steps = append(steps, int64(r.Delay()), b.Level(), b.Allow(1), b.Allow(0))
	}
	_, many := b.Reserve(7)
	_, negative := b.Reserve(-1)
	observe("reserve", append(steps, text(many), text(negative)))
	steps = []any{made[3].Cancel(), b.Level(), made[3].Cancel(), b.Level()}
	clock.pass(250*time.Millisecond - 1)
	steps = append(steps, made[2].Cancel(), b.Level())
	clock.pass(1)
	steps = append(steps, made[1].Cancel(), made[0].Cancel(), int64(made[5].Delay()), b.Level())
	r, _ := b.Reserve(1)
	clock.pass(10 * time.Second)
	steps = append(steps, int64(r.Delay()), r.Cancel(), b.Level())
	now, _ := b.Reserve(2)
	steps = append(steps, b.Level(), now.Cancel(), b.Level(), now.Cancel())
	now, _ = b.Reserve(2)
	clock.pass(1)
	observe("cancel", append(steps, now.Cancel(), b.Level()))
	clock = newManual()
	b = open(clock, 3, 10*time.Nanosecond, 5)
	delays := []int64{}
	for i := 0; i < 12; i++ {
		r, _ := b.Reserve(int64(i%4 + 1))
		delays = append(delays, int64(r.Delay()), b.Level())
		clock.pass(time.Duration(i % 3))
	}
	observe("rounded_up", delays)
	clock = newManual()
	b = open(clock, 1, 24*time.Hour, 1000000000)
	b.Reserve(1000000000)
	r, _ = b.Reserve(100)
	b.SetRate(bucket.Rate{Tokens: 1000000000, Per: time.Nanosecond})
	clock.pass(time.Nanosecond)
	observe("slow", []any{r.Delay().String(), b.Level()})
}

func waiting() {
	clock := newManual()
	b := open(clock, 2, time.Second, 4)
	var mutex sync.Mutex
	ended := []string{}
	start := clock.Now()
	cancels := map[string]func(){}
	asked, all := 0, 0
	quiet = func() bool {
		mutex.Lock()
		defer mutex.Unlock()
		return b.Waiting()+all == asked
	}
	ask := func(name string, n int64, deadline time.Duration) {
		ctx, cancel := context.WithCancel(context.Background())
		if deadline != 0 {
			ctx, cancel = context.WithDeadline(ctx, clock.Now().Add(deadline))
		}
		cancels[name] = func() {
			before := b.Waiting()
			cancel()
			for i := 0; i < 1000 && b.Waiting() == before; i++ {
				time.Sleep(100 * time.Microsecond)
			}
		}
		mutex.Lock()
		asked++
		mutex.Unlock()
		go func() {
			err := b.Wait(ctx, n)
			mutex.Lock()
			all++
			ended = append(ended, name+" "+text(err)+" @"+clock.Now().Sub(start).String())
			mutex.Unlock()
		}()
		settle()
	}
	look := func() []any {
		settle()
		mutex.Lock()
		defer mutex.Unlock()
		sort.Strings(ended)
		result := []any{append([]string{}, ended...), b.Waiting(), b.Level()}
		ended = ended[:0]
		return result
	}
	steps := []any{}
	step := func(d time.Duration) { clock.pass(d); steps = append(steps, look()) }
	ask("a", 3, 0)
	ask("b", 4, 0)
	ask("c", 1, 0)
	ask("d", 0, 0)
	ask("e", 5, 0)
	ask("f", -1, 0)
	step(0)
	_, busy := b.Reserve(1)
	_, tooMany := b.Reserve(9)
	free, notBusy := b.Reserve(0)
	steps = append(steps, b.Allow(1), b.Allow(0), text(busy), text(tooMany), text(notBusy), free != nil)
	for i := 0; i < 5; i++ {
		step(499 * time.Millisecond)
	}
	observe("order", steps)
	steps = []any{}
	step(time.Second)
	ask("g", 4, 0)
	ask("h", 4, 0)
	ask("i", 1, 0)
	step(time.Second)
	cancels["h"]()
	step(0)
	cancels["g"]()
	step(0)
	step(time.Second)
	observe("leaving", steps)
	steps = []any{}
	step(10 * time.Second)
	ask("j", 4, time.Second)
	ask("k", 2, 999*time.Millisecond)
	ask("l", 2, time.Second)
	ask("m", 1, 1499*time.Millisecond)
	ask("n", 1, 1500*time.Millisecond)
	step(0)
	step(time.Second)
	step(500 * time.Millisecond)
	observe("deadlines", steps)
	steps = []any{}
	ask("o", 4, 0)
	ask("p", 2, 0)
	step(500 * time.Millisecond)
	b.SetRate(bucket.Rate{Tokens: 30, Per: time.Second})
	step(50 * time.Millisecond)
	step(50 * time.Millisecond)
	step(100 * time.Millisecond)
	b.SetRate(bucket.Rate{Tokens: 1, Per: time.Second})
	clock.pass(time.Minute)
	ask("q", 4, 0)
	ask("r", 4, 0)
	ask("s", 2, 0)
	step(time.Second)
	b.SetBurst(3)
	step(0)
	step(time.Second)
	b.SetBurst(10)
	ask("t", 9, 0)
	step(8 * time.Second)
	step(time.Second)
	observe("setting", steps)
	steps = []any{}
	clock.pass(time.Minute)
	r, _ := b.Reserve(10)
	late, _ := b.Reserve(5)
	ask("u", 2, 0)
	step(time.Second)
	steps = append(steps, r.Cancel(), late.Cancel(), late.Cancel())
	step(0)
	step(time.Second)
	done, cancel := context.WithCancel(context.Background())
	cancel()
	steps = append(steps, text(b.Wait(done, 1)), text(b.Wait(done, 99)), b.Waiting(), len(clock.timers))
	observe("reserved", steps)
	quiet = func() bool { return true }
	clock = newManual()
	b = open(clock, 1000, time.Second, 5)
	start = clock.Now()
	var group sync.WaitGroup
	var served int64
	for i := 0; i < 60; i++ {
		group.Add(1)
		go func(n int64) {
			defer group.Done()
			b.Wait(context.Background(), n)
			atomic.AddInt64(&served, 1)
		}(int64(i%3 + 1))
	}
	// How many are served at once hangs on who comes first; all of them have come.
	for b.Waiting()+int(atomic.LoadInt64(&served)) < 60 {
		settle()
	}
	passed := 0
	for ; b.Waiting() > 0; passed++ {
		clock.pass(time.Millisecond)
	}
	group.Wait()
	observe("crowd", []string{strconv.Itoa(passed), strconv.FormatInt(b.Level(), 10)})
}
