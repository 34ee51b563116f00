package cache

import (
	"container/list"
	"sync"
	"time"
)

// Cache keeps the entries that were used last.
type Cache[K comparable, V any] struct {
	options Options[K, V]
	mutex   sync.Mutex
	entries map[K]*list.Element
	recent  *list.List // of *entry, the most recently used first
	cost    int64
	stats   Stats
	loading map[K]*load[V]
}

type entry[K comparable, V any] struct {
	key    K
	value  V
	cost   int64
	expiry time.Time // zero: never
}

type load[V any] struct {
	done  chan struct{}
	value V
	err   error
}

type departure[K comparable, V any] struct {
	key    K
	value  V
	reason Reason
}

// New makes an empty cache.
func New[K comparable, V any](options Options[K, V]) (*Cache[K, V], error) {
	if options.MaxCost < 1 {
		return nil, ErrMaxCost
	}
	if options.TTL < 0 {
		return nil, ErrTTL
	}
	if options.Clock == nil {
		options.Clock = time.Now
	}
	if options.Cost == nil {
		options.Cost = func(K, V) int64 { return 1 }
	}
	return &Cache[K, V]{options: options, entries: map[K]*list.Element{}, recent: list.New(), loading: map[K]*load[V]{}}, nil
}

// Put stores a value.
func (c *Cache[K, V]) Put(key K, value V) bool { return c.PutTTL(key, value, c.options.TTL) }

// PutTTL stores a value for a time of its own.
func (c *Cache[K, V]) PutTTL(key K, value V, ttl time.Duration) bool {
	if ttl < 0 {
		return false
	}
	cost, now := c.options.Cost(key, value), c.options.Clock()
	c.mutex.Lock()
	delete(c.loading, key)
	stored, left := c.store(key, value, cost, now, ttl)
	c.mutex.Unlock()
	c.tell(left)
	return stored
}

// Get finds a value and marks it as used.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	now := c.options.Clock()
	c.mutex.Lock()
	value, ok, left := c.find(key, now)
	if !ok {
		c.stats.Misses++
	}
	c.mutex.Unlock()
	c.tell(left)
	return value, ok
}

// Peek finds a value.
func (c *Cache[K, V]) Peek(key K) (value V, ok bool) {
	now := c.options.Clock()
	c.mutex.Lock()
	left := c.dropIfExpired(key, now)
	if element := c.entries[key]; element != nil {
		value, ok = element.Value.(*entry[K, V]).value, true
	}
	c.mutex.Unlock()
	c.tell(left)
	return value, ok
}

// Load finds a value or has it loaded.
func (c *Cache[K, V]) Load(key K, loader func(K) (V, error)) (V, error) {
	now := c.options.Clock()
	c.mutex.Lock()
	value, ok, left := c.find(key, now)
	if ok {
		c.mutex.Unlock()
		return value, nil
	}
	c.stats.Misses++
	running := c.loading[key]
	if running == nil {
		running = &load[V]{done: make(chan struct{}), err: ErrLoader}
		c.loading[key] = running
		c.stats.Loads++
		c.mutex.Unlock()
		c.tell(left)
		c.run(key, running, loader)
		return running.value, running.err
	}
	c.mutex.Unlock()
	c.tell(left)
	<-running.done
	return running.value, running.err
}

// run fills a load. After a panic its error is still ErrLoader.
func (c *Cache[K, V]) run(key K, running *load[V], loader func(K) (V, error)) {
	var left []departure[K, V]
	defer func() {
		c.mutex.Lock()
		if running.err != nil {
			c.stats.LoadFailures++
		}
		if c.loading[key] == running {
			delete(c.loading, key)
		}
		c.mutex.Unlock()
		close(running.done)
		c.tell(left)
	}()
	value, err := loader(key)
	if err != nil {
		running.err = err
		return
	}
	cost, now := c.options.Cost(key, value), c.options.Clock()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	running.value, running.err = value, nil
	if c.loading[key] == running {
		_, left = c.store(key, value, cost, now, c.options.TTL)
	}
}

// Delete removes a value.
func (c *Cache[K, V]) Delete(key K) bool {
	now := c.options.Clock()
	c.mutex.Lock()
	delete(c.loading, key)
	left := c.dropIfExpired(key, now)
	element := c.entries[key]
	if element != nil {
		left = append(left, c.remove(element, Deleted))
	}
	c.mutex.Unlock()
	c.tell(left)
	return element != nil
}

// Purge removes what is expired.
func (c *Cache[K, V]) Purge() int {
	now := c.options.Clock()
	c.mutex.Lock()
	left := c.dropExpired(now)
	c.mutex.Unlock()
	c.tell(left)
	return len(left)
}

// Clear removes everything.
func (c *Cache[K, V]) Clear() {
	now := c.options.Clock()
	c.mutex.Lock()
	c.loading = map[K]*load[V]{}
	var left []departure[K, V]
	for element := c.recent.Back(); element != nil; element = c.recent.Back() {
		reason := Deleted
		if isExpired[K, V](element, now) {
			reason = Expired
		}
		left = append(left, c.remove(element, reason))
	}
	c.mutex.Unlock()
	c.tell(left)
}

// Resize sets another maximal cost.
func (c *Cache[K, V]) Resize(max int64) error {
	if max < 1 {
		return ErrMaxCost
	}
	now := c.options.Clock()
	c.mutex.Lock()
	c.options.MaxCost = max
	left := c.makeRoom(now)
	c.mutex.Unlock()
	c.tell(left)
	return nil
}

// Len is the number of entries.
func (c *Cache[K, V]) Len() int { return len(c.Keys()) }

// Cost is the sum of their costs.
func (c *Cache[K, V]) Cost() int64 {
	var sum int64
	c.each(func(one *entry[K, V]) { sum += one.cost })
	return sum
}

// Keys are those of the entries, the most recently used first.
func (c *Cache[K, V]) Keys() []K {
	keys := []K{}
	c.each(func(one *entry[K, V]) { keys = append(keys, one.key) })
	return keys
}

// Stats counts what happened.
func (c *Cache[K, V]) Stats() Stats {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.stats
}

func (c *Cache[K, V]) each(look func(*entry[K, V])) {
	now := c.options.Clock()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for element := c.recent.Front(); element != nil; element = element.Next() {
		if !isExpired[K, V](element, now) {
			look(element.Value.(*entry[K, V]))
		}
	}
}

// find is the part of Get and Load that needs the lock; a hit is counted.
func (c *Cache[K, V]) find(key K, now time.Time) (value V, ok bool, left []departure[K, V]) {
	left = c.dropIfExpired(key, now)
	element := c.entries[key]
	if element == nil {
		return value, false, left
	}
	c.stats.Hits++
	c.recent.MoveToFront(element)
	return element.Value.(*entry[K, V]).value, true, left
}

func (c *Cache[K, V]) store(key K, value V, cost int64, now time.Time, ttl time.Duration) (bool, []departure[K, V]) {
	left := c.dropIfExpired(key, now)
	if element := c.entries[key]; element != nil {
		left = append(left, c.remove(element, Replaced))
	}
	if cost < 0 || cost > c.options.MaxCost {
		return false, left
	}
	one := &entry[K, V]{key: key, value: value, cost: cost}
	if ttl > 0 {
		one.expiry = now.Add(ttl)
	}
	c.entries[key] = c.recent.PushFront(one)
	c.cost += cost
	return true, append(left, c.makeRoom(now)...)
}

func (c *Cache[K, V]) makeRoom(now time.Time) []departure[K, V] {
	if c.cost <= c.options.MaxCost {
		return nil
	}
	left := c.dropExpired(now)
	for c.cost > c.options.MaxCost {
		left = append(left, c.remove(c.recent.Back(), Evicted))
	}
	return left
}

func (c *Cache[K, V]) dropExpired(now time.Time) []departure[K, V] {
	var left []departure[K, V]
	for element := c.recent.Back(); element != nil; {
		newer := element.Prev()
		if isExpired[K, V](element, now) {
			left = append(left, c.remove(element, Expired))
		}
		element = newer
	}
	return left
}

func (c *Cache[K, V]) dropIfExpired(key K, now time.Time) []departure[K, V] {
	if element := c.entries[key]; element != nil && isExpired[K, V](element, now) {
		return []departure[K, V]{c.remove(element, Expired)}
	}
	return nil
}

func (c *Cache[K, V]) remove(element *list.Element, reason Reason) departure[K, V] {
	one := c.recent.Remove(element).(*entry[K, V])
	delete(c.entries, one.key)
	c.cost -= one.cost
	switch reason {
	case Evicted:
		c.stats.Evictions++
	case Expired:
		c.stats.Expirations++
	}
	return departure[K, V]{one.key, one.value, reason}
}

func (c *Cache[K, V]) tell(left []departure[K, V]) {
	if c.options.OnEvict == nil {
		return
	}
	for _, one := range left {
		c.options.OnEvict(one.key, one.value, one.reason)
	}
}

func isExpired[K comparable, V any](element *list.Element, now time.Time) bool {
	expiry := element.Value.(*entry[K, V]).expiry
	return !expiry.IsZero() && !now.Before(expiry)
}
