import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

from primality import factorize, is_prime, next_prime, previous_prime  # noqa: E402

observe("small", [n for n in range(-20, 1200) if is_prime(n)])
observe("carmichael", [[n, is_prime(n)] for n in (561, 1105, 1729, 2465, 2821, 6601, 8911, 10585, 15841, 29341, 41041, 825265, 321197185, 9746347772161, 56052361, 118901521, 172947529, 216821881)])
strong = (2047, 1373653, 25326001, 3215031751, 2152302898747, 3474749660383, 341550071728321, 3825123056546413051, 318665857834031151167461)
observe("strong", [[str(n), is_prime(n)] for n in strong])
powers = [2**k + d for k in (31, 32, 61, 64, 80) for d in range(-21, 22, 2)]
observe("powers", [str(n) for n in powers if is_prime(n)])
observe("squares", [p for p in range(2, 500) if is_prime(p * p) or is_prime(p**3)])
observe("products", [p for p in range(100003, 100500, 2) if is_prime(p * 1000003) or is_prime(p * (2 * p - 1))])
observe("counts", [sum(1 for n in range(low, low + 2000) if is_prime(n)) for low in (0, 10**6, 10**9, 10**12, 10**15, 10**18, 10**21)])

around = [-5, -1, 0, 1, 2, 3, 4, 5, 7, 8, 13, 14, 23, 24, 89, 90, 113, 114, 1327, 31397, 10**6, 10**9, 2**61 - 1, 2**61, 10**18, 10**20]
observe("next", [str(next_prime(n)) for n in around])
observe("previous", [str(previous_prime(n)) for n in around])
chain = [0]
while len(chain) < 120:
    chain.append(next_prime(chain[-1]))
observe("chain", chain)

numbers = [1, 2, 3, 4, 6, 8, 9, 12, 25, 36, 49, 97, 121, 360, 1001, 1024, 5040, 65537, 2**31 - 1, 10**6, 999983**2, 999979 * 999983, 2 * 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23, 3**20, 7**12, 2**45 + 1, 600851475143, 10**14 + 31, 6 * (2**61 - 1), 49 * (10**18 + 9), 2**70, 841 * 1000003]
for n in numbers:
    observe(f"factors_{n}", [[str(prime), exponent] for prime, exponent in factorize(n).items()])
