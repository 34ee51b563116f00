import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

from bookings import Interval  # noqa: E402

ends = [(-3, 0), (0, 0), (0, 10), (2, 5), (2, 2), (5, 5), (5, 10), (10, 10), (10, 12), (-3, 12)]
intervals = [Interval(start, end) for start, end in ends]
for first in intervals:
    row = [int(bool(first.overlaps(second))) for second in intervals]
    common = [first.intersection(second) for second in intervals]
    observe(f"row_{first.start}_{first.end}", [row, [one and [one.start, one.end] for one in common]])

far = Interval(10**12, 10**12 + 5)
observe("far", [far.overlaps(Interval(0, 10**13)), Interval(0, 10**13).overlaps(far), far.overlaps(Interval(10**12 + 5, 10**13)), far.length])

try:
    Interval(4, 3)
except ValueError as error:
    observe("refusal", str(error))
