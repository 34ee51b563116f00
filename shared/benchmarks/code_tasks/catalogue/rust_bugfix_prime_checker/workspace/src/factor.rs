/// Whether `n` is a prime.
pub fn is_prime(n: u32) -> bool {
    smallest_factor(n) == Some(n)
}

/// The smallest prime that divides `n`.
pub fn smallest_factor(n: u32) -> Option<u32> {
    if n < 2 {
        return None;
    }
    for small in [2, 3] {
        if n % small == 0 {
            return Some(small);
        }
    }
    // All other primes stand beside a multiple of six.
    let mut candidate = 5u32;
    while candidate.wrapping_mul(candidate) < n {
        if n % candidate == 0 {
            return Some(candidate);
        }
        if n % (candidate + 2) == 0 {
            return Some(candidate + 2);
        }
        candidate += 6;
    }
    Some(n)
}

/// The primes that divide `n`, each with its exponent.
pub fn factors(n: u32) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    let mut rest = n;
    while let Some(prime) = smallest_factor(rest) {
        match found.last_mut() {
            Some((last, exponent)) if *last == prime => *exponent += 1,
            _ => found.push((prime, 1)),
        }
        rest /= prime;
    }
    found
}

/// The primes from `low` to `high`.
pub fn primes_between(low: u32, high: u32) -> Vec<u32> {
    let mut found = Vec::new();
    if low <= 2 {
        found.push(2);
    }
    let mut candidate = low | 1;
    while candidate < high {
        if is_prime(candidate) {
            found.push(candidate);
        }
        candidate += 2;
    }
    found
}
