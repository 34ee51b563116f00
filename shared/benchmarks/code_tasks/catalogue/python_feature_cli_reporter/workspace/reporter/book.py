"""The harvest book."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True)
class Record:
    """One delivery; its weight in hundredths of a kilogram."""

    day: date
    row: str
    variety: str
    centi_kg: int


@dataclass
class Book:
    """Good records, and what was wrong with the others."""

    records: list[Record] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def load(lines: Iterable[str]) -> Book:
    """Reads a book."""
    raise NotImplementedError
