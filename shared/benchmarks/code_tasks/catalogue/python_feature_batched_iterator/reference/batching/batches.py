"""Streams cut into batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Final, TypeVar

Item = TypeVar("Item")

MISSING: Final = object()
"""No fill value was given."""


def batched(iterable: Iterable[Item], size: int, *, fill: Any = MISSING, strict: bool = False) -> Iterator[tuple[Any, ...]]:
    """Batches of `size` items."""
    _require("size", size, 1)
    if strict and fill is not MISSING:
        raise ValueError("fill and strict exclude each other")

    def batches() -> Iterator[tuple[Any, ...]]:
        source = iter(iterable)
        while batch := tuple(islice(source, size)):
            short = size - len(batch)
            if short and strict:
                raise ValueError(f"last batch has {len(batch)} of {size} items")
            yield batch + (fill,) * short if fill is not MISSING else batch
            if short:
                return

    return batches()


def windows(iterable: Iterable[Item], size: int, overlap: int = 0) -> Iterator[tuple[Item, ...]]:
    """Batches that begin with the end of the one before."""
    _require("size", size, 1)
    _require("overlap", overlap, 0)
    if overlap >= size:
        raise ValueError("overlap must be smaller than size")

    def batches() -> Iterator[tuple[Item, ...]]:
        source = iter(iterable)
        batch = tuple(islice(source, size))
        while batch:
            yield batch
            if len(batch) < size:
                return
            fresh = tuple(islice(source, size - overlap))
            if not fresh:
                return
            batch = batch[size - overlap :] + fresh

    return batches()


def weighted(iterable: Iterable[Item], limit: int, weigh: Callable[[Item], int], *, most: int | None = None) -> Iterator[tuple[Item, ...]]:
    """Batches that weigh at most `limit`."""
    _require("limit", limit, 1)
    if most is not None:
        _require("most", most, 1)

    def batches() -> Iterator[tuple[Item, ...]]:
        batch: list[Item] = []
        total = 0
        for item in iterable:
            weight = weigh(item)
            if batch and total + weight > limit:
                yield tuple(batch)
                batch, total = [], 0
            batch.append(item)
            total += weight
            if total > limit or len(batch) == most:
                yield tuple(batch)
                batch, total = [], 0
        if batch:
            yield tuple(batch)

    return batches()


def _require(name: str, value: object, minimum: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an integer")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}")
