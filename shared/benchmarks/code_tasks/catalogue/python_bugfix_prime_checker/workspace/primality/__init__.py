"""Prime numbers for a course in number theory."""

from .checker import is_prime, next_prime, previous_prime
from .factors import factorize
from .sieve import primes_in

__all__ = ["factorize", "is_prime", "next_prime", "previous_prime", "primes_in"]
