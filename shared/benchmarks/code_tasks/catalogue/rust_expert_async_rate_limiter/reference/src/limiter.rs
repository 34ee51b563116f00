use crate::{Executor, Sleep};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// Why there are no permits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitError {
    TooMany,
    TimedOut,
    Closed,
}

struct Waiter {
    id: u64,
    n: u64,
    waker: Waker,
}

struct State {
    capacity: u64,
    refill: u64,
    period: u64,
    level: u64,
    /// Time of the last refill.
    at: u64,
    next: u64,
    closed: bool,
    line: VecDeque<Waiter>,
    settled: HashMap<u64, Result<(), LimitError>>,
}

/// Gives out permits as time goes by.
#[derive(Clone)]
pub struct Limiter {
    executor: Executor,
    state: Rc<RefCell<State>>,
}

impl State {
    /// Brings the permits up to date, and serves who can be served.
    fn serve(&mut self, now: u64) {
        let periods = (now - self.at) / self.period;
        self.at += periods * self.period;
        self.level = self.capacity.min(self.level.saturating_add(periods.saturating_mul(self.refill)));
        while self.line.front().map_or(false, |first| first.n <= self.level) {
            if let Some(first) = self.line.pop_front() {
                self.level -= first.n;
                self.settled.insert(first.id, Ok(()));
                first.waker.wake();
            }
        }
    }

    /// Ticks from the last refill until there are so many permits.
    fn ticks(&self, n: u64) -> u64 {
        let missing = n.saturating_sub(self.level);
        let periods = missing / self.refill + u64::from(missing % self.refill > 0);
        periods.saturating_mul(self.period)
    }
}

impl Limiter {
    pub fn new(executor: Executor, capacity: u64, refill: u64, period: u64) -> Option<Limiter> {
        if capacity == 0 || refill == 0 || period == 0 {
            return None;
        }
        let at = executor.now();
        let state = State { capacity, refill, period, level: capacity, at, next: 0, closed: false, line: VecDeque::new(), settled: HashMap::new() };
        Some(Limiter { executor, state: Rc::new(RefCell::new(state)) })
    }

    pub fn acquire(&self, n: u64) -> Acquire {
        Acquire { limiter: self.clone(), n, deadline: None, id: None, turn: None, end: None }
    }

    pub fn acquire_within(&self, n: u64, ticks: u64) -> Acquire {
        let mut acquire = self.acquire(n);
        acquire.deadline = Some(self.executor.now().saturating_add(ticks));
        acquire
    }

    pub fn try_acquire(&self, n: u64) -> bool {
        self.with(|state| {
            let good = !state.closed && state.line.is_empty() && n <= state.level;
            if good {
                state.level -= n;
            }
            good
        })
    }

    pub fn close(&self) {
        self.with(|state| {
            state.closed = true;
            for waiter in std::mem::take(&mut state.line) {
                state.settled.insert(waiter.id, Err(LimitError::Closed));
                waiter.waker.wake();
            }
        })
    }

    pub fn available(&self) -> u64 {
        self.with(|state| state.level)
    }

    pub fn waiting(&self) -> usize {
        self.with(|state| state.line.len())
    }

    fn with<T>(&self, action: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state.borrow_mut();
        state.serve(self.executor.now());
        action(&mut state)
    }
}

/// Ready when permits were given, or never will be.
pub struct Acquire {
    limiter: Limiter,
    n: u64,
    deadline: Option<u64>,
    id: Option<u64>,
    turn: Option<Sleep>,
    end: Option<Sleep>,
}

impl Acquire {
    fn look(&mut self, waker: &Waker) -> Poll<Result<(), LimitError>> {
        let now = self.limiter.executor.now();
        let (n, late) = (self.n, self.deadline.map_or(false, |deadline| deadline <= now));
        let known = self.id;
        let id = self.limiter.with(|state| {
            if let Some(id) = known {
                if let Some(result) = state.settled.remove(&id) {
                    return Err(result);
                }
                for waiter in state.line.iter_mut().filter(|waiter| waiter.id == id) {
                    waiter.waker = waker.clone();
                }
                return Ok(id);
            }
            if state.closed {
                return Err(Err(LimitError::Closed));
            }
            if n > state.capacity {
                return Err(Err(LimitError::TooMany));
            }
            if state.line.is_empty() && n <= state.level {
                state.level -= n;
                return Err(Ok(()));
            }
            state.next += 1;
            state.line.push_back(Waiter { id: state.next, n, waker: waker.clone() });
            Ok(state.next)
        });
        match id {
            Err(result) => {
                self.id = None;
                Poll::Ready(result)
            }
            Ok(id) => {
                self.id = Some(id);
                if late {
                    self.leave();
                    return Poll::Ready(Err(LimitError::TimedOut));
                }
                Poll::Pending
            }
        }
    }

    /// How long the first of the line has to sleep.
    fn wait(&self) -> Option<u64> {
        let state = self.limiter.state.borrow();
        let first = state.line.front().filter(|first| Some(first.id) == self.id)?;
        Some(state.at.saturating_add(state.ticks(first.n)).saturating_sub(self.limiter.executor.now()))
    }

    fn leave(&mut self) {
        if let Some(id) = self.id.take() {
            let now = self.limiter.executor.now();
            let mut state = self.limiter.state.borrow_mut();
            state.serve(now);
            state.line.retain(|waiter| waiter.id != id);
            if let Some(Ok(())) = state.settled.remove(&id) {
                state.level = state.capacity.min(state.level.saturating_add(self.n));
            }
            state.serve(now);
            if let Some(first) = state.line.front() {
                first.waker.wake_by_ref();
            }
        }
    }
}

impl Future for Acquire {
    type Output = Result<(), LimitError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let found = self.look(context.waker());
        self.turn = None;
        if found.is_ready() {
            self.end = None;
            let state = self.limiter.state.borrow();
            if let Some(first) = state.line.front() {
                first.waker.wake_by_ref(); // it is the first now, and has to look after the time
            }
            return found;
        }
        let executor = self.limiter.executor.clone();
        if self.end.is_none() {
            self.end = self.deadline.map(|deadline| executor.sleep(deadline - executor.now()));
        }
        self.turn = self.wait().map(|ticks| executor.sleep(ticks));
        if let Some(sleep) = &mut self.turn {
            let _ = Pin::new(sleep).poll(context);
        }
        if let Some(sleep) = &mut self.end {
            let _ = Pin::new(sleep).poll(context);
        }
        Poll::Pending
    }
}

impl Drop for Acquire {
    fn drop(&mut self) {
        self.leave();
    }
}
