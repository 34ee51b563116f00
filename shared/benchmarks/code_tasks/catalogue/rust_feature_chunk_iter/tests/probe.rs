use chunks::ChunkExt;
use std::cell::RefCell;
use std::fmt::Debug;
use std::iter::FusedIterator;
use std::panic::catch_unwind;

/// The `Debug` text of numbers, strings and lists of them is JSON already, once tuples have square brackets.
fn observe(case: &str, value: impl Debug) {
    let text = format!("{:?}", value);
    let text = text.replace("Some(", "[").replace("None", "null").replace('(', "[").replace(')', "]");
    println!("\n@@ {} {}", case, text);
}

/// A source that writes down when it is asked, and begins again after its end.
#[derive(Clone)]
struct Source<'a> {
    log: &'a RefCell<Vec<i32>>,
    at: i32,
    end: i32,
}

impl Iterator for Source<'_> {
    type Item = i32;
    fn next(&mut self) -> Option<i32> {
        self.at += 1;
        if self.at > self.end {
            self.at = 0;
            self.log.borrow_mut().push(-1);
            return None;
        }
        self.log.borrow_mut().push(self.at);
        Some(self.at)
    }
}

fn steps<I: Iterator<Item = Vec<i32>> + FusedIterator>(log: &RefCell<Vec<i32>>, mut chunks: I, count: usize) -> Vec<(Vec<i32>, Vec<i32>, usize, usize)> {
    (0..count)
        .map(|_| {
            log.borrow_mut().clear();
            let given = chunks.next().unwrap_or_default();
            let asked = log.borrow().clone();
            let (low, high) = chunks.size_hint();
            (given, asked, low, high.map_or(99, |high| high))
        })
        .collect()
}

fn results() {
    for size in [1, 2, 3, 5, 7, 8, 100, usize::MAX] {
        observe(&format!("of_{}", size), [0, 1, 3, 4, 7].map(|n| (0..n).chunks_of(size).collect::<Vec<_>>()));
    }
    let lengths = |n: usize, size: usize| { let chunks = (0..n).chunks_of(size); (chunks.len().to_string(), chunks.size_hint() == (chunks.len(), Some(chunks.len()))) };
    observe("lengths", [(0, 3), (1, 3), (3, 3), (4, 3), (10, 4), (12, 4), (usize::MAX, 1), (usize::MAX, 2), (5, usize::MAX)].map(|(n, size)| lengths(n, size)));
    for size in [1, 2, 3, 4, 6, 9] {
        let back = (0..8).chunks_of(size).rev().collect::<Vec<_>>();
        let mut mixed = (0..8).chunks_of(size);
        let mut seen = Vec::new();
        for step in 0..9 {
            seen.push((if step % 3 == 0 { mixed.next_back() } else { mixed.next() }, mixed.len()));
        }
        observe(&format!("back_{}", size), (back, seen));
    }
    let words = ["ash", "alder", "beech", "birch", "cedar", "aspen", "", "", "elm"];
    observe("by_letter", words.iter().chunks_by(|a, b| a.chars().next() == b.chars().next()).collect::<Vec<_>>());
    let numbers = [3, 4, 5, 5, 2, 1, 1, 8, 9, 9, 9, 0];
    observe("by_rising", numbers.into_iter().chunks_by(|a, b| a < b).collect::<Vec<_>>());
    observe("by_sum", numbers.into_iter().chunks_by(|a, b| (a + b) % 3 != 0).collect::<Vec<_>>());
    observe("by_edges", (Vec::<u8>::new().into_iter().chunks_by(|_, _| true).count(), [7].into_iter().chunks_by(|_, _| false).collect::<Vec<_>>(), numbers.into_iter().chunks_by(|_, _| true).count(), numbers.into_iter().chunks_by(|_, _| false).count()));
    let mut pairs = Vec::new();
    let count = numbers.into_iter().chunks_by(|a, b| { pairs.push((*a, *b)); a == b }).count();
    observe("by_pairs", (count, pairs));
    for limit in [0, 1, 5, 9, 10, 100] {
        let mut weighed = Vec::new();
        let chunks = numbers.into_iter().chunks_within(limit, |n| { weighed.push(*n); *n as u64 }).collect::<Vec<_>>();
        observe(&format!("within_{}", limit), (chunks, weighed));
    }
    let huge = [u64::MAX, 1, 0, u64::MAX - 1, 1, 1, u64::MAX, u64::MAX, 0];
    let places = |limit: u64| (0..huge.len()).chunks_within(limit, |place| huge[*place]).collect::<Vec<_>>();
    observe("within_huge", (places(u64::MAX), places(u64::MAX - 1), places(0)));
    observe("strings", words.iter().map(|word| word.to_string()).chunks_within(8, |word| word.len() as u64).collect::<Vec<_>>());
    let message = |size: usize| catch_unwind(move || drop((0..3).chunks_of(size))).map_err(|error| {
        error.downcast_ref::<&str>().map(|text| text.to_string()).or_else(|| error.downcast_ref::<String>().cloned()).unwrap_or_default()
    });
    observe("zero", (message(0).err(), message(1).err()));
}

fn laziness() {
    let log = RefCell::new(Vec::new());
    for end in [0, 1, 2, 3, 4, 6, 7] {
        let source = Source { log: &log, at: 0, end };
        observe(&format!("of_{}", end), (steps(&log, source.clone().chunks_of(3), 6), steps(&log, source.chunks_of(1), 3)));
        let source = Source { log: &log, at: 0, end };
        observe(&format!("by_{}", end), (steps(&log, source.clone().chunks_by(|a, _| a % 3 != 0), 6), steps(&log, source.chunks_by(|_, _| true), 3)));
        let source = Source { log: &log, at: 0, end };
        observe(&format!("within_{}", end), (steps(&log, source.clone().chunks_within(5, |n| *n as u64), 7), steps(&log, source.chunks_within(100, |_| 0), 3)));
    }
    let mut first = [1, 1, 2, 2, 3].into_iter().chunks_by(|a, b| a == b);
    first.next();
    let second = first.clone();
    observe("clone_by", (first.size_hint(), first.collect::<Vec<_>>(), second.collect::<Vec<_>>()));
    let mut first = [4u64, 1, 2, 9, 3].into_iter().chunks_within(5, |n| *n);
    first.next();
    let second = first.clone();
    observe("clone_within", (first.size_hint(), first.collect::<Vec<_>>(), second.collect::<Vec<_>>()));
    let mut first = (0..7).chunks_of(2);
    first.next();
    first.next_back();
    let second = first.clone();
    observe("clone_of", (first.len(), first.collect::<Vec<_>>(), second.rev().collect::<Vec<_>>()));
    observe("hints", ((0..5).chunks_by(|_, _| true).size_hint(), (0..0).chunks_by(|_, _| true).size_hint(), (0..).chunks_of(4).size_hint().1, (0u64..9).filter(|_| true).chunks_of(4).size_hint(), (0..usize::MAX).chunks_within(1, |_| 1).size_hint().0, std::iter::repeat(1).chunks_by(|_, _| false).size_hint().1));
    let mut most = (0..usize::MAX).chunks_by(|_, _| false);
    most.next();
    observe("hint_most", (most.size_hint().0, most.size_hint().1 == Some(usize::MAX - 1)));
    observe("endless", ((1..).chunks_of(3).take(2).collect::<Vec<_>>(), (1..).chunks_by(|a, _| a % 4 != 0).take(2).collect::<Vec<_>>(), (1u64..).chunks_within(6, |n| *n).take(3).collect::<Vec<_>>()));
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    match std::env::args().nth(1).as_deref() {
        Some("chunks") => results(),
        _ => laziness(),
    }
}
