"""A series of readings."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction


class Series:
    """Readings at times, and what lies between them."""

    def __init__(self, points: Iterable[tuple[int, int | float | Fraction]], *, max_gap: int | None = None) -> None:
        raise NotImplementedError

    def at(self, time: int | Fraction, method: str = "linear") -> Fraction | None:
        """The value at a time."""
        raise NotImplementedError
