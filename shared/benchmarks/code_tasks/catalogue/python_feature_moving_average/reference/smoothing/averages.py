"""Averages over places of a series; `None` is a lost reading."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import fsum, isfinite

Reading = float | None


def simple(values: Iterable[Reading], window: int, *, minimum: int | None = None) -> list[Reading]:
    """Means over the last `window` places."""
    _check_window(window)
    if minimum is None:
        minimum = window
    elif not _is_integer(minimum) or not 1 <= minimum <= window:
        raise ValueError(f"minimum must be between 1 and {window}")
    readings = _finite(values)
    return [_mean(readings[max(0, end - window) : end], minimum) for end in range(1, len(readings) + 1)]


def centered(values: Iterable[Reading], window: int) -> list[Reading]:
    """Means over the places around each one."""
    _check_window(window)
    readings = _finite(values)
    before, after = (window - 1) // 2, window // 2
    return [_mean(readings[max(0, place - before) : place + after + 1], 1) for place in range(len(readings))]


def weighted(values: Iterable[Reading], weights: Sequence[float]) -> list[Reading]:
    """Weighted means over the last places."""
    weights = list(weights)
    if any(weight < 0 for weight in weights) or not any(weights):
        raise ValueError("weights must not be negative nor all zero")
    readings = _finite(values)
    means: list[Reading] = []
    for end in range(1, len(readings) + 1):
        there = [] if end < len(weights) else [pair for pair in zip(weights, readings[end - len(weights) : end]) if pair[1] is not None]
        total = fsum(weight for weight, _ in there)
        means.append(fsum(weight * reading for weight, reading in there) / total if total else None)
    return means


def exponential(values: Iterable[Reading], alpha: float, *, reset_after: int | None = None) -> list[Reading]:
    """Exponentially smoothed readings."""
    if not 0 < alpha <= 1:
        raise ValueError("alpha must be above 0 and at most 1")
    if reset_after is not None and not (_is_integer(reset_after) and reset_after >= 1):
        raise ValueError("reset_after must be a positive integer")
    average: Reading = None
    lost = 0
    means: list[Reading] = []
    for reading in _finite(values):
        if reading is None:
            lost += 1
            if lost == reset_after:
                average = None
        else:
            lost = 0
            average = float(reading) if average is None else alpha * reading + (1 - alpha) * average
        means.append(average)
    return means


def cumulative(values: Iterable[Reading]) -> list[Reading]:
    """Means of all readings so far."""
    total, count = Fraction(0), 0
    means: list[Reading] = []
    for reading in _finite(values):
        if reading is not None:
            total += Fraction(reading)
            count += 1
        means.append(float(total) / count if count else None)
    return means


def _mean(readings: list[Reading], minimum: int) -> Reading:
    there = [reading for reading in readings if reading is not None]
    return fsum(there) / len(there) if len(there) >= minimum else None


def _finite(values: Iterable[Reading]) -> list[Reading]:
    readings = list(values)
    for place, reading in enumerate(readings):
        if reading is not None and not isfinite(reading):
            raise ValueError(f"reading {place} is not finite")
    return readings


def _check_window(window: object) -> None:
    if not _is_integer(window) or window < 1:
        raise ValueError("window must be a positive integer")


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
