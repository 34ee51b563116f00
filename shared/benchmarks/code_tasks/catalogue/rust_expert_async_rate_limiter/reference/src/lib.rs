//! A rate limiter on an executor with virtual time.

mod executor;
mod limiter;

pub use executor::{Executor, Sleep, Task};
pub use limiter::{Acquire, LimitError, Limiter};
