"""Reports of a book as text."""

from __future__ import annotations

from datetime import date

from .book import Book


def render(book: Book, *, by: str, fmt: str, top: int | None = None, since: date | None = None, until: date | None = None) -> str:
    """The report of a book."""
    raise NotImplementedError
