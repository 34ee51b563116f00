//! Settings of a weather station.

mod parser;
mod value;

pub use parser::parse;
pub use value::{ErrorKind, ParseError, Value};

/// Full keys with their values, in the order in which they were set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    entries: Vec<(String, Value)>,
}

impl Settings {
    /// The value of a full key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// All full keys with their values, in the order in which they were set.
    pub fn entries(&self) -> &[(String, Value)] {
        &self.entries
    }

    #[allow(dead_code)]
    pub(crate) fn set(&mut self, key: String, value: Value) {
        self.entries.push((key, value));
    }
}
