//! A cache of what was used last, by weight.

use std::borrow::Borrow;
use std::hash::Hash;

/// What became of an insert.
#[derive(Debug, PartialEq)]
pub enum Inserted<K, V> {
    Stored { replaced: Option<V>, evicted: Vec<(K, V)> },
    TooHeavy(K, V),
    Blocked(K, V),
}

/// Why an entry keeps its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReweighError {
    Missing,
    TooHeavy,
    Blocked,
}

/// Entries whose weights stay within a capacity; those used last stay longest.
pub struct Shelf<K, V> {
    capacity: u64,
    entries: Vec<(K, V, u64)>,
}

impl<K: Hash + Eq + Clone, V> Shelf<K, V> {
    /// An empty shelf.
    pub fn new(capacity: u64) -> Self {
        Shelf { capacity, entries: Vec::new() }
    }

    /// Puts an entry in front.
    pub fn insert(&mut self, _key: K, _value: V, _weight: u64) -> Inserted<K, V> {
        todo!("insert within {}", self.capacity)
    }

    /// The value of a key, which becomes the newest.
    pub fn get<Q: Hash + Eq + ?Sized>(&mut self, _key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        todo!("get from {}", self.entries.len())
    }
}
