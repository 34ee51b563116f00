//! Adapters that cut iterators into vectors.

use std::iter::{Fuse, FusedIterator};

/// Chunks of a number of items, see [`ChunkExt::chunks_of`].
#[derive(Clone)]
pub struct Chunks<I: Iterator> {
    source: Option<I>,
    size: usize,
}

/// Chunks of neighbours, see [`ChunkExt::chunks_by`].
pub struct ChunksBy<I: Iterator, F> {
    ahead: Ahead<I>,
    same: F,
}

/// Chunks of limited weight, see [`ChunkExt::chunks_within`].
pub struct ChunksWithin<I: Iterator, F> {
    ahead: Ahead<I>,
    held_weight: u64,
    limit: u64,
    weigh: F,
}

/// A source and the item that was taken from it too early.
struct Ahead<I: Iterator> {
    source: Fuse<I>,
    held: Option<I::Item>,
    ended: bool,
}

impl<I: Iterator + Clone> Clone for Ahead<I>
where
    I::Item: Clone,
{
    fn clone(&self) -> Self {
        Ahead { source: self.source.clone(), held: self.held.clone(), ended: self.ended }
    }
}

impl<I: Iterator + Clone, F: Clone> Clone for ChunksBy<I, F>
where
    I::Item: Clone,
{
    fn clone(&self) -> Self {
        ChunksBy { ahead: self.ahead.clone(), same: self.same.clone() }
    }
}

impl<I: Iterator + Clone, F: Clone> Clone for ChunksWithin<I, F>
where
    I::Item: Clone,
{
    fn clone(&self) -> Self {
        ChunksWithin { ahead: self.ahead.clone(), held_weight: self.held_weight, limit: self.limit, weigh: self.weigh.clone() }
    }
}

impl<I: Iterator> Ahead<I> {
    fn new(source: I) -> Self {
        Ahead { source: source.fuse(), held: None, ended: false }
    }

    fn take(&mut self) -> Option<I::Item> {
        let item = self.source.next();
        self.ended |= item.is_none();
        item
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let held = usize::from(self.held.is_some());
        if self.ended {
            return (held, Some(held));
        }
        let (low, high) = self.source.size_hint();
        (usize::from(held + low.min(1) > 0), high.and_then(|high| high.checked_add(held)))
    }
}

/// Chunks for every iterator.
pub trait ChunkExt: Iterator + Sized {
    /// Vectors of `size` items.
    fn chunks_of(self, size: usize) -> Chunks<Self> {
        assert!(size > 0, "chunk size must be positive");
        Chunks { source: Some(self), size }
    }

    /// Vectors of neighbours that belong together.
    fn chunks_by<F: FnMut(&Self::Item, &Self::Item) -> bool>(self, same: F) -> ChunksBy<Self, F> {
        ChunksBy { ahead: Ahead::new(self), same }
    }

    /// Vectors that weigh at most `limit`.
    fn chunks_within<F: FnMut(&Self::Item) -> u64>(self, limit: u64, weigh: F) -> ChunksWithin<Self, F> {
        ChunksWithin { ahead: Ahead::new(self), held_weight: 0, limit, weigh }
    }
}

impl<I: Iterator> ChunkExt for I {}

impl<I: Iterator> Iterator for Chunks<I> {
    type Item = Vec<I::Item>;

    fn next(&mut self) -> Option<Self::Item> {
        let source = self.source.as_mut()?;
        let mut chunk = Vec::new();
        while chunk.len() < self.size {
            match source.next() {
                Some(item) => chunk.push(item),
                None => {
                    self.source = None;
                    break;
                }
            }
        }
        (!chunk.is_empty()).then_some(chunk)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let chunks = |items: usize| items / self.size + usize::from(items % self.size > 0);
        match &self.source {
            Some(source) => {
                let (low, high) = source.size_hint();
                (chunks(low), high.map(chunks))
            }
            None => (0, Some(0)),
        }
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Chunks<I> {}
impl<I: Iterator> FusedIterator for Chunks<I> {}

impl<I: DoubleEndedIterator + ExactSizeIterator> DoubleEndedIterator for Chunks<I> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let source = self.source.as_mut()?;
        let length = match source.len() % self.size {
            0 => self.size,
            rest => rest,
        };
        let mut chunk: Vec<_> = source.rev().take(length).collect();
        if chunk.is_empty() {
            self.source = None;
            return None;
        }
        chunk.reverse();
        Some(chunk)
    }
}

impl<I: Iterator, F: FnMut(&I::Item, &I::Item) -> bool> Iterator for ChunksBy<I, F> {
    type Item = Vec<I::Item>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut last = match self.ahead.held.take() {
            Some(item) => item,
            None => self.ahead.take()?,
        };
        let mut chunk = Vec::new();
        while let Some(item) = self.ahead.take() {
            if !(self.same)(&last, &item) {
                self.ahead.held = Some(item);
                break;
            }
            chunk.push(std::mem::replace(&mut last, item));
        }
        chunk.push(last);
        Some(chunk)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.ahead.size_hint()
    }
}

impl<I: Iterator, F: FnMut(&I::Item, &I::Item) -> bool> FusedIterator for ChunksBy<I, F> {}

impl<I: Iterator, F: FnMut(&I::Item) -> u64> Iterator for ChunksWithin<I, F> {
    type Item = Vec<I::Item>;

    fn next(&mut self) -> Option<Self::Item> {
        let (first, mut total) = match self.ahead.held.take() {
            Some(item) => (item, self.held_weight),
            None => {
                let item = self.ahead.take()?;
                let weight = (self.weigh)(&item);
                (item, weight)
            }
        };
        let mut chunk = vec![first];
        while let Some(item) = self.ahead.take() {
            let weight = (self.weigh)(&item);
            match total.checked_add(weight) {
                Some(sum) if sum <= self.limit => {
                    total = sum;
                    chunk.push(item);
                }
                _ => {
                    self.ahead.held = Some(item);
                    self.held_weight = weight;
                    break;
                }
            }
        }
        Some(chunk)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.ahead.size_hint()
    }
}

impl<I: Iterator, F: FnMut(&I::Item) -> u64> FusedIterator for ChunksWithin<I, F> {}
