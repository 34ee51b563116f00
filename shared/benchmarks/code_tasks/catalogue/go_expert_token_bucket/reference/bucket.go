package bucket

import (
	"context"
	"math/big"
	"sync"
	"time"
)

// Bucket fills with tokens as time goes by.
type Bucket struct {
	clock Clock
	mutex sync.Mutex
	rate  Rate
	burst int64
	level *big.Rat
	at    time.Time
	queue []*waiter
	stop  func()
	round int
}

type waiter struct {
	n    int64
	done chan error
}

// Reservation is tokens that were taken ahead of time.
type Reservation struct {
	bucket  *Bucket
	n       int64
	made    time.Time
	delay   time.Duration
	settled bool
}

// New makes a full bucket.
func New(clock Clock, rate Rate, burst int64) (*Bucket, error) {
	if rate.Tokens < 1 || rate.Per < 1 {
		return nil, ErrRate
	}
	if burst < 1 {
		return nil, ErrBurst
	}
	return &Bucket{clock: clock, rate: rate, burst: burst, level: whole(burst), at: clock.Now(), stop: func() {}}, nil
}

// Allow takes tokens that are there.
func (b *Bucket) Allow(n int64) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if n <= 0 {
		return n == 0
	}
	b.fill()
	if len(b.queue) > 0 || n > b.burst || b.level.Cmp(whole(n)) < 0 {
		return false
	}
	b.take(n)
	return true
}

// Reserve takes tokens that may not be there yet.
func (b *Bucket) Reserve(n int64) (*Reservation, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if err := b.check(n); err != nil {
		return nil, err
	}
	if len(b.queue) > 0 && n > 0 {
		return nil, ErrBusy
	}
	b.fill()
	b.take(n)
	return &Reservation{bucket: b, n: n, made: b.at, delay: b.until(b.level, new(big.Rat))}, nil
}

// Wait takes tokens when its turn has come.
func (b *Bucket) Wait(ctx context.Context, n int64) error {
	me, err := b.join(ctx, n)
	if me == nil {
		return err
	}
	select {
	case err := <-me.done:
		return err
	case <-ctx.Done():
		return b.leave(me, ctx.Err())
	}
}

// Level is the number of whole tokens.
func (b *Bucket) Level() int64 {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.fill()
	floor := new(big.Int).Div(b.level.Num(), b.level.Denom())
	return floor.Int64()
}

// Waiting is how many wait.
func (b *Bucket) Waiting() int {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return len(b.queue)
}

// SetRate changes the rate.
func (b *Bucket) SetRate(rate Rate) error {
	if rate.Tokens < 1 || rate.Per < 1 {
		return ErrRate
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.fill()
	b.rate = rate
	b.serve()
	return nil
}

// SetBurst changes the burst.
func (b *Bucket) SetBurst(burst int64) error {
	if burst < 1 {
		return ErrBurst
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.fill()
	b.burst = burst
	b.cut()
	var kept []*waiter
	for _, one := range b.queue {
		if one.n > burst {
			one.done <- ErrTooMany
		} else {
			kept = append(kept, one)
		}
	}
	b.queue = kept
	b.serve()
	return nil
}

// Delay is how long to wait before the tokens may be used.
func (r *Reservation) Delay() time.Duration { return r.delay }

// Cancel gives the tokens back.
func (r *Reservation) Cancel() bool {
	b := r.bucket
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.fill()
	passed := b.at.Sub(r.made)
	if r.settled || passed >= r.delay && passed > 0 {
		return false
	}
	r.settled = true
	b.level.Add(b.level, whole(r.n))
	b.cut()
	b.serve()
	return true
}

func (b *Bucket) check(n int64) error {
	if n > b.burst {
		return ErrTooMany
	}
	if n < 0 {
		return ErrNegative
	}
	return nil
}

// join puts a waiter in line; none where there is nothing to wait for.
func (b *Bucket) join(ctx context.Context, n int64) (*waiter, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if err := b.check(n); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.fill()
	if deadline, ok := ctx.Deadline(); ok && b.turn(n) > deadline.Sub(b.at) {
		return nil, context.DeadlineExceeded
	}
	me := &waiter{n: n, done: make(chan error, 1)}
	b.queue = append(b.queue, me)
	b.serve()
	return me, nil
}

// turn is how long it takes until n tokens behind all others in line are there.
func (b *Bucket) turn(n int64) time.Duration {
	level := new(big.Rat).Set(b.level)
	var wait time.Duration
	for _, one := range append(append([]*waiter(nil), b.queue...), &waiter{n: n}) {
		step := b.until(level, whole(one.n))
		wait += step
		level.Add(level, b.grown(step))
		if level.Cmp(whole(b.burst)) > 0 {
			level = whole(b.burst)
		}
		level.Sub(level, whole(one.n))
	}
	return wait
}

func (b *Bucket) leave(me *waiter, reason error) error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for i, one := range b.queue {
		if one == me {
			b.queue = append(b.queue[:i], b.queue[i+1:]...)
			b.fill()
			b.serve()
			return reason
		}
	}
	return <-me.done
}

// serve lets those go whose turn has come, and sets the timer for the next.
func (b *Bucket) serve() {
	b.stop()
	b.stop = func() {}
	b.round++
	for len(b.queue) > 0 {
		first := b.queue[0]
		delay := b.until(b.level, whole(first.n))
		if delay > 0 {
			round := b.round
			b.stop = b.clock.AfterFunc(delay, func() { b.wake(round) })
			return
		}
		b.take(first.n)
		b.queue = b.queue[1:]
		first.done <- nil
	}
}

func (b *Bucket) wake(round int) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.round == round {
		b.fill()
		b.serve()
	}
}

func (b *Bucket) take(n int64) { b.level.Sub(b.level, whole(n)) }

// fill brings the level up to now.
func (b *Bucket) fill() {
	now := b.clock.Now()
	if !now.After(b.at) {
		return
	}
	b.level.Add(b.level, b.grown(now.Sub(b.at)))
	b.at = now
	b.cut()
}

func (b *Bucket) cut() {
	if most := whole(b.burst); b.level.Cmp(most) > 0 {
		b.level = most
	}
}

func (b *Bucket) grown(d time.Duration) *big.Rat {
	grown := big.NewRat(b.rate.Tokens, int64(b.rate.Per))
	return grown.Mul(grown, whole(int64(d)))
}

// until is how long it takes from one level to another, rounded up.
func (b *Bucket) until(from, to *big.Rat) time.Duration {
	missing := new(big.Rat).Sub(to, from)
	if missing.Sign() <= 0 {
		return 0
	}
	missing.Mul(missing, big.NewRat(int64(b.rate.Per), b.rate.Tokens))
	quotient, rest := new(big.Int).DivMod(missing.Num(), missing.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		quotient.Add(quotient, big.NewInt(1))
	}
	return time.Duration(quotient.Int64())
}

func whole(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }
