use crate::factor::factors;

/// The largest number of teeth up to `most` that wears evenly beside `teeth`.
pub fn coprime_pair(teeth: u32, most: u32) -> Option<u32> {
    let primes: Vec<u32> = factors(teeth).into_iter().map(|(prime, _)| prime).collect();
    (2..most)
        .rev()
        .find(|other| primes.iter().all(|prime| other % prime != 0))
}

/// How many of the numbers up to `n` have no common factor with it.
pub fn totient(n: u32) -> u32 {
    factors(n)
        .into_iter()
        .fold(n, |count, (prime, _)| count * (prime - 1) / prime)
}
