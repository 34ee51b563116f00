"""Reports of a book as text."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

from .book import Book, Record

_BAR = 20


def render(book: Book, *, by: str, fmt: str, top: int | None = None, since: date | None = None, until: date | None = None) -> str:
    """The report of a book."""
    records = [one for one in book.records if (since is None or since <= one.day) and (until is None or one.day <= until)]
    groups = _grouped(records, by, top)
    if fmt == "csv":
        lines = _csv(groups, by)
    elif not records:
        lines = ["no records"]
    else:
        lines = _table(groups, by, records) if fmt == "table" else _bars(groups)
    return "".join(f"{line.rstrip(' ')}\n" for line in lines)


def _grouped(records: list[Record], by: str, top: int | None) -> list[tuple[str, list[Record]]]:
    groups: dict[str, list[Record]] = {}
    for record in records:
        key = record.day.isoformat()[:7] if by == "month" else getattr(record, by)
        groups.setdefault(key, []).append(record)
    ordered = sorted(groups.items(), key=lambda item: item[0] if by == "month" else (-_total(item[1]), item[0]))
    if top is None or top >= len(ordered):
        return ordered
    rest = [record for _, members in ordered[top:] for record in members]
    return [*ordered[:top], ("(other)", rest)]


def _table(groups: list[tuple[str, list[Record]]], by: str, records: list[Record]) -> list[str]:
    rows = [[by.upper(), "COUNT", "TOTAL", "MEAN", "MAX"], *([key, *_figures(members)] for key, members in groups), ["TOTAL", *_figures(records)]]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = ["  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]) for row in rows]
    return [*lines[:-1], "-" * len(lines[0]), lines[-1]]


def _csv(groups: list[tuple[str, list[Record]]], by: str) -> list[str]:
    return [f"{by},count,total,mean,max", *(",".join([_quoted(key), *_figures(members)]) for key, members in groups)]


def _bars(groups: list[tuple[str, list[Record]]]) -> list[str]:
    width = max(len(key) for key, _ in groups)
    largest = max(_total(members) for _, members in groups)
    lines = []
    for key, members in groups:
        total = _total(members)
        length = max(round(Fraction(_BAR * total, largest)), 1) if total else 0
        lines.append(" ".join([key.ljust(width), "|", *(["#" * length] if length else []), _kg(total)]))
    return lines


def _figures(members: list[Record]) -> list[str]:
    total = _total(members)
    return [str(len(members)), _kg(total), _kg(round(Fraction(total, len(members)))), _kg(max(one.centi_kg for one in members))]


def _total(members: list[Record]) -> int:
    return sum(one.centi_kg for one in members)


def _kg(centi: int) -> str:
    return f"{centi // 100}.{centi % 100:02}"


def _quoted(key: str) -> str:
    if any(mark in key for mark in ',"') or key != key.strip(" "):
        return '"' + key.replace('"', '""') + '"'
    return key
