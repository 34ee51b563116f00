import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

from smoothing import exponential, weighted  # noqa: E402


def exact(values):
    """Every float has a text of its own."""
    return [None if value is None else value.hex() if value else "0" for value in values]


level = [4, 5, None, 9, 2.5, None, None, None, 7, 1, 0.125, 8]
drift = [1e16, 1.0, 1.0, -1e16, 3.0, 0.1, 0.2, 0.3, 1e16, 0.7, 0.1, 0.1]
for name, weights in {"one": [2], "even": [1, 1], "rising": [1, 2, 3], "gap": [1, 0, 1], "latest": [0, 0, 5], "oldest": [5, 0, 0], "odd": [0.1, 0.2, 0.3, 0.4], "long": [1] * 12, "longer": [1] * 13}.items():
    observe(f"weighted_{name}", [exact(weighted(level, weights)), exact(weighted(iter(drift), tuple(weights)))])
observe("weighted_cancelling", exact(weighted([1e16, 1, -1e16, 1, 2], [1, 1, 1])))
for alpha in (1, 0.5, 0.1, 0.75):
    observe(f"exponential_{alpha}", [exact(exponential(level, alpha)), exact(exponential(drift, alpha)), exact(exponential([None, None] + level, alpha))])
for after in (1, 2, 3, 4):
    observe(f"reset_{after}", [exact(exponential(level, 0.5, reset_after=after)), exact(exponential([None, 4, None, None, None, None, 8, None, 6, None, None, 2], 0.25, reset_after=after))])
observe("edges", [weighted([], [1]), exponential([], 1), exponential([None, None], 0.5, reset_after=1), weighted([None, None, None], [1, 2]), exact(weighted([0, 0], [3])), [type(x).__name__ for x in exponential([3, 4], 1) + weighted([2], [1])]])


def refused(action):
    try:
        return action()
    except ValueError as error:
        return str(error)


endless, nothing = float("inf"), float("nan")
observe("refused", [
    refused(lambda: weighted([1], [])), refused(lambda: weighted([1], [0, 0.0])), refused(lambda: weighted([1], [2, -1])), refused(lambda: weighted([nothing], [-1])), refused(lambda: weighted([1, endless], [1])),
    refused(lambda: exponential([1], 0)), refused(lambda: exponential([1], 1.01)), refused(lambda: exponential([1], -0.5)), refused(lambda: exponential([1], nothing)), refused(lambda: exponential([nothing], 2)),
    refused(lambda: exponential([1], 1, reset_after=0)), refused(lambda: exponential([1], 1, reset_after=True)), refused(lambda: exponential([1], 1, reset_after=1.5)), refused(lambda: exponential([1], 0, reset_after=0)), refused(lambda: exponential([None, 3, nothing], 0.5)),
])
