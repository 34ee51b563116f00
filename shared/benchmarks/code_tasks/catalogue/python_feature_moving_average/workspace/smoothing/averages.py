"""Averages over places of a series; `None` is a lost reading."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Reading = float | None


def simple(values: Iterable[Reading], window: int, *, minimum: int | None = None) -> list[Reading]:
    """Means over the last `window` places."""
    raise NotImplementedError


def centered(values: Iterable[Reading], window: int) -> list[Reading]:
    """Means over the places around each one."""
    raise NotImplementedError


def weighted(values: Iterable[Reading], weights: Sequence[float]) -> list[Reading]:
    """Weighted means over the last places."""
    raise NotImplementedError


def exponential(values: Iterable[Reading], alpha: float, *, reset_after: int | None = None) -> list[Reading]:
    """Exponentially smoothed readings."""
    raise NotImplementedError


def cumulative(values: Iterable[Reading]) -> list[Reading]:
    """Means of all readings so far."""
    raise NotImplementedError
