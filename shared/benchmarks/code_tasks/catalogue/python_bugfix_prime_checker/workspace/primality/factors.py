"""Numbers as products of primes."""

from __future__ import annotations

from .checker import is_prime, next_prime, require_integer


def factorize(n: int) -> dict[int, int]:
    """The primes that divide `n`, with their exponents."""
    require_integer(n)
    if n < 1:
        raise ValueError(f"cannot factorize {n}")
    found: dict[int, int] = {}
    prime = 2
    while prime * prime < n:
        while n % prime == 0:
            found[prime] = found.get(prime, 0) + 1
            n //= prime
        if is_prime(n):
            break
        prime = next_prime(prime)
    if n > 1:
        found[n] = 1
    return found
