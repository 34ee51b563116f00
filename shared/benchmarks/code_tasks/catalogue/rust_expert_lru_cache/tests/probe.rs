use shelf::{Inserted, Shelf};
use std::cell::RefCell;
use std::rc::Rc;

fn observe(case: &str, lines: Vec<String>) {
    let quoted: Vec<String> = lines.iter().map(|line| format!("{:?}", line)).collect();
    println!("\n@@ {} [{}]", case, quoted.join(","));
}

type Log = Rc<RefCell<Vec<String>>>;

/// A value that tells when it is dropped, and that cannot be cloned.
struct Packet(&'static str, Log);

impl Drop for Packet {
    fn drop(&mut self) {
        self.1.borrow_mut().push(self.0.to_string());
    }
}

fn listed<K: std::fmt::Display, V: std::fmt::Display>(entries: Vec<(K, V)>) -> String {
    entries.iter().map(|(key, value)| format!("{}{}", key, value)).collect::<Vec<_>>().join("+")
}

/// Carries out commands such as "put a 3", and tells what became of each.
fn run(capacity: u64, script: &str) -> Vec<String> {
    let mut shelf: Shelf<String, u32> = Shelf::new(capacity);
    let mut count = 0;
    script
        .split(';')
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let key = words.get(1).copied().unwrap_or("");
            let number = || words.last().unwrap().parse::<u64>().unwrap_or(u64::MAX);
            let said = match words[0] {
                "put" => {
                    count += 1;
                    match shelf.insert(key.to_string(), count, number()) {
                        Inserted::Stored { replaced, evicted } => format!("{:?} {}", replaced, listed(evicted)),
                        Inserted::TooHeavy(key, value) => format!("heavy {}{}", key, value),
                        Inserted::Blocked(key, value) => format!("blocked {}{}", key, value),
                    }
                }
                "get" => format!("{:?}", shelf.get(key)),
                "add" => format!("{:?}", shelf.get_mut(key).map(|value| { *value += 100; *value })),
                "peek" => format!("{:?} {}", shelf.peek(key), shelf.contains(key)),
                "pin" => shelf.pin(key).to_string(),
                "unpin" => shelf.unpin(key).to_string(),
                "remove" => format!("{:?}", shelf.remove(key)),
                "pop" => format!("{:?}", shelf.pop_oldest()),
                "resize" => match shelf.resize(number()) { Ok(evicted) => listed(evicted), Err(weight) => format!("err {}", weight) },
                "weigh" => match shelf.reweigh(key, number()) { Ok(evicted) => listed(evicted), Err(error) => format!("{:?}", error) },
                "odd" => { let mut asked = String::new(); shelf.retain(|key, value| { asked += key; *value += 10; *value % 2 == 1 }); asked }
                _ => { shelf.clear(); String::new() }
            };
            let order: String = shelf.iter().map(|(key, value)| format!("{}{} ", key, value)).collect();
            let back: String = shelf.iter().rev().map(|(key, _)| key.as_str()).collect();
            format!("{}: {} | {}/ {} {} {}/{} {}", line.trim(), said, order, back, shelf.len(), shelf.weight(), shelf.capacity(), shelf.is_empty())
        })
        .collect()
}

fn recency() {
    observe("order", run(3, "get a;put a 1;put b 1;put c 1;get a;put d 1;peek b;peek c;add c;put e 1;get a;remove c;remove c;pop;pop;pop"));
    observe("replace", run(3, "put a 1;put b 1;put a 2;put a 3;put a 1;put b 1;put c 1;put b 2;put d 0;put e 0;put f 3"));
    observe("zero", run(0, "put a 0;put b 1;put b 0;get a;pop;put a 0;clear;put a 0"));
    observe("retain", run(9, "put a 1;put b 2;put c 3;put d 1;pin c;get a;odd;odd;put e 4;odd;clear;odd"));
}

fn weights() {
    observe("heavy", run(5, "put a 2;put a 6;put b 5;put c 6;put b 6;put d 3;put e 3"));
    observe("pins", run(5, "put a 2;put b 2;pin a;put c 2;put d 4;put d 3;pin d;put e 1;unpin a;put e 1;pin x;unpin x;put d 4;put f 1;pop;unpin d;pop;pop"));
    observe("pinned_replaced", run(4, "put a 2;pin a;put a 3;put b 2;put b 1;put a 4;put c 1;remove a;put a 4;put c 1"));
    observe("resize", run(9, "put a 3;put b 3;put c 3;get a;resize 6;resize 9;put d 3;pin a;pin c;resize 5;resize 6;resize 0;unpin a;resize 3;unpin c;resize 0;resize 1"));
    observe("reweigh", run(9, "put a 3;put b 3;put c 3;weigh a 4;weigh a 9;weigh a 10;weigh x 1;put b 0;weigh a 1;put c 8;pin c;weigh a 2;weigh a 1;pin a;weigh b 1;weigh b 0;weigh a 0;weigh b 1"));
    observe("huge", run(u64::MAX, "put a max;put b 1;put c max;put d 0;weigh d 1;weigh c max;pin c;put e 1;weigh d 5;resize 7;unpin c;put e 18446744073709551614;put f 1;put g 1"));
    let mut shelf = Shelf::new(1000);
    let mut state = 5u64;
    let mut digest = 0u64;
    for step in 0..1_200_000u64 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let key = state >> 33 & 511;
        let seen = match state >> 43 & 7 {
            0 => shelf.get(&key).copied().unwrap_or(1),
            1 => shelf.remove(&key).unwrap_or(2),
            2 => shelf.pop_oldest().map_or(3, |(key, value)| key + value),
            _ => match shelf.insert(key, step, state >> 50 & 15) {
                Inserted::Stored { evicted, .. } => evicted.iter().map(|(key, value)| key * 3 + value).sum(),
                _ => 4,
            },
        };
        digest = digest.wrapping_mul(31).wrapping_add(seen);
    }
    observe("many", vec![format!("{:x}", digest), format!("{} {}", shelf.len(), shelf.weight())]);
    let mut large = Shelf::new(u64::MAX);
    for key in 0..1_000_000u32 {
        large.insert(key, key, 1);
    }
    let sum: u64 = (0..1_000_000u32).rev().filter_map(|key| large.get(&key).copied()).map(u64::from).sum();
    let popped: Vec<String> = (0..3).map(|_| format!("{:?}", large.pop_oldest())).collect();
    observe("large", vec![sum.to_string(), popped.join(" "), large.iter().len().to_string(), format!("{:?}", large.resize(2).map(|gone| gone.len()))]);
}

fn drops() {
    let log: Log = Log::default();
    let packet = |name| Packet(name, log.clone());
    let gone = || log.borrow_mut().split_off(0).join(" ");
    let mut lines = Vec::new();
    let mut shelf = Shelf::new(3);
    for name in ["a", "b", "c"] {
        shelf.insert(name.to_string(), packet(name), 1);
    }
    lines.push(gone());
    drop(shelf.insert("d".to_string(), packet("d"), 1));
    lines.push(gone());
    drop(shelf.insert("b".to_string(), packet("b2"), 1));
    lines.push(gone());
    drop(shelf.insert("x".to_string(), packet("x"), 4));
    lines.push(gone());
    shelf.pin("c");
    shelf.pin("b");
    shelf.pin("d");
    drop(shelf.insert("y".to_string(), packet("y"), 1));
    lines.push(gone());
    shelf.retain(|key, _| key != "d");
    lines.push(gone());
    let kept = shelf.remove("c");
    lines.push(gone());
    drop(kept);
    lines.push(gone());
    shelf.insert("e".to_string(), packet("e"), 1);
    shelf.insert("f".to_string(), packet("f"), 1);
    let mut entries = shelf.into_iter();
    let first = entries.next().map(|(key, value)| key + value.0);
    lines.push(format!("{:?} {}", first, gone()));
    drop(entries);
    let mut rest = log.borrow_mut().split_off(0);
    rest.sort();
    lines.push(rest.join(" "));
    let mut shelf = Shelf::new(9);
    for name in ["p", "q", "r"] {
        shelf.insert(name, packet(name), 2);
    }
    shelf.clear();
    let mut rest = log.borrow_mut().split_off(0);
    rest.sort();
    lines.push(format!("{} {}", rest.join(" "), shelf.weight()));
    shelf.insert("s", packet("s"), 2);
    drop(shelf);
    lines.push(gone());
    observe("drops", lines);
    let mut shelf = Shelf::new(9);
    for (place, name) in ["a", "b", "c", "d", "e"].into_iter().enumerate() {
        shelf.insert(name, place, 1);
    }
    shelf.get("b");
    let mut iter = shelf.iter();
    let mixed = format!("{:?} {:?} {} {:?} {:?} {:?} {:?} {:?} {}", iter.next(), iter.next_back(), iter.len(), iter.next_back(), iter.next(), iter.next(), iter.next(), iter.next_back(), iter.len());
    observe("iterators", vec![mixed, format!("{:?}", shelf.into_iter().collect::<Vec<_>>())]);
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("recency") => recency(),
        Some("weights") => weights(),
        _ => drops(),
    }
}
