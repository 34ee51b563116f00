import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

from itertools import count, islice  # noqa: E402

from batching import batched, weighted, windows  # noqa: E402

words = "salt oats barley rye millet teff spelt corn rice".split()
for size in (1, 2, 3, 4, 8, 9, 10, 100):
    observe(f"batched_{size}", list(batched(words, size)))
    observe(f"filled_{size}", [list(batched(words, size, fill=None)), list(batched(iter(words[:5]), size, fill="-"))])
observe("batched_edges", [list(batched([], 3)), list(batched((), 3, fill=0)), list(batched([], 3, strict=True)), list(batched("abcdef", 3, strict=True)), list(batched({1: 2}.items(), 2)), list(islice(batched(count(5), 3), 4))])
for size, overlap in ((1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (5, 2), (4, 3), (9, 8), (9, 0), (10, 4), (5, 1)):
    observe(f"windows_{size}_{overlap}", [list(windows(words[:length], size, overlap)) for length in (0, 1, 3, 4, 5, 7, 9)])
observe("windows_endless", list(islice(windows(count(), 4, 2), 5)))
for limit in (1, 3, 4, 6, 9, 13, 100):
    observe(f"weighted_{limit}", [list(weighted(words, limit, len)), list(weighted(words, limit, len, most=2)), list(weighted(words, limit, len, most=1))])
numbers = [0, 0, 3, 2, 0, 5, 0, 6, 0, 0, 1, 9, 9, 4, 1, 0, 0, 5]
for limit in (1, 4, 5, 6):
    observe(f"weighted_numbers_{limit}", [list(weighted(numbers, limit, int)), list(weighted(iter(numbers), limit, abs, most=3))])
observe("weighted_empty", [list(weighted([], 1, len)), list(weighted([7], 1, int, most=4)), list(weighted([0, 0], 1, int, most=2)), list(weighted([0, 7, 0], 7, int))])
