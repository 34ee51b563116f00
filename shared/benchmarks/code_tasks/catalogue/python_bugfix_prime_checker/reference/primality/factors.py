"""Numbers as products of primes."""

from __future__ import annotations

from itertools import chain, count

from .checker import is_prime, require_integer


def factorize(n: int) -> dict[int, int]:
    """The primes that divide `n`, with their exponents."""
    require_integer(n)
    if n < 1:
        raise ValueError(f"cannot factorize {n}")
    found: dict[int, int] = {}
    for divisor in chain((2,), count(3, 2)):
        if divisor * divisor > n or (divisor % 1000 == 1 and is_prime(n)):
            break
        while n % divisor == 0:
            found[divisor] = found.get(divisor, 0) + 1
            n //= divisor
    if n > 1:
        found[n] = 1
    return found
