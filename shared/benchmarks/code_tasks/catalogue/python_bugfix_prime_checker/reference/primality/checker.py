"""Tests of single numbers."""

from __future__ import annotations

_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)


def require_integer(value: object) -> None:
    """Refuses what is no whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"not an integer: {value!r}")


def is_prime(n: int) -> bool:
    """Whether `n` is prime."""
    require_integer(n)
    if n < 2:
        return False
    for base in _BASES:
        if n % base == 0:
            return n == base
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd //= 2
        twos += 1
    return all(_passes(n, base, odd, twos) for base in _BASES)


def _passes(n: int, base: int, odd: int, twos: int) -> bool:
    """Whether `n` passes the strong test to a base; n - 1 is odd * 2**twos."""
    power = pow(base, odd, n)
    if power in (1, n - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % n
        if power == n - 1:
            return True
    return False


def next_prime(n: int) -> int:
    """The smallest prime greater than `n`."""
    require_integer(n)
    if n < 2:
        return 2
    candidate = n + 1 if n % 2 == 0 else n + 2
    while not is_prime(candidate):
        candidate += 2
    return candidate


def previous_prime(n: int) -> int | None:
    """The largest prime smaller than `n`."""
    require_integer(n)
    if n <= 2:
        return None
    if n == 3:
        return 2
    candidate = n - 1 if n % 2 == 0 else n - 2
    while not is_prime(candidate):
        candidate -= 2
    return candidate
