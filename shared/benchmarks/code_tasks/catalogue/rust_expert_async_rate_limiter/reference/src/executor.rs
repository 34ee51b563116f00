use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

type Job = Pin<Box<dyn Future<Output = ()>>>;
type Queue = Arc<Mutex<VecDeque<u64>>>;

#[derive(Default)]
struct State {
    now: u64,
    next: u64,
    /// A task that is being polled has its place here, but not its future.
    tasks: HashMap<u64, Option<Job>>,
    sleeps: BTreeMap<(u64, u64), Waker>,
}

/// Polls tasks, and moves time on when all of them sleep.
#[derive(Clone, Default)]
pub struct Executor {
    state: Rc<RefCell<State>>,
    queue: Queue,
}

struct Bell {
    id: u64,
    queue: Queue,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        let mut queue = self.queue.lock().unwrap_or_else(|broken| broken.into_inner());
        if !queue.contains(&self.id) {
            queue.push_back(self.id);
        }
    }
}

impl Executor {
    pub fn new() -> Executor {
        Executor::default()
    }

    pub fn spawn(&self, future: impl Future<Output = ()> + 'static) -> Task {
        let id = self.number();
        self.state.borrow_mut().tasks.insert(id, Some(Box::pin(future)));
        self.bell(id).wake();
        Task { id, executor: self.clone() }
    }

    pub fn run(&self) -> usize {
        loop {
            while let Some(id) = self.pop() {
                self.poll(id);
            }
            if !self.advance() {
                return self.state.borrow().tasks.len();
            }
        }
    }

    pub fn now(&self) -> u64 {
        self.state.borrow().now
    }

    pub fn sleep(&self, ticks: u64) -> Sleep {
        Sleep { executor: self.clone(), at: self.now().saturating_add(ticks), id: None }
    }

    pub fn sleeping(&self) -> usize {
        self.state.borrow().sleeps.len()
    }

    fn number(&self) -> u64 {
        let mut state = self.state.borrow_mut();
        state.next += 1;
        state.next
    }

    fn bell(&self, id: u64) -> Arc<Bell> {
        Arc::new(Bell { id, queue: self.queue.clone() })
    }

    fn pop(&self) -> Option<u64> {
        self.queue.lock().unwrap_or_else(|broken| broken.into_inner()).pop_front()
    }

    fn poll(&self, id: u64) {
        let job = self.state.borrow_mut().tasks.get_mut(&id).and_then(Option::take);
        if let Some(mut job) = job {
            let waker = Waker::from(self.bell(id));
            let ready = job.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
            let mut state = self.state.borrow_mut();
            if ready {
                state.tasks.remove(&id);
            } else if let Some(place) = state.tasks.get_mut(&id) {
                *place = Some(job);
                return;
            }
            drop(state); // dropping the future may come back to us
            drop(job);
        }
    }

    /// Moves on to the earliest sleep; false when nobody sleeps.
    fn advance(&self) -> bool {
        let mut state = self.state.borrow_mut();
        let time = match state.sleeps.keys().next() {
            Some(&(time, _)) => time,
            None => return false,
        };
        state.now = time;
        let due: Vec<(u64, u64)> = state.sleeps.range(..=(time, u64::MAX)).map(|(&key, _)| key).collect();
        for key in due {
            if let Some(waker) = state.sleeps.remove(&key) {
                waker.wake();
            }
        }
        true
    }
}

/// A task that was spawned.
pub struct Task {
    id: u64,
    executor: Executor,
}

impl Task {
    pub fn cancel(&self) -> bool {
        let gone = self.executor.state.borrow_mut().tasks.remove(&self.id);
        gone.is_some()
    }

    pub fn ended(&self) -> bool {
        !self.executor.state.borrow().tasks.contains_key(&self.id)
    }
}

/// Ready at a certain time.
pub struct Sleep {
    executor: Executor,
    at: u64,
    id: Option<u64>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.executor.now() >= self.at {
            return Poll::Ready(());
        }
        let id = self.id.unwrap_or_else(|| self.executor.number());
        self.id = Some(id);
        self.executor.state.borrow_mut().sleeps.insert((self.at, id), context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            self.executor.state.borrow_mut().sleeps.remove(&(self.at, id));
        }
    }
}
