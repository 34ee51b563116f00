//! A cache of what was used last, by weight.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::iter::FusedIterator;

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

const NONE: usize = usize::MAX;

struct Node<K, V> {
    key: K,
    value: V,
    weight: u64,
    pinned: bool,
    newer: usize,
    older: usize,
}

/// Entries whose weights stay within a capacity; those used last stay longest.
pub struct Shelf<K, V> {
    capacity: u64,
    weight: u64,
    index: HashMap<K, usize>,
    nodes: Vec<Option<Node<K, V>>>,
    free: Vec<usize>,
    newest: usize,
    oldest: usize,
}

impl<K: Hash + Eq + Clone, V> Shelf<K, V> {
    /// An empty shelf.
    pub fn new(capacity: u64) -> Self {
        Shelf { capacity, weight: 0, index: HashMap::new(), nodes: Vec::new(), free: Vec::new(), newest: NONE, oldest: NONE }
    }

    /// Puts an entry in front.
    pub fn insert(&mut self, key: K, value: V, weight: u64) -> Inserted<K, V> {
        if weight > self.capacity {
            return Inserted::TooHeavy(key, value);
        }
        let old = self.index.get(&key).copied();
        let leaving = match self.leaving(weight, old, self.capacity) {
            Some(leaving) => leaving,
            None => return Inserted::Blocked(key, value),
        };
        let old = old.map(|at| self.take(at));
        let pinned = old.as_ref().map_or(false, |old| old.pinned);
        let evicted = self.take_all(leaving);
        let node = Node { key: key.clone(), value, weight, pinned, newer: NONE, older: NONE };
        let at = match self.free.pop() {
            Some(at) => {
                self.nodes[at] = Some(node);
                at
            }
            None => {
                self.nodes.push(Some(node));
                self.nodes.len() - 1
            }
        };
        self.weight += weight;
        self.index.insert(key, at);
        self.link(at);
        Inserted::Stored { replaced: old.map(|old| old.value), evicted }
    }

    /// The value of a key, which becomes the newest.
    pub fn get<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.get_mut(key).map(|value| &*value)
    }

    /// The value of a key, which becomes the newest.
    pub fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at = *self.index.get(key)?;
        self.unlink(at);
        self.link(at);
        Some(&mut self.node_mut(at).value)
    }

    /// The value of a key.
    pub fn peek<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.index.get(key).map(|&at| &self.node(at).value)
    }

    /// Whether a key is there.
    pub fn contains<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.index.contains_key(key)
    }

    /// Keeps an entry from being evicted.
    pub fn pin<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.set_pinned(key, true)
    }

    /// Lets an entry be evicted again.
    pub fn unpin<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.set_pinned(key, false)
    }

    /// Takes an entry out.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at = *self.index.get(key)?;
        Some(self.take(at).value)
    }

    /// Takes the oldest unpinned entry out.
    pub fn pop_oldest(&mut self) -> Option<(K, V)> {
        let mut at = self.oldest;
        while at != NONE && self.node(at).pinned {
            at = self.node(at).newer;
        }
        (at != NONE).then(|| self.take(at)).map(|node| (node.key, node.value))
    }

    /// Sets another capacity.
    pub fn resize(&mut self, capacity: u64) -> Result<Vec<(K, V)>, u64> {
        match self.leaving(0, None, capacity) {
            Some(leaving) => {
                self.capacity = capacity;
                Ok(self.take_all(leaving))
            }
            None => Err(self.nodes.iter().flatten().filter(|node| node.pinned).map(|node| node.weight).sum()),
        }
    }

    /// Sets another weight of an entry.
    pub fn reweigh<Q: Hash + Eq + ?Sized>(&mut self, key: &Q, weight: u64) -> Result<Vec<(K, V)>, ReweighError>
    where
        K: Borrow<Q>,
    {
        let at = *self.index.get(key).ok_or(ReweighError::Missing)?;
        if weight > self.capacity {
            return Err(ReweighError::TooHeavy);
        }
        let leaving = self.leaving(weight, Some(at), self.capacity).ok_or(ReweighError::Blocked)?;
        let evicted = self.take_all(leaving);
        self.weight = self.weight - self.node(at).weight + weight;
        self.node_mut(at).weight = weight;
        Ok(evicted)
    }

    /// Keeps only the entries that `keep` wants.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        let mut at = self.newest;
        while at != NONE {
            let older = self.node(at).older;
            let node = self.node_mut(at);
            if !keep(&node.key, &mut node.value) {
                self.take(at);
            }
            at = older;
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The sum of the weights.
    pub fn weight(&self) -> u64 {
        self.weight
    }

    /// The highest sum of weights.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// The entries, newest first.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { shelf: self, front: self.newest, back: self.oldest, left: self.len() }
    }

    /// Drops everything.
    pub fn clear(&mut self) {
        *self = Shelf::new(self.capacity);
    }

    /// The oldest entries that have to leave, so that `weight` fits when `instead` does not count; none where pinned ones stand in the way.
    fn leaving(&self, weight: u64, instead: Option<usize>, capacity: u64) -> Option<Vec<usize>> {
        let mut rest = self.weight - instead.map_or(0, |at| self.node(at).weight);
        let mut leaving = Vec::new();
        let mut at = self.oldest;
        while rest.checked_add(weight).map_or(true, |sum| sum > capacity) {
            if at == NONE {
                return None;
            }
            let node = self.node(at);
            if !node.pinned && Some(at) != instead {
                rest -= node.weight;
                leaving.push(at);
            }
            at = node.newer;
        }
        Some(leaving)
    }

    fn take_all(&mut self, places: Vec<usize>) -> Vec<(K, V)> {
        places.into_iter().map(|at| self.take(at)).map(|node| (node.key, node.value)).collect()
    }

    fn take(&mut self, at: usize) -> Node<K, V> {
        self.unlink(at);
        let node = self.nodes[at].take().expect("a linked node is there");
        self.index.remove(&node.key);
        self.free.push(at);
        self.weight -= node.weight;
        node
    }

    fn set_pinned<Q: Hash + Eq + ?Sized>(&mut self, key: &Q, pinned: bool) -> bool
    where
        K: Borrow<Q>,
    {
        let at = self.index.get(key).copied();
        if let Some(at) = at {
            self.node_mut(at).pinned = pinned;
        }
        at.is_some()
    }

    fn link(&mut self, at: usize) {
        let older = self.newest;
        let node = self.node_mut(at);
        node.newer = NONE;
        node.older = older;
        match older {
            NONE => self.oldest = at,
            _ => self.node_mut(older).newer = at,
        }
        self.newest = at;
    }

    fn unlink(&mut self, at: usize) {
        let (newer, older) = (self.node(at).newer, self.node(at).older);
        match newer {
            NONE => self.newest = older,
            _ => self.node_mut(newer).older = older,
        }
        match older {
            NONE => self.oldest = newer,
            _ => self.node_mut(older).newer = newer,
        }
    }

    fn node_mut(&mut self, at: usize) -> &mut Node<K, V> {
        self.nodes[at].as_mut().expect("a linked node is there")
    }
}

impl<K, V> Shelf<K, V> {
    fn node(&self, at: usize) -> &Node<K, V> {
        self.nodes[at].as_ref().expect("a linked node is there")
    }
}

/// Entries, newest first.
pub struct Iter<'a, K, V> {
    shelf: &'a Shelf<K, V>,
    front: usize,
    back: usize,
    left: usize,
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let node = self.shelf.node(self.front);
        self.front = node.older;
        Some((&node.key, &node.value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<K, V> DoubleEndedIterator for Iter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let node = self.shelf.node(self.back);
        self.back = node.newer;
        Some((&node.key, &node.value))
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}
impl<K, V> FusedIterator for Iter<'_, K, V> {}

impl<K: Hash + Eq + Clone, V> IntoIterator for Shelf<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(mut self) -> Self::IntoIter {
        let mut entries = Vec::with_capacity(self.len());
        while self.oldest != NONE {
            let node = self.take(self.oldest);
            entries.push((node.key, node.value));
        }
        entries.into_iter()
    }
}
