import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

from primality import factorize, is_prime, next_prime, previous_prime, primes_in  # noqa: E402

ranges = [(0, 0), (0, 2), (0, 3), (2, 3), (2, 2), (3, 2), (-10, 10), (0, 30), (7, 7), (7, 8), (8, 11), (24, 29), (25, 26), (23, 30), (48, 54), (49, 50), (90, 127), (120, 122), (168, 170), (960, 970), (9409, 9414), (994009, 994030), (10**9, 10**9 + 100), (10**12 - 100, 10**12), (999983**2 - 20, 999983**2 + 20), (1018081, 1018082), (5, -5)]
for start, stop in ranges:
    observe(f"range_{start}_{stop}", primes_in(start, stop))
pairs = [(a, b) for a in range(0, 40) for b in range(a, 40)]
observe("pairs", [sum(primes_in(a, b)) for a, b in pairs])
wide = primes_in(10**11, 10**11 + 400000)
observe("wide", [len(wide), wide[0], wide[-1], sum(wide)])
low = primes_in(0, 300000)
observe("low", [len(low), low[-1], sum(low)])
observe("windows", [len(primes_in(start, start + 1000)) for start in range(1000, 40000, 997)])


def refused(action):
    try:
        return action()
    except (TypeError, ValueError) as error:
        return [type(error).__name__, str(error)]


observe("refused", [
    refused(lambda: is_prime(7.0)), refused(lambda: is_prime(True)), refused(lambda: is_prime("7")), refused(lambda: next_prime(None)),
    refused(lambda: previous_prime(2.5)), refused(lambda: previous_prime(False)), refused(lambda: primes_in(1, 10.0)), refused(lambda: primes_in(0, True)),
    refused(lambda: primes_in("1", 10)), refused(lambda: factorize(True)), refused(lambda: factorize(1.0)), refused(lambda: factorize(0)), refused(lambda: factorize(-12)), refused(lambda: primes_in(10, None)),
])
