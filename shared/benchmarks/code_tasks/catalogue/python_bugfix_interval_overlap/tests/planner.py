import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

from bookings import Interval, busy_minutes, conflicts, first_gap, is_free  # noqa: E402

day = {
    "opening": Interval(480, 490),
    "choir": Interval(600, 660),
    "workshop": Interval(540, 780),
    "reminder": Interval(610, 610),
    "tour": Interval(630, 700),
    "tea": Interval(780, 800),
    "brunch": Interval(540, 780),
    "closing": Interval(1075, 1080),
}
observe("conflicts", conflicts(day))
observe("conflicts_reversed", conflicts(dict(reversed(list(day.items())))))
observe("conflicts_small", [conflicts({}), conflicts({"a": Interval(0, 1)}), conflicts({"b": Interval(0, 4), "a": Interval(0, 4)}), conflicts({"b": Interval(0, 4), "a": Interval(2, 2), "c": Interval(0, 0)})])

requests = [(0, 480), (470, 481), (485, 486), (480, 480), (490, 540), (500, 1000), (0, 1440), (605, 615), (800, 1075), (800, 1076), (610, 610), (1080, 1081), (1070, 1090)]
observe("is_free", [int(bool(is_free(Interval(*one), day))) for one in requests])
observe("is_free_reminder", [is_free(Interval(600, 620), {"reminder": Interval(610, 610)}), is_free(Interval(600, 620), {"long": Interval(0, 700)}), is_free(Interval(600, 620), {})])

observe("busy_day", busy_minutes(day.values()))
sets = [[], [(0, 0)], [(0, 10), (2, 3)], [(2, 3), (0, 10), (9, 12)], [(0, 5), (5, 8)], [(0, 5), (6, 8), (1, 2), (1, 7)], [(-5, -1), (-4, -2), (-9, 20), (3, 4), (19, 21)]]
observe("busy_sets", [busy_minutes([Interval(*one) for one in some]) for some in sets])
observe("busy_iterator", busy_minutes(Interval(start % 17, start % 17 + start % 5) for start in range(40, 0, -1)))

questions = [(480, 1080, 1), (480, 1080, 50), (480, 1080, 51), (480, 1080, 275), (480, 1080, 276), (0, 480, 480), (0, 480, 481), (560, 620, 10), (900, 1076, 170), (1078, 1090, 10), (2000, 2010, 10), (650, 1440, 300)]
gaps = [first_gap(day.values(), *one) for one in questions]
observe("gaps", [gap and [gap.start, gap.end] for gap in gaps])
nested = [Interval(0, 100), Interval(10, 20), Interval(30, 40), Interval(120, 130)]
gaps = [first_gap(nested, 0, 200, length) for length in (1, 20, 21, 70, 71)]
observe("gaps_nested", [gap and [gap.start, gap.end] for gap in gaps])
gaps = [first_gap([Interval(5, 5)], 0, 10, 8), first_gap([], 3, 9, 6), first_gap([], 3, 9, 7), first_gap([Interval(-4, 30)], 0, 10, 1)]
observe("gaps_edges", [gap and [gap.start, gap.end] for gap in gaps])
