"""A series of readings."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from fractions import Fraction
from math import isfinite
from typing import NamedTuple

_METHODS = ("previous", "next", "nearest", "linear", "monotone", "natural")
_WAYS = ("point", "mean", "count", "covered")


class _Part(NamedTuple):
    """A polynomial in the time since `start`, from `start` to `end`."""

    start: Fraction
    end: Fraction
    coefficients: tuple[Fraction, ...]

    def value(self, time: Fraction) -> Fraction:
        result = Fraction(0)
        for coefficient in reversed(self.coefficients):
            result = result * (time - self.start) + coefficient
        return result

    def integral(self, start: Fraction, end: Fraction) -> Fraction:
        a, b = start - self.start, end - self.start
        return sum(((b ** (power + 1) - a ** (power + 1)) * factor / (power + 1) for power, factor in enumerate(self.coefficients)), Fraction(0))


class Series:
    """Readings at times, and what lies between them."""

    def __init__(self, points: Iterable[tuple[int, int | float | Fraction]], *, max_gap: int | None = None) -> None:
        if max_gap is not None and (not _is_integer(max_gap) or max_gap < 1):
            raise ValueError("max_gap must be a positive integer")
        values: dict[int, list[Fraction]] = {}
        for time, value in points:
            if not _is_integer(time):
                raise TypeError("time must be an integer")
            values.setdefault(time, []).append(_exact(value))
        self._times = sorted(values)
        self._values = [sum(values[time], Fraction(0)) / len(values[time]) for time in self._times]
        self._pieces: list[tuple[int, int]] = []
        begin = 0
        for place in range(1, len(self._times) + 1):
            if place == len(self._times) or (max_gap is not None and self._times[place] - self._times[place - 1] > max_gap):
                self._pieces.append((begin, place))
                begin = place
        self._parts: dict[str, list[_Part]] = {}

    def times(self) -> list[int]:
        """The times of the points."""
        return list(self._times)

    def __len__(self) -> int:
        return len(self._times)

    def at(self, time: int | Fraction, method: str = "linear") -> Fraction | None:
        """The value at a time."""
        _check_method(method)
        place = bisect_left(self._times, time)
        if place < len(self._times) and self._times[place] == time:
            return self._values[place]
        if method == "nearest":
            parts = self._all(method)
            index = bisect_left([part.end for part in parts], time)
        else:
            parts = self._all(method)
            index = bisect_right([part.start for part in parts], time) - 1
        if 0 <= index < len(parts) and parts[index].start <= time <= parts[index].end:
            return parts[index].value(Fraction(time))
        return None

    def integral(self, start: int | Fraction, end: int | Fraction, method: str = "linear") -> Fraction | None:
        """The integral over time."""
        _check_method(method)
        if start == end:
            return None if self.at(start, method) is None else Fraction(0)
        if start > end:
            other = self.integral(end, start, method)
            return None if other is None else -other
        total, length = self._sum(start, end, method)
        return total if length == end - start else None

    def resample(self, start: int, end: int, step: int, method: str = "linear", how: str = "point") -> list[tuple[int, Fraction | None]]:
        """Values at equal distances."""
        if not _is_integer(step) or step < 1:
            raise ValueError("step must be a positive integer")
        _check_method(method)
        if how not in _WAYS:
            raise ValueError(f'no way "{how}"')
        return [(time, self._bin(time, min(time + step, end), method, how)) for time in range(start, end, step)]

    def crossings(self, level: int | float | Fraction, method: str = "linear") -> list[Fraction]:
        """Times at which a level is crossed."""
        if method not in ("linear", "previous"):
            raise ValueError(f'no crossings by "{method}"')
        level = _exact(level)
        found = []
        for begin, end in self._pieces:
            sign, since = 0, None
            for place in range(begin, end):
                height = self._values[place] - level
                here = (height > 0) - (height < 0)
                if here == 0:
                    since = Fraction(self._times[place]) if since is None else since
                    continue
                if sign * here < 0:
                    found.append(since if since is not None else self._jump(place, level, method))
                sign, since = here, None
        return found

    def _jump(self, place: int, level: Fraction, method: str) -> Fraction:
        start, end = self._times[place - 1], self._times[place]
        if method == "previous":
            return Fraction(end)
        low, high = self._values[place - 1], self._values[place]
        return start + (level - low) * (end - start) / (high - low)

    def _bin(self, start: int, end: int, method: str, how: str) -> Fraction | None:
        if how == "point":
            return self.at(start, method)
        if how == "count":
            return Fraction(bisect_left(self._times, end) - bisect_left(self._times, start))
        total, length = self._sum(start, end, method)
        if how == "mean" and length < end - start:
            return None
        return total / length if length else None

    def _sum(self, start: int | Fraction, end: int | Fraction, method: str) -> tuple[Fraction, Fraction]:
        """The integral over all that has values, and how long that is."""
        total = length = Fraction(0)
        for part in self._all(method):
            a, b = max(part.start, start), min(part.end, end)
            if a < b:
                total += part.integral(Fraction(a), Fraction(b))
                length += b - a
        return total, length

    def _all(self, method: str) -> list[_Part]:
        if method not in self._parts:
            self._parts[method] = [part for begin, end in self._pieces for part in self._piece(begin, end, method)]
        return self._parts[method]

    def _piece(self, begin: int, end: int, method: str) -> list[_Part]:
        times = [Fraction(time) for time in self._times[begin:end]]
        values = self._values[begin:end]
        if method in ("monotone", "natural") and len(times) > 1:
            slopes = _monotone(times, values) if method == "monotone" else _natural(times, values)
            return [_hermite(times[i], times[i + 1], values[i], values[i + 1], slopes[i], slopes[i + 1]) for i in range(len(times) - 1)]
        parts = []
        for start, stop, low, high in zip(times, times[1:], values, values[1:]):
            middle = (start + stop) / 2
            if method == "linear":
                parts.append(_Part(start, stop, (low, (high - low) / (stop - start))))
            elif method == "nearest":
                parts += [_Part(start, middle, (low,)), _Part(middle, stop, (high,))]
            else:
                parts.append(_Part(start, stop, (low if method == "previous" else high,)))
        return parts


def _hermite(start: Fraction, end: Fraction, low: Fraction, high: Fraction, first: Fraction, last: Fraction) -> _Part:
    h = end - start
    d = (high - low) / h
    return _Part(start, end, (low, first, (3 * d - 2 * first - last) / h, (first + last - 2 * d) / h**2))


def _monotone(times: list[Fraction], values: list[Fraction]) -> list[Fraction]:
    h = [b - a for a, b in zip(times, times[1:])]
    d = [(b - a) / step for a, b, step in zip(values, values[1:], h)]
    if len(d) == 1:
        return [d[0], d[0]]
    inner = [
        3 * (h0 + h1) / ((2 * h1 + h0) / d0 + (h1 + 2 * h0) / d1) if d0 * d1 > 0 else Fraction(0)
        for h0, h1, d0, d1 in zip(h, h[1:], d, d[1:])
    ]
    return [_end_slope(h[0], h[1], d[0], d[1]), *inner, _end_slope(h[-1], h[-2], d[-1], d[-2])]


def _end_slope(h0: Fraction, h1: Fraction, d0: Fraction, d1: Fraction) -> Fraction:
    slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
    if slope * d0 <= 0:
        return Fraction(0)
    if d0 * d1 < 0 and abs(slope) > abs(3 * d0):
        return 3 * d0
    return slope


def _natural(times: list[Fraction], values: list[Fraction]) -> list[Fraction]:
    """Slopes of the natural spline, from its tridiagonal system."""
    h = [b - a for a, b in zip(times, times[1:])]
    d = [(b - a) / step for a, b, step in zip(values, values[1:], h)]
    last = len(times) - 1
    factors, rights = [Fraction(1, 2)], [3 * d[0] / 2]
    for i in range(1, last + 1):
        if i == last:
            below, diagonal, above, right = Fraction(1), Fraction(2), Fraction(0), 3 * d[-1]
        else:
            below, diagonal, above = h[i], 2 * (h[i - 1] + h[i]), h[i - 1]
            right = 3 * (h[i] * d[i - 1] + h[i - 1] * d[i])
        pivot = diagonal - below * factors[-1]
        rights.append((right - below * rights[-1]) / pivot)
        factors.append(above / pivot)
    slopes = [rights[-1]]
    for factor, right in zip(reversed(factors[:-1]), reversed(rights[:-1])):
        slopes.append(right - factor * slopes[-1])
    return slopes[::-1]


def _check_method(method: str) -> None:
    if method not in _METHODS:
        raise ValueError(f'no method "{method}"')


def _exact(value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)):
        raise TypeError("value must be a number")
    if isinstance(value, float) and not isfinite(value):
        raise ValueError("value must be finite")
    return Fraction(value)


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
