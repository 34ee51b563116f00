import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

from smoothing import centered, cumulative, simple  # noqa: E402


def exact(values):
    """Every float has a text of its own."""
    return [None if value is None else value.hex() if value else "0" for value in values]


level = [4, 5, None, 9, 2.5, None, None, None, 7, 1, 0.125, 8]
drift = [1e16, 1.0, 1.0, -1e16, 3.0, 0.1, 0.2, 0.3, 1e16, 0.7, 0.1, 0.1, 0.1, 0.1]
for window in (1, 2, 3, 4, 7, 12, 20):
    observe(f"simple_{window}", [exact(simple(level, window)), exact(simple(drift, window))])
    observe(f"simple_minimum_{window}", [exact(simple(iter(level), window, minimum=least)) for least in range(1, min(window, 4) + 1)])
    observe(f"centered_{window}", [exact(centered(level, window)), exact(centered(drift, window))])
observe("cumulative", [exact(cumulative(level)), exact(cumulative(drift)), exact(cumulative([None, None, 2])), exact(cumulative(x / 10 for x in range(12)))])
observe("edges", [simple([], 3), centered([], 3), cumulative([]), simple([None], 1), exact(simple([3], 1)), exact(centered([None, 5], 1)), centered([None, None], 5)])
observe("types", [type(value).__name__ for value in simple([1, 2, 3], 1) + centered([1, 2], 2) + cumulative([4])])
kept = [1, None, 3]
simple(kept, 2), centered(kept, 2), cumulative(kept)
observe("kept", [kept, exact(simple((x for x in kept), 2, minimum=1))])


def refused(action):
    try:
        return action()
    except ValueError as error:
        return str(error)


endless, nothing = float("inf"), float("nan")
observe("refused", [
    refused(lambda: simple([1], 0)), refused(lambda: simple([1], True)), refused(lambda: simple([1], 2.0)), refused(lambda: centered([1], -3)), refused(lambda: centered([nothing], "3")),
    refused(lambda: simple([1], 4, minimum=0)), refused(lambda: simple([1], 4, minimum=5)), refused(lambda: simple([1], 4, minimum=True)), refused(lambda: simple([1], 4, minimum=1.0)), refused(lambda: simple([nothing], 0, minimum=9)),
    refused(lambda: simple([1, None, nothing, endless], 2)), refused(lambda: centered([endless], 2)), refused(lambda: cumulative([1, 2, -endless])),
])
