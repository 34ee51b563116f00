//! Adapters that cut iterators into vectors.

use std::marker::PhantomData;

/// Chunks of a number of items, see [`ChunkExt::chunks_of`].
pub struct Chunks<I: Iterator> {
    source: PhantomData<I>,
}

/// Chunks of neighbours, see [`ChunkExt::chunks_by`].
pub struct ChunksBy<I: Iterator, F> {
    source: PhantomData<(I, F)>,
}

/// Chunks of limited weight, see [`ChunkExt::chunks_within`].
pub struct ChunksWithin<I: Iterator, F> {
    source: PhantomData<(I, F)>,
}

/// Chunks for every iterator.
pub trait ChunkExt: Iterator + Sized {
    /// Vectors of `size` items.
    fn chunks_of(self, size: usize) -> Chunks<Self> {
        todo!("chunks of {}", size)
    }

    /// Vectors of neighbours that belong together.
    fn chunks_by<F: FnMut(&Self::Item, &Self::Item) -> bool>(self, _same: F) -> ChunksBy<Self, F> {
        todo!("chunks of neighbours")
    }

    /// Vectors that weigh at most `limit`.
    fn chunks_within<F: FnMut(&Self::Item) -> u64>(self, limit: u64, _weigh: F) -> ChunksWithin<Self, F> {
        todo!("chunks up to {}", limit)
    }
}

impl<I: Iterator> ChunkExt for I {}

impl<I: Iterator> Iterator for Chunks<I> {
    type Item = Vec<I::Item>;

    fn next(&mut self) -> Option<Self::Item> {
        todo!("the next chunk")
    }
}

impl<I: Iterator, F: FnMut(&I::Item, &I::Item) -> bool> Iterator for ChunksBy<I, F> {
    type Item = Vec<I::Item>;

    fn next(&mut self) -> Option<Self::Item> {
        todo!("the next chunk")
    }
}

impl<I: Iterator, F: FnMut(&I::Item) -> u64> Iterator for ChunksWithin<I, F> {
    type Item = Vec<I::Item>;

    fn next(&mut self) -> Option<Self::Item> {
        todo!("the next chunk")
    }
}
