"""Lists of the primes of a range."""

from __future__ import annotations

from math import sqrt

from .checker import require_integer


def primes_in(start: int, stop: int) -> list[int]:
    """The primes from `start` up to, but not including, `stop`."""
    require_integer(start)
    start = max(start, 2)
    if stop <= start:
        return []
    is_composite = bytearray(stop - start)
    for prime in _small_primes(int(sqrt(stop))):
        first = start + prime - start % prime
        for multiple in range(max(first, prime * prime), stop, prime):
            is_composite[multiple - start] = 1
    return [start + offset for offset, composite in enumerate(is_composite) if not composite]


def _small_primes(limit: int) -> list[int]:
    """The primes below `limit`."""
    is_composite = bytearray(limit)
    found = []
    for number in range(2, limit):
        if is_composite[number]:
            continue
        found.append(number)
        for multiple in range(number * number, limit, number):
            is_composite[multiple] = 1
    return found
