"""The harvest book."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date


_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WEIGHT = re.compile(r"([0-9]+)(?:\.([0-9]{1,2}))?")


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
    book = Book()
    seen: dict[tuple[date, str, str], int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            record = _parse(line)
            key = (record.day, record.row, record.variety)
            if key in seen:
                raise ValueError(f"duplicate of line {seen[key]}")
        except ValueError as error:
            book.problems.append(f"line {number}: {error}")
            continue
        seen[key] = number
        book.records.append(record)
    return book


def _parse(line: str) -> Record:
    fields = [text.strip() for text in line.split(";")]
    if len(fields) != 4:
        raise ValueError(f"expected 4 fields, found {len(fields)}")
    day_text, row, variety, weight = fields
    day = _day(day_text)
    if day is None:
        raise ValueError(f'bad date "{day_text}"')
    if not row:
        raise ValueError("empty row")
    if not variety:
        raise ValueError("empty variety")
    match = _WEIGHT.fullmatch(weight)
    if match is None:
        raise ValueError(f'bad weight "{weight}"')
    return Record(day, row, variety, int(match[1]) * 100 + int((match[2] or "").ljust(2, "0")))


def _day(text: str) -> date | None:
    if not _DATE.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
