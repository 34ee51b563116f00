package main

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tiles.example/cache"
)

var scenarios = map[string]func(){"recency": recency, "expiry": expiry, "loading": loading}

// bench is a cache of strings that cost their length, with a clock of ours and a list of what left.
type bench struct {
	*cache.Cache[string, string]
	now   time.Time
	left  []string
	costs int
}

func open(max int64, ttl time.Duration) *bench {
	b := &bench{now: time.Unix(1000, 0)}
	made, err := cache.New(cache.Options[string, string]{
		MaxCost: max, TTL: ttl,
		Cost: func(_, value string) int64 {
			b.costs++
			return int64(len(value)) - int64(strings.Count(value, "-"))*100
		},
		Clock: func() time.Time { return b.now },
		OnEvict: func(key, value string, reason cache.Reason) {
			b.left = append(b.left, key+"="+value+" "+string(reason))
		},
	})
	if err != nil {
		panic(err)
	}
	b.Cache = made
	return b
}

// do carries out commands such as "put a xxx", and writes down what they said.
func (b *bench) do(script string) []string {
	said := []string{}
	for _, line := range strings.Split(script, ";") {
		words := strings.Fields(line)
		b.left = nil
		text := strings.Join(words, " ") + ":"
		show := func(value string, ok bool) { text += " " + value + " " + strconv.FormatBool(ok) }
		switch words[0] {
		case "put":
			show("", b.Put(words[1], strings.Join(words[2:], "")))
		case "ttl":
			seconds, _ := strconv.Atoi(words[1])
			show("", b.PutTTL(words[2], words[3], time.Duration(seconds)*time.Second))
		case "get":
			show(b.Get(words[1]))
		case "peek":
			show(b.Peek(words[1]))
		case "delete":
			show("", b.Delete(words[1]))
		case "purge":
			text += " " + strconv.Itoa(b.Purge())
		case "clear":
			b.Clear()
		case "resize":
			max, _ := strconv.Atoi(words[1])
			if err := b.Resize(int64(max)); err != nil {
				text += " " + err.Error()
			}
		case "wait":
			seconds, _ := strconv.ParseFloat(words[1], 64)
			b.now = b.now.Add(time.Duration(seconds * float64(time.Second)))
		case "load":
			value, err := b.Load(words[1], func(key string) (string, error) {
				if len(words) < 3 {
					return "lost", errors.New("no tile " + key)
				}
				return words[2], nil
			})
			text += " " + value
			if err != nil {
				text += " " + err.Error()
			}
		}
		text += " | " + strings.Join(b.Keys(), "") + " " + strconv.Itoa(b.Len()) + " " + strconv.FormatInt(b.Cost(), 10)
		if len(b.left) > 0 {
			text += " | " + strings.Join(b.left, ", ")
		}
		said = append(said, text)
	}
	return said
}

func (b *bench) counts() []int64 {
	s := b.Stats()
	return []int64{s.Hits, s.Misses, s.Evictions, s.Expirations, s.Loads, s.LoadFailures, int64(b.costs)}
}

func recency() {
	for i, script := range []string{
		"get a;put a x;put b x;put c x;get a;put d x;peek b;get b;put e x",
		"put a x;put b x;put c x;peek a;put d x;put b yy;put c yyy;put b z;delete c;delete c;get b",
		"put a xxx;put b;put c;get b;put d x;put e;clear;put f xxx;clear;clear",
		"put a xxxx;put b x;put b xxxxx;put b -;put c x;put a -;put a xxx;put c xx",
		"put a x;put b x;put c x;resize 2;resize 0;resize -5;resize 5;put d xxx;resize 1;put e xx;put e x",
		"put a x;put b x;load a yy;load c x;load d;load d xxx;load e xxxx;load a xx;load a zz;get e",
	} {
		b := open(3, 0)
		observe("script_"+strconv.Itoa(i), []any{b.do(script), b.counts()})
	}
	plain, err := cache.New(cache.Options[int, string]{MaxCost: 2})
	evens := 0
	for i := 0; i < 6; i++ {
		plain.Put(i%4, strconv.Itoa(i))
		if _, ok := plain.Get(i % 2); ok {
			evens++
		}
	}
	_, noCost := cache.New(cache.Options[int, int]{TTL: -1})
	_, noTTL := cache.New(cache.Options[int, int]{MaxCost: 1, TTL: -1})
	observe("plain", []any{err == nil, plain.Keys(), plain.Cost(), evens, noCost == cache.ErrMaxCost, noTTL == cache.ErrTTL, plain.Stats()})
	state := uint64(9)
	b := open(40, 20*time.Second)
	var digest uint64
	for i := 0; i < 20000; i++ {
		state = state*6364136223846793005 + 1442695040888963407
		word := "k" + strconv.Itoa(int(state>>33)%25)
		value := strings.Repeat("v", int(state>>40)%9)
		lines := b.do([]string{"put " + word + " " + value, "get " + word, "peek " + word, "delete " + word, "wait 0.5", "get " + word, "ttl 3 " + word + " xx", "load " + word + " y"}[int(state>>50)%8])
		for _, r := range lines[0] {
			digest = digest*1099511628211 + uint64(r)
		}
	}
	observe("many", []any{strconv.FormatUint(digest, 36), b.counts(), b.do("purge")})
	inside := open(2, 0)
	var seen []string
	nested, _ := cache.New(cache.Options[string, int]{MaxCost: 2, OnEvict: func(key string, value int, reason cache.Reason) {
		seen = append(seen, key+strconv.Itoa(inside.Len())+strconv.Itoa(value)+string(reason))
		inside.Put(key, "x")
	}})
	for i := 0; i < 5; i++ {
		nested.Put(strconv.Itoa(i), i)
	}
	var self *cache.Cache[int, int]
	rounds := 0
	self, _ = cache.New(cache.Options[int, int]{MaxCost: 1, OnEvict: func(key, value int, _ cache.Reason) {
		if rounds++; rounds < 5 {
			self.Put(key+10, value)
		}
	}})
	self.Put(1, 1)
	self.Put(2, 2)
	observe("callbacks", []any{seen, inside.Keys(), rounds, self.Keys()})
}

func expiry() {
	for i, script := range []string{
		"put a x;wait 9.5;get a;wait 0.5;get a;put a y;wait 10;peek a;peek a",
		"ttl 5 a x;ttl 0 b x;put c x;wait 5;put d x;wait 100;put e x;put f x;put g x;get b",
		"ttl 5 a x;put b x;ttl 4 c x;get a;wait 6;put d x;put e xx;put f x",
		"ttl -1 a x;put a x;ttl -1 a y;ttl 1 a z;wait 1;put a w;wait 10;delete a;delete a",
		"ttl 2 a x;ttl 1 b x;ttl 3 c x;wait 2;purge;purge;wait 1;clear;ttl 1 d x;put e x;wait 1;clear",
		"ttl 2 a x;put b x;put c x;wait 2;resize 2;resize 1;load a y;wait 10;load a z;load b;put a xxxx",
		"ttl 1 a xx;put b x;wait 1;put c xxx;put a -",
	} {
		b := open(3, 10*time.Second)
		observe("script_"+strconv.Itoa(i), []any{b.do(script), b.counts()})
	}
}

func loading() {
	b, _ := cache.New(cache.Options[string, int]{MaxCost: 10})
	broken := errors.New("broken tile")
	// crowd lets many ask for a key while one loader is held, and tells what they got.
	crowd := func(key string, during func(), end func() (int, error)) []any {
		entered, release := make(chan bool), make(chan bool)
		var calls, waiting atomic.Int64
		var group sync.WaitGroup
		results := make([]string, 9)
		ask := func(i int) {
			defer group.Done()
			defer func() {
				if value := recover(); value != nil {
					results[i] = "panic"
				}
			}()
			waiting.Add(1)
			value, err := b.Load(key, func(string) (int, error) {
				if calls.Add(1) == 1 {
					close(entered)
					<-release
					return end()
				}
				return 1000, nil
			})
			results[i] = strconv.Itoa(value)
			if err != nil {
				results[i] = err.Error()
			}
		}
		group.Add(1)
		go ask(0)
		<-entered
		before := b.Stats().Misses
		for i := 1; i < 9; i++ {
			group.Add(1)
			go ask(i)
		}
		for b.Stats().Misses < before+8 {
			time.Sleep(time.Millisecond)
		}
		during()
		close(release)
		group.Wait()
		value, ok := b.Peek(key)
		return []any{results, calls.Load(), value, ok}
	}
	nothing := func() {}
	good := func() (int, error) { return 7, nil }
	observe("shared", crowd("a", nothing, good))
	observe("failed", crowd("b", nothing, func() (int, error) { return 5, broken }))
	observe("panicked", crowd("c", nothing, func() (int, error) { panic("torn") }))
	observe("put_meanwhile", crowd("d", func() { b.Put("d", 70) }, good))
	observe("deleted_meanwhile", crowd("e", func() { b.Delete("e") }, good))
	observe("cleared_meanwhile", crowd("f", func() { b.Clear() }, good))
	observe("put_and_deleted", crowd("g", func() { b.Put("g", 1); b.Delete("g") }, good))
	var second int
	var order []string
	observe("load_again", []any{crowd("h", func() {
		b.Delete("h")
		second, _ = b.Load("h", func(string) (int, error) { order = append(order, "second"); return 8, nil })
	}, func() (int, error) { order = append(order, "first"); return 7, nil }), second, order})
	observe("other_put", crowd("i", func() { b.Put("j", 5); b.Delete("a") }, good))
	s := b.Stats()
	observe("counts", []int64{s.Hits, s.Misses, s.Loads, s.LoadFailures})
	nested, err := b.Load("outer", func(string) (int, error) {
		inner, err := b.Load("inner", func(string) (int, error) { return 20, nil })
		return inner + 1, err
	})
	observe("nested", []any{nested, err == nil, b.Keys()[:2]})
	small, _ := cache.New(cache.Options[int, int]{MaxCost: 5, Cost: func(_, v int) int64 { return int64(v) }})
	large, err := small.Load(1, func(int) (int, error) { return 9, nil })
	observe("too_large", []any{large, err == nil, small.Len(), small.Stats()})
	shared, _ := cache.New(cache.Options[int, int]{MaxCost: 50})
	var group sync.WaitGroup
	var wrong atomic.Int64
	for worker := 0; worker < 8; worker++ {
		group.Add(1)
		go func(worker int) {
			defer group.Done()
			for i := 0; i < 3000; i++ {
				key := (i*7 + worker*13) % 90
				switch i % 5 {
				case 0:
					shared.Put(key, key*2)
				case 1:
					shared.Delete(key)
				case 2:
					if value, err := shared.Load(key, func(k int) (int, error) { return k * 2, nil }); err != nil || value != key*2 {
						wrong.Add(1)
					}
				default:
					if value, ok := shared.Get(key); ok && value != key*2 {
						wrong.Add(1)
					}
				}
				if shared.Len() > 50 {
					wrong.Add(1)
				}
			}
		}(worker)
	}
	group.Wait()
	all := shared.Stats()
	observe("together", []any{wrong.Load(), all.Hits + all.Misses, shared.Cost() == int64(len(shared.Keys()))})
}
