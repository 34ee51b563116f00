package foundry

// link checks jobs, and ties each to those that wait for it.
func link(jobs []Job, limits map[string]int) ([]*node, error) {
	nodes := make([]*node, len(jobs))
	named := map[string]*node{}
	for place, job := range jobs {
		if job.ID == "" || named[job.ID] != nil {
			return nil, &JobError{job.ID, ErrName}
		}
		nodes[place] = &node{Job: job, place: place, urgency: job.Priority, needs: map[string]bool{}}
		named[job.ID] = nodes[place]
	}
	for _, one := range nodes {
		if err := check(one.Job, named, limits); err != nil {
			return nil, &JobError{one.ID, err}
		}
	}
	for _, one := range nodes {
		for _, name := range one.Needs {
			one.needs[name] = true
		}
		seen := map[string]bool{}
		for _, name := range append(append([]string(nil), one.Needs...), one.After...) {
			if !seen[name] {
				seen[name] = true
				one.blocked++
				named[name].waiters = append(named[name].waiters, one)
			}
		}
	}
	order := sorted(nodes)
	if len(order) < len(nodes) {
		return nil, &JobError{circular(nodes).ID, ErrCycle}
	}
	for i := len(order) - 1; i >= 0; i-- {
		for _, other := range order[i].waiters {
			if other.urgency > order[i].urgency {
				order[i].urgency = other.urgency
			}
		}
	}
	return nodes, nil
}

func check(job Job, named map[string]*node, limits map[string]int) error {
	if job.Run == nil {
		return ErrNoRun
	}
	negative, tooMuch := job.Attempts < 0 || job.Backoff < 0 || job.Timeout < 0, false
	for name, amount := range job.Uses {
		negative = negative || amount < 0
		tooMuch = tooMuch || amount > limits[name]
	}
	if negative {
		return ErrNumber
	}
	for _, names := range [][]string{job.Needs, job.After} {
		for _, name := range names {
			if named[name] == nil {
				return ErrUnknown
			}
		}
	}
	if tooMuch {
		return ErrTooMuch
	}
	return nil
}

// sorted gives the jobs so that none comes before those it waits for; those in and behind cycles are left out.
func sorted(nodes []*node) []*node {
	blocked := make([]int, len(nodes))
	var order []*node
	for place, one := range nodes {
		blocked[place] = one.blocked
		if one.blocked == 0 {
			order = append(order, one)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, other := range order[i].waiters {
			blocked[other.place]--
			if blocked[other.place] == 0 {
				order = append(order, other)
			}
		}
	}
	return order
}

// circular is the first job that waits for itself.
func circular(nodes []*node) *node {
	for _, start := range nodes {
		seen := map[*node]bool{}
		for queue := []*node{start}; len(queue) > 0; queue = queue[1:] {
			for _, other := range queue[0].waiters {
				if other == start {
					return start
				}
				if !seen[other] {
					seen[other] = true
					queue = append(queue, other)
				}
			}
		}
	}
	return nil
}
