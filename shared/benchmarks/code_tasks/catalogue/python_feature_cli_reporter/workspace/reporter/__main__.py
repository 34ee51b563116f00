"""The command: python3 -m reporter."""

from __future__ import annotations

import argparse
import sys
from datetime import date

from .book import load
from .report import render


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="reporter", description="Reports of a harvest book.")
    parser.add_argument("file", nargs="?", default="-")
    parser.add_argument("--by", choices=("row", "variety", "month"), default="row")
    parser.add_argument("--format", choices=("table", "csv", "bars"), default="table")
    parser.add_argument("--top", type=_count)
    parser.add_argument("--since", type=date.fromisoformat)
    parser.add_argument("--until", type=date.fromisoformat)
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args(arguments)
    try:
        lines = sys.stdin.readlines() if options.file == "-" else open(options.file, encoding="utf-8").readlines()
    except OSError as error:
        print(f"reporter: {options.file}: {error.strerror}", file=sys.stderr)
        return 2
    book = load(lines)
    for problem in book.problems:
        print(problem, file=sys.stderr)
    print(render(book, by=options.by, fmt=options.format, top=options.top, since=options.since, until=options.until), end="")
    return 3 if options.strict and book.problems else 0


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise ValueError(text)
    return value


if __name__ == "__main__":
    sys.exit(main())
