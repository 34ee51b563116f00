package main

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing/iotest"
	"time"

	"lighthouse.example/chores/command"
	"lighthouse.example/chores/todo"
)

var scenarios = map[string]func(){"service": service, "commands": commands}

// ticking is a clock that moves by a second each time it is read.
func ticking() func() time.Time {
	var mutex sync.Mutex
	now := time.Unix(1900000000, 0)
	return func() time.Time {
		mutex.Lock()
		defer mutex.Unlock()
		now = now.Add(time.Second)
		return now
	}
}

func shown(tasks ...todo.Task) []string {
	texts := []string{}
	for _, task := range tasks {
		text := strconv.Itoa(task.ID) + "|" + task.Title + "|" + strconv.Itoa(int(task.Priority)) + "|"
		for _, need := range task.Needs {
			text += strconv.Itoa(need) + ","
		}
		text += "|" + strconv.FormatInt(task.Created.Unix()-1900000000, 10) + "|"
		if !task.Done.IsZero() {
			text += strconv.FormatInt(task.Done.Unix()-1900000000, 10)
		}
		texts = append(texts, text)
	}
	return texts
}

func said(err error) []string {
	if err == nil {
		return nil
	}
	kinds := []string{err.Error()}
	for name, sentinel := range map[string]error{"title": todo.ErrNoTitle, "priority": todo.ErrBadPriority, "done": todo.ErrDone, "open": todo.ErrNotDone, "circle": todo.ErrCycle} {
		if errors.Is(err, sentinel) {
			kinds = append(kinds, name)
		}
	}
	var missing *todo.NotFoundError
	if errors.As(err, &missing) {
		kinds = append(kinds, "missing "+strconv.Itoa(missing.ID))
	}
	var blocked *todo.BlockedError
	if errors.As(err, &blocked) {
		kinds = append(kinds, "blocked "+strconv.Itoa(blocked.ID)+" by "+strconv.Itoa(len(blocked.By)))
	}
	return kinds
}

func outcome(task todo.Task, err error) any {
	if err != nil {
		return said(err)
	}
	return shown(task)[0]
}

func plan(s *todo.Service, id int) any {
	tasks, err := s.Plan(id)
	if err != nil {
		return said(err)
	}
	return shown(tasks...)
}

func lighthouse() *todo.Service {
	s := todo.New(ticking())
	s.Add("trim the lamp", todo.High)
	s.Add("fetch oil", todo.Normal)
	s.Add("fill the tank", todo.Normal, 2)
	s.Add("light the lamp", todo.High, 3, 1)
	s.Add("Polish the Lens", todo.Low)
	s.Add("write the log", todo.Low, 4, 5, 4)
	return s
}

func service() {
	s := todo.New(ticking())
	observe("empty", []any{len(s.Ready()), s.Ready() != nil, len(s.List(todo.Filter{})), s.List(todo.Filter{}) != nil, outcome(s.Get(1)), plan(s, 0), said(s.Remove(3)), said(s.Reopen(2)), outcome(s.Finish(9)), said(s.Need(4, 5))})
	observe("add", []any{outcome(s.Add("  wind the clock\t", todo.Normal)), outcome(s.Add(" \n", 7, 9)), outcome(s.Add("x", 2, 9)), outcome(s.Add("x", -2)), outcome(s.Add("x", todo.Low, 1, 5, 6)), outcome(s.Add("ring bell", todo.High, 1)), outcome(s.Add("third", todo.Low, 2, 1, 2, 1)), outcome(s.Add("self", todo.Low, 4)), shown(s.List(todo.Filter{})...)})

	s = lighthouse()
	normal, high, low := todo.Normal, todo.High, todo.Low
	observe("list", []any{shown(s.List(todo.Filter{})...), shown(s.List(todo.Filter{Text: "LAMP"})...), shown(s.List(todo.Filter{AtLeast: &normal})...), shown(s.List(todo.Filter{AtLeast: &high, Text: "light"})...), shown(s.List(todo.Filter{AtLeast: &low, Text: "the l"})...), shown(s.List(todo.Filter{Text: "zebra"})...)})
	observe("ready", shown(s.Ready()...))
	observe("plans", []any{plan(s, 6), plan(s, 4), plan(s, 2), plan(s, 7)})
	observe("finish", []any{outcome(s.Finish(4)), outcome(s.Finish(6)), outcome(s.Finish(2)), outcome(s.Finish(2)), outcome(s.Finish(3)), outcome(s.Finish(4)), outcome(s.Finish(1)), outcome(s.Finish(4)), shown(s.Ready()...), plan(s, 6), plan(s, 4), shown(s.List(todo.Filter{Open: true})...)})
	observe("reopen", []any{said(s.Reopen(6)), outcome(s.Finish(5)), outcome(s.Finish(6)), said(s.Reopen(2)), shown(s.List(todo.Filter{})...), said(s.Reopen(2)), said(s.Reopen(1)), shown(s.Ready()...), said(s.Reopen(5)), said(s.Reopen(8))})

	s = lighthouse()
	observe("need", []any{said(s.Need(2, 2)), said(s.Need(2, 6)), said(s.Need(1, 4)), said(s.Need(9, 8)), said(s.Need(1, 8)), said(s.Need(4, 1)), said(s.Need(1, 5)), said(s.Need(5, 2)), said(s.Need(2, 1)), said(s.Need(2, 4)), shown(s.List(todo.Filter{})...), shown(s.Ready()...), plan(s, 6)})
	s.Finish(2)
	observe("need_done", []any{said(s.Need(2, 1)), said(s.Need(2, 99)), said(s.Need(2, 2)), said(s.Need(3, 2)), shown(s.Ready()...)})
	observe("remove", []any{said(s.Remove(3)), said(s.Remove(3)), shown(s.List(todo.Filter{})...), outcome(s.Add("new", todo.Normal)), said(s.Remove(7)), outcome(s.Add("newer", todo.Normal, 6)), said(s.Need(4, 3)), shown(s.Ready()...), plan(s, 8)})

	s = lighthouse()
	task, _ := s.Get(6)
	task.Needs[0], task.Title = 99, "changed"
	listed := s.List(todo.Filter{})
	listed[3].Needs[0] = 98
	planned, _ := s.Plan(6)
	planned[len(planned)-1].Needs[1] = 97
	given := []int{3, 1}
	added, _ := s.Add("copy", todo.High, given...)
	given[0] = 6
	added.Needs[0] = 96
	observe("copies", []any{shown(s.List(todo.Filter{})...), given})

	s = todo.New(ticking())
	s.Add("root", todo.Normal)
	for i := 2; i <= 40; i++ {
		s.Add("t"+strconv.Itoa(i), todo.Priority(i%3-1), 1+i*7%(i-1), 1+i*5%(i-1))
	}
	order := []int{}
	tasks, _ := s.Plan(40)
	for _, one := range tasks {
		order = append(order, one.ID)
	}
	readied := []int{}
	for ready := s.Ready(); len(ready) > 0; ready = s.Ready() {
		readied = append(readied, ready[0].ID)
		s.Finish(ready[0].ID)
	}
	s.Reopen(5)
	left := []int{}
	for _, one := range s.List(todo.Filter{Open: true}) {
		left = append(left, one.ID)
	}
	observe("many", []any{order, readied, left})

	s = todo.New(ticking())
	var group sync.WaitGroup
	for worker := 0; worker < 8; worker++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := 0; i < 100; i++ {
				one, _ := s.Add("w", todo.Normal)
				s.Need(one.ID, 1+one.ID/2)
				s.Ready()
				s.Finish(one.ID)
				s.List(todo.Filter{Text: "w"})
			}
		}()
	}
	group.Wait()
	ids, sum := map[int]bool{}, 0
	for _, one := range s.List(todo.Filter{}) {
		ids[one.ID] = true
		sum += one.ID
	}
	observe("together", []int{len(ids), sum})
}

func run(script string) []any {
	var out strings.Builder
	failures := command.Run(todo.New(ticking()), strings.NewReader(script), &out)
	return []any{failures, out.String()}
}

// full takes some bytes and then fails.
type full struct{ left int }

func (f *full) Write(bytes []byte) (int, error) {
	if len(bytes) > f.left {
		return 0, errors.New("full")
	}
	f.left -= len(bytes)
	return len(bytes), nil
}

func commands() {
	base := "add ! trim the lamp\nadd fetch oil\nadd fill the  tank <2\nadd ! light <3 the <1 lamp\nadd ? Polish Lens\n"
	observe("empty", [][]any{run(""), run("\n\n"), run("# note\n  #x\n\t\n"), run("list"), run("ready\nlist\n")})
	observe("base", run(base+"list\nready\nplan 4\nshow 3\nshow 5"))
	observe("work", run(base+"done 2\ndone 4\ndone 3\ndone 1\nready\ndone 4\nlist\nlist open\nreopen 2\nlist\nplan 4\nneed 5 1\nneed 1 5\nrm 1\nlist\nready\nadd again <4\nplan 6\n"))
	observe("filters", run(base+"list high\nlist normal /THE\nlist low open\nlist /lamp open\nlist /\nlist open /tank high\nlist open open\nlist high low\nlist /a /b\nlist closed\nlist /x\n"))
	observe("lines", run("add one\r\n\n# c\n  add two <1\r\nfly 1\nLIST\nlist\n\nadd\nadd !\nadd <1\nadd ! ? <2 x\nadd <x <1x <-1 < x\nlist"))
	observe("wrong", run(base+"done\ndone x\ndone 0\ndone -1\ndone +1\ndone 01\ndone 1 2\ndone 99999999999999999999\nneed 1\nneed 1 x\nneed 1 2 3\nshow\nshow 9\nplan 0x1\nplan 9\nready now\nrm 1.0\nreopen 1\nadd x <0\nadd x <99999999999999999999\nadd x <42\nadd <0\nneed 3 4\ndone 3\nlist"))
	observe("long", run("add "+strings.Repeat("very ", 30000)+"long\nrm 1\nadd short\nlist"))
	broken := command.Run(todo.New(ticking()), iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(base))), &strings.Builder{})
	observe("broken", []int{broken, command.Run(todo.New(ticking()), strings.NewReader(base), &full{3}), command.Run(todo.New(ticking()), strings.NewReader(base), &full{10}), command.Run(todo.New(ticking()), strings.NewReader("x\n"), &full{3}), command.Run(todo.New(ticking()), strings.NewReader("x\n"), &full{30})})
}
