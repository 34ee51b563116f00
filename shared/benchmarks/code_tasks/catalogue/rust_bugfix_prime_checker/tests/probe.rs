use primes::{coprime_pair, factors, is_prime, primes_between, smallest_factor, totient};
use std::fmt::Debug;

/// The `Debug` text of numbers and lists of them is JSON already, once pairs have square brackets.
fn observe(case: &str, value: impl Debug) {
    let text = format!("{:?}", value);
    let text = text.replace('(', "[").replace(')', "]").replace("Some[", "[").replace("None", "null");
    println!("\n@@ {} {}", case, text);
}

const TOP: u32 = u32::MAX;
const NUMBERS: [u32; 34] = [
    0, 1, 2, 3, 4, 5, 6, 9, 25, 35, 49, 77, 121, 143, 169, 361, 841, 1009, 1_018_081, 2_147_483_647, 2_147_483_648, 4_292_870_399, 4_292_870_400,
    4_293_001_441, 4_294_049_777, 4_293_918_721, 4_294_443_017, TOP, TOP - 1, TOP - 2, TOP - 3, TOP - 4, 4_294_967_279, 3_215_031_751,
];

fn primes_scenario() {
    observe("small", (0..400).filter(|&n| is_prime(n)).collect::<Vec<_>>());
    observe("chosen", NUMBERS.map(is_prime));
    observe("smallest", NUMBERS.map(|n| smallest_factor(n).unwrap_or(1)));
    observe("squares", (0..260u32).filter(|&n| is_prime(n * n) || n > 1 && smallest_factor(n * n) == Some(n)).collect::<Vec<_>>());
    let count = (0..300_000).filter(|&n| is_prime(n)).count();
    let sum: u64 = (0..300_000).filter(|&n| is_prime(n)).map(u64::from).sum();
    observe("count", (count, sum));
    let ranges = [(0, 0), (0, 1), (0, 2), (2, 2), (2, 3), (3, 3), (1, 29), (29, 29), (24, 28), (29, 31), (30, 10), (3, 2), (7, 13), (0, 100), (65_519, 65_537), (TOP - 120, TOP), (TOP, TOP), (TOP - 4, TOP - 4), (4_294_967_189, 4_294_967_291)];
    for (low, high) in ranges {
        observe(&format!("between_{}_{}", low, high), primes_between(low, high));
    }
    let wide = primes_between(1_000_000, 1_100_000);
    observe("between_wide", (wide.len(), wide[0], wide[wide.len() - 1]));
}

fn factors_scenario() {
    for n in NUMBERS {
        observe(&format!("factors_{}", n), factors(n));
    }
    observe("factors_more", [360, 1024, 3_486_784_401, 2_147_395_600, 4_294_836_225, 223_092_870, 999_999_937].map(factors));
    observe("totients", (0..80).map(totient).collect::<Vec<_>>());
    observe("totients_large", [TOP, TOP - 4, 4_293_001_441, 3_486_784_401, 223_092_870, 4_294_836_225, 2_147_483_648, 4_000_000_000].map(totient));
    let pairs = [(30, 28), (30, 29), (30, 30), (1, 10), (1, 2), (1, 1), (1, 0), (0, 50), (2, 2), (2, 3), (6, 4), (6, 5), (210, 10), (210, 11), (25, 25), (49, 50), (223_092_870, 28), (223_092_870, 29), (TOP, TOP), (TOP - 4, TOP - 4), (4_293_001_441, 65_521), (1, TOP)];
    observe("pairs", pairs.map(|(teeth, most)| coprime_pair(teeth, most).unwrap_or(0)));
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("primes") => primes_scenario(),
        _ => factors_scenario(),
    }
}
