import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

from batching import batched, weighted, windows  # noqa: E402


class Source:
    """Writes down what is asked of it."""

    def __init__(self, items, fails_at=None):
        self.items, self.fails_at, self.log = items, fails_at, []

    def __iter__(self):
        self.log.append("iter")
        for place, item in enumerate(self.items):
            if place == self.fails_at:
                self.log.append("fail")
                raise LookupError(f"record {place} is torn")
            self.log.append(item)
            yield item
        self.log.append("end")


def drive(make, items, fails_at=None, requests=12):
    """What each request gives, and what was taken from the source for it."""
    source = Source(items, fails_at)
    iterator = make(source)
    steps = [["made", list(source.log), iter(iterator) is iterator]]
    for _ in range(requests):
        source.log.clear()
        try:
            given = list(next(iterator))
        except StopIteration:
            given = "stop"
        except Exception as error:
            given = f"{type(error).__name__}: {error}"
        steps.append([given, list(source.log)])
        if given == "stop":
            break
    return steps


for length in (0, 1, 2, 3, 4, 6, 7):
    items = list(range(1, length + 1))
    observe(f"batched_{length}", [drive(lambda s: batched(s, 3), items), drive(lambda s: batched(s, 3, fill=0), items), drive(lambda s: batched(s, 3, strict=True), items)])
    observe(f"windows_{length}", [drive(lambda s: windows(s, 3, 1), items), drive(lambda s: windows(s, 3, overlap=2), items), drive(lambda s: windows(s, 2), items)])
    observe(f"weighted_{length}", [drive(lambda s: weighted(s, 5, int), items), drive(lambda s: weighted(s, 100, int, most=2), items), drive(lambda s: weighted(s, 2, lambda one: one % 3), items)])

items = [1, 2, 3, 4, 5, 6, 7, 8]
for place in (0, 1, 3, 4, 7):
    observe(f"failing_{place}", [drive(lambda s: batched(s, 3), items, place), drive(lambda s: batched(s, 4, strict=True), items, place), drive(lambda s: windows(s, 3, 1), items, place), drive(lambda s: weighted(s, 6, int), items, place)])

calls = []


def weigh(item):
    calls.append(item)
    if item == "stone":
        raise ArithmeticError("too heavy for the scale")
    return len(item)


iterator = weighted(["tin", "lead", "a", "gold", "stone", "b"], 7, weigh)
seen = [[list(next(iterator)), list(calls)]]
for _ in range(3):
    try:
        seen.append([list(next(iterator)), list(calls)])
    except StopIteration:
        seen.append(["stop", list(calls)])
    except ArithmeticError as error:
        seen.append([str(error), list(calls)])
observe("weighing", seen)


def refused(action):
    try:
        action()
        return "accepted"
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


untouched = Source([1, 2])
observe("refused_sizes", [refused(lambda: batched(untouched, size)) for size in (0, -1, True, 1.0, "2", None, 1)])
observe("refused_options", [
    refused(lambda: batched(untouched, 2, fill=None, strict=True)), refused(lambda: batched(untouched, 0, fill=1, strict=True)), refused(lambda: batched(untouched, 2, fill=1, strict=False)),
    refused(lambda: windows(untouched, 3, 3)), refused(lambda: windows(untouched, 3, -1)), refused(lambda: windows(untouched, 3, False)), refused(lambda: windows(untouched, 0, "x")), refused(lambda: windows(untouched, 2, 9)), refused(lambda: windows(untouched, 2.0, 9)),
    refused(lambda: weighted(untouched, 0, len)), refused(lambda: weighted(untouched, 2.5, len)), refused(lambda: weighted(untouched, 1, len, most=0)), refused(lambda: weighted(untouched, 1, len, most=True)), refused(lambda: weighted(untouched, True, len, most=0)),
    untouched.log,
])
