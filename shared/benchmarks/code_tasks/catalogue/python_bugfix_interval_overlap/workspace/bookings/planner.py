"""Questions about many bookings at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .interval import Interval


def conflicts(bookings: Mapping[str, Interval]) -> list[tuple[str, str]]:
    """Pairs of names whose intervals overlap."""
    ordered = sorted(bookings.items(), key=lambda item: (item[1], item[0]))
    found = []
    for place, (name, interval) in enumerate(ordered):
        for later, other in ordered[place + 1 :]:
            if other.start >= interval.end:
                break
            if interval.overlaps(other):
                found.append((name, later))
    return found


def is_free(request: Interval, bookings: Mapping[str, Interval]) -> bool:
    """Whether `request` can be booked beside the others."""
    return not any(request.overlaps(booked) for booked in bookings.values())


def busy_minutes(intervals: Iterable[Interval]) -> int:
    """Minutes that at least one interval covers."""
    return sum(interval.length for interval in _merged(intervals))


def first_gap(intervals: Iterable[Interval], opening: int, closing: int, length: int) -> Interval | None:
    """The earliest stretch of `length` free minutes within the opening hours."""
    earliest = opening
    for busy in _merged(intervals):
        if busy.start - earliest >= length:
            break
        earliest = max(earliest, busy.end)
    if closing - earliest < length:
        return None
    return Interval(earliest, earliest + length)


def _merged(intervals: Iterable[Interval]) -> list[Interval]:
    merged: list[Interval] = []
    for interval in sorted(intervals):
        if merged and interval.start <= merged[-1].end:
            merged[-1] = Interval(merged[-1].start, interval.end)
        else:
            merged.append(interval)
    return merged
