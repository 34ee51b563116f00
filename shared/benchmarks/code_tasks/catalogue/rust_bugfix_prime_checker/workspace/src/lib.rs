//! Prime numbers for the teeth of gear wheels.

mod factor;
mod gears;

pub use factor::{factors, is_prime, primes_between, smallest_factor};
pub use gears::{coprime_pair, totient};
