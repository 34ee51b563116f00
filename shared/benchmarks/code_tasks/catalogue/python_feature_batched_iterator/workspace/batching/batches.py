"""Streams cut into batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar

Item = TypeVar("Item")

MISSING: Final = object()
"""No fill value was given."""


def batched(iterable: Iterable[Item], size: int, *, fill: Any = MISSING, strict: bool = False) -> Iterator[tuple[Any, ...]]:
    """Batches of `size` items."""
    raise NotImplementedError


def windows(iterable: Iterable[Item], size: int, overlap: int = 0) -> Iterator[tuple[Item, ...]]:
    """Batches that begin with the end of the one before."""
    raise NotImplementedError


def weighted(iterable: Iterable[Item], limit: int, weigh: Callable[[Item], int], *, most: int | None = None) -> Iterator[tuple[Item, ...]]:
    """Batches that weigh at most `limit`."""
    raise NotImplementedError
