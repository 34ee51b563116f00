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
SPANS = [(0, 50), (3, 17), (50, 100), (60, 70), (0, 130), (100, 130), (130, 130), (200, 200), (17, 3), (-1, 5), (300, 520), (Fraction(1, 3), Fraction(44, 3)), (5, 5), (1, 12), (0, 7)]
for name, series in SERIES.items():
    for method in METHODS:
        observe(f"integral_{method}_{name}", [text(series.integral(start, end, method)) for start, end in SPANS])
for how in ("point", "mean", "count", "covered"):
    for method in ("linear", "nearest", "natural"):
        observe(f"{how}_{method}", [[[time, text(value)] for time, value in SERIES[name].resample(start, end, step, method, how)] for name, start, end, step in (("cut", -10, 141, 20), ("cut", 290, 530, 70), ("whole", 45, 130, 30), ("one", 0, 12, 5), ("none", 0, 3, 2), ("two", 7, 7, 1), ("two", 0, 8, 3))])
series = SERIES["cut"]
observe("refused", [
    refused(lambda: series.resample(0, 9, 0, "x", "y")), refused(lambda: series.resample(0, 9, True)), refused(lambda: series.resample(0, 9, 1.0)), refused(lambda: series.resample(0, 9, 1, "x", "y")), refused(lambda: series.resample(0, 9, 1, "linear", "max")), refused(lambda: series.resample(9, 0, 1, "linear", "max")), len(series.resample(9, 0, 1)),
])
