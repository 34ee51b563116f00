use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use throttle::{Executor, Limiter, Task};

type Log = Rc<RefCell<Vec<String>>>;

fn observe(case: &str, lines: Vec<String>) {
    let quoted: Vec<String> = lines.iter().map(|line| format!("{:?}", line)).collect();
    println!("\n@@ {} [{}]", case, quoted.join(","));
}

/// Pending once; wakes itself so many times, and leaves its waker.
struct Pause(usize, Rc<RefCell<Option<Waker>>>, bool);

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.2 {
            return Poll::Ready(());
        }
        self.2 = true;
        (0..self.0).for_each(|_| context.waker().wake_by_ref());
        *self.1.borrow_mut() = Some(context.waker().clone());
        Poll::Pending
    }
}

/// Starts a client that comes at a time and asks for permits.
fn client(executor: &Executor, limiter: &Limiter, log: &Log, at: u64, name: &'static str, n: u64, within: Option<u64>) -> Task {
    let (timer, limiter, log) = (executor.clone(), limiter.clone(), log.clone());
    executor.spawn(async move {
        timer.sleep(at).await;
        let asked = match within {
            Some(ticks) => limiter.acquire_within(n, ticks),
            None => limiter.acquire(n),
        };
        let result = asked.await;
        log.borrow_mut().push(format!("{} {} {:?} {} {}", timer.now(), name, result, limiter.available(), limiter.waiting()));
    })
}

fn scene(case: &str, limits: (u64, u64, u64), clients: &[(u64, &'static str, u64, Option<u64>)], acts: &[(u64, &'static str, usize)]) {
    let (executor, log) = (Executor::new(), Log::default());
    let limiter = match Limiter::new(executor.clone(), limits.0, limits.1, limits.2) {
        Some(limiter) => limiter,
        None => return observe(case, vec!["none".to_string()]),
    };
    let tasks: Rc<Vec<Task>> = Rc::new(clients.iter().map(|&(at, name, n, within)| client(&executor, &limiter, &log, at, name, n, within)).collect());
    for &(at, what, which) in acts {
        let (timer, limiter, log, tasks) = (executor.clone(), limiter.clone(), log.clone(), tasks.clone());
        executor.spawn(async move {
            timer.sleep(at).await;
            let said = match what {
                "cancel" => tasks[which].cancel(),
                "try" => limiter.try_acquire(which as u64),
                _ => { limiter.close(); tasks[0].ended() }
            };
            log.borrow_mut().push(format!("{} {} {} {} {} {}", timer.now(), what, which, said, limiter.available(), limiter.waiting()));
        });
    }
    let left = executor.run();
    log.borrow_mut().push(format!("end {} {} {}", left, executor.now(), executor.sleeping()));
    let lines = log.borrow().clone();
    observe(case, lines);
}

fn permits() {
    scene("no_capacity", (0, 1, 1), &[], &[]);
    scene("trying", (5, 2, 10), &[], &[(0, "try", 3), (0, "try", 3), (0, "try", 0), (9, "try", 3), (10, "try", 4), (11, "try", 5), (20, "try", 5), (25, "try", 1), (100, "try", 6), (100, "try", 5), (1 << 60, "try", 5)]);
    scene("waves", (3, 1, 7), &[(0, "a", 3, None), (0, "b", 1, None), (1, "c", 3, None), (2, "d", 0, None), (3, "e", 4, None), (60, "f", 2, None), (200, "g", 3, None)], &[(15, "try", 0), (30, "try", 1)]);
    scene("huge", (u64::MAX, u64::MAX, u64::MAX - 1), &[(0, "a", u64::MAX, None), (5, "b", u64::MAX, None), (6, "c", 1, Some(u64::MAX))], &[]);
}

fn queue() {
    scene("deadlines", (4, 1, 10), &[(0, "a", 4, None), (0, "b", 2, Some(19)), (0, "c", 1, Some(20)), (1, "d", 2, Some(29)), (2, "e", 1, Some(0)), (3, "f", 1, Some(37)), (4, "g", 5, Some(9)), (90, "h", 1, Some(0))], &[]);
    scene("leaving", (4, 2, 10), &[(0, "a", 4, None), (1, "b", 4, None), (2, "c", 1, None), (3, "d", 3, None), (4, "e", 1, None)], &[(12, "cancel", 1), (13, "cancel", 1), (14, "cancel", 0), (20, "cancel", 3), (21, "try", 1)]);
    scene("given_back", (2, 2, 10), &[(0, "a", 2, None), (1, "b", 2, None), (2, "c", 1, None), (3, "d", 1, None)], &[(10, "try", 0), (10, "cancel", 1), (10, "try", 1)]);
    scene("closing", (2, 1, 10), &[(0, "a", 2, None), (1, "b", 1, None), (2, "c", 2, None), (3, "d", 1, Some(50)), (40, "e", 9, None), (40, "f", 0, Some(0))], &[(10, "close", 0), (11, "try", 0)]);
}

fn executor() {
    let (executor, log) = (Executor::new(), Log::default());
    let kept = Rc::new(RefCell::new(None));
    for (name, wakes, ticks) in [("a", 2, 5), ("b", 1, 3), ("c", 0, 5), ("d", 3, 0)] {
        let (timer, log, kept) = (executor.clone(), log.clone(), kept.clone());
        let own = if wakes == 0 { kept } else { Rc::default() };
        executor.spawn(async move {
            log.borrow_mut().push(format!("{} begins {}", name, timer.now()));
            Pause(wakes, own, false).await;
            log.borrow_mut().push(format!("{} goes on {}", name, timer.now()));
            timer.sleep(ticks).await;
            let (again, inner) = (timer.clone(), log.clone());
            timer.spawn(async move { inner.borrow_mut().push(format!("{} has a child {}", name, again.now())) });
            log.borrow_mut().push(format!("{} ends {} {}", name, timer.now(), timer.sleeping()));
        });
    }
    for _ in 0..3 {
        let left = executor.run();
        log.borrow_mut().push(format!("left {} {}", left, executor.now()));
        kept.borrow().iter().for_each(|waker: &Waker| { waker.wake_by_ref(); waker.wake_by_ref() });
    }
    let lines = log.borrow().clone();
    observe("tasks", lines);
    let executor = Executor::new();
    let idle = executor.sleep(9);
    let long = (0..4u64).map(|n| { let timer = executor.clone(); executor.spawn(async move { timer.sleep(n * 10).await }) }).collect::<Vec<_>>();
    let mut lines = vec![format!("{} {}", executor.sleeping(), long[3].cancel())];
    lines.push(format!("{} {} {}", executor.run(), executor.now(), executor.sleeping()));
    lines.push(format!("{:?}", long.iter().map(|task| (task.ended(), task.cancel())).collect::<Vec<_>>()));
    drop(idle);
    observe("sleeps", lines);
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("permits") => permits(),
        Some("queue") => queue(),
        _ => executor(),
    }
}
