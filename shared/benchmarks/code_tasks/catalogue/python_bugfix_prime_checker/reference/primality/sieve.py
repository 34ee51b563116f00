"""Lists of the primes of a range."""

from __future__ import annotations

from math import isqrt

from .checker import require_integer


def primes_in(start: int, stop: int) -> list[int]:
    """The primes from `start` up to, but not including, `stop`."""
    require_integer(start)
    require_integer(stop)
    start = max(start, 2)
    if stop <= start:
        return []
    is_composite = bytearray(stop - start)
    for prime in _small_primes(isqrt(stop)):
        first = max(prime * prime, -(-start // prime) * prime)
        is_composite[first - start :: prime] = b"\x01" * len(range(first, stop, prime))
    return [start + offset for offset, composite in enumerate(is_composite) if not composite]


def _small_primes(limit: int) -> list[int]:
    """The primes up to `limit`."""
    is_composite = bytearray(limit + 1)
    found = []
    for number in range(2, limit + 1):
        if is_composite[number]:
            continue
        found.append(number)
        for multiple in range(number * number, limit + 1, number):
            is_composite[multiple] = 1
    return found
