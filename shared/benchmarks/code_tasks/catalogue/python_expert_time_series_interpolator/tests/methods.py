import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

from fractions import Fraction  # noqa: E402

from tides import Series  # noqa: E402

METHODS = ("previous", "next", "nearest", "linear", "monotone", "natural")
POINTS = [(0, 2), (40, 0.5), (10, 5), (20, 4), (20, 6), (50, Fraction(1, 3)), (100, 7), (110, 7), (130, 1), (300, 9), (500, -4), (520, 8)]


def text(value):
    return f"{type(value).__name__} {value}" if value is not None and type(value) is not Fraction else str(value)


def refused(action):
    try:
        action()
        return "accepted"
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


SERIES = {"cut": Series(POINTS, max_gap=50), "whole": Series(iter(POINTS)), "two": Series([(0, 1), (7, 3)]), "one": Series([(5, 2.5)]), "none": Series([]), "steep": Series([(0, 0), (1, 10), (9, 9), (10, 8), (11, 8), (12, 20)])}
TIMES = [-1, 0, 3, 5, 10, Fraction(31, 2), 15, 20, 30, 39, 40, 45, 75, 100, 105, 120, 129, 130, 200, 300, 510, 520, 521, Fraction(1, 2), 6, Fraction(23, 2)]
for name, series in SERIES.items():
    observe(f"points_{name}", [series.times(), len(series)])
    for method in METHODS:
        observe(f"{method}_{name}", [text(series.at(time, method)) for time in TIMES])
many = Series((time * 7 + time % 3, (time * time) % 101) for time in range(500))
observe("many", [[text(many.at(time, method))[-40:] for time in (3, 1003, 3490)] for method in METHODS])
crossing = Series([(0, -1), (10, 1), (20, 0), (30, 0), (40, -2), (50, 0), (60, -1), (70, 3), (200, -3), (210, 0), (220, 5), (230, 0)], max_gap=100)
observe("crossings", [[[text(time) for time in crossing.crossings(level, method)] for level in (0, 0.5, -1, 3, Fraction(1, 3), 9)] for method in ("linear", "previous")])
observe("refused", [
    refused(lambda: Series([(True, 1)])), refused(lambda: Series([(1.0, "x")])), refused(lambda: Series([(1, "x"), (2.0, 1)])), refused(lambda: Series([(1, True)])), refused(lambda: Series([(1, None)])), refused(lambda: Series([(1, float("nan"))])), refused(lambda: Series([(1, float("-inf"))])),
    refused(lambda: Series([(1.0, 1)], max_gap=0)), refused(lambda: Series([], max_gap=True)), refused(lambda: Series([], max_gap=2.0)), refused(lambda: SERIES["cut"].at(0, "cubic")), refused(lambda: SERIES["none"].at(0, "")), refused(lambda: SERIES["cut"].crossings(1, "natural")), refused(lambda: SERIES["cut"].integral(3, 3, "x")),
])
