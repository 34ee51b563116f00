import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

from datetime import date  # noqa: E402

from reporter import load, render  # noqa: E402

text = """\
# harvest
2031-09-02; R1; Boskoop; 12.5
2031-09-02; R2; Jonagold; 8

   # a note; with; semi; colons
2031-09-03;R1;Boskoop;0.25
2031-9-03; R1; Boskoop; 3
2031-02-29; R1; Boskoop; 3
2032-02-29; R10; "Red, sweet"; 100.01
2031-10-01; R2; Boskoop; 12.75
2031-10-01 ; R2;Boskoop ; 1
2031-10-01; R2; boskoop; 0.00
2031-10-01; R2; Gloster
2031-10-01; R2; Gloster; 3; 4
2031-10-01; ; ; x
2031-10-01; R3; ; x
2031-10-01; R3; Gloster; -3
2031-10-01; R3; Gloster; 1e3
2031-10-01; R3; Gloster; .5
2031-10-01; R3; Gloster; 5.
2031-10-01; R3; Gloster; 5.125
2031-10-01; R3; Gloster; ٥
2031-10-01; R3; Gloster; 07.5
2031-11-15; R3; Jonagold; 4.75
2031-11-16; R3; Jonagold; 4.75
2031-11-17; R3; Jonagold; 0.01
2031-12-24; R2; Gloster; 0.04
0000-01-01; R2; Gloster; 1
2031-12-24; R2; Gloster; 9
not a record
;;;
2031-12-25; R4; Topaz ü; 0
"""

book = load(text.splitlines(keepends=True))
observe("records", [[one.day.isoformat(), one.row, one.variety, one.centi_kg] for one in book.records])
observe("problems", book.problems)
windows = load(text.replace("\n", "\r\n").split("\n"))
observe("line_ends", [len(windows.records), windows.records[-1].variety, windows.problems == book.problems, len(load([]).records), load(iter(["x"])).problems, load(["\t ", "#", " 2031-01-01 ;\ta\t; b ; 3.1 "]).records[0].centi_kg])

for fmt in ("table", "csv", "bars"):
    for by in ("row", "variety", "month"):
        observe(f"{fmt}_{by}", render(book, by=by, fmt=fmt))
        for top in (0, 1, 2, 3, 4, 9):
            observe(f"{fmt}_{by}_top{top}", render(book, by=by, fmt=fmt, top=top))
    observe(f"{fmt}_since", [render(book, by="row", fmt=fmt, since=date(2031, 10, 1)), render(book, by="row", fmt=fmt, until=date(2031, 10, 1), top=1), render(book, by="variety", fmt=fmt, since=date(2031, 12, 24), until=date(2031, 12, 24))])
    observe(f"{fmt}_empty", [render(book, by="month", fmt=fmt, since=date(2040, 1, 1)), render(load([]), by="variety", fmt=fmt, top=0)])

halves = load([f"2031-01-{day:02}; {row}; x; {kg}" for row, weights in {"even": ("0.01", "0.02", "0", "0.03", "0", "0", "0.01", "0.01"), "a": ("0.01", "0.02"), "b": ("0.02", "0.03"), "c": ("0.01", "0.01", "0"), "zero": ("0", "0.00")}.items() for day, kg in enumerate(weights, 1)])
observe("halves", [render(halves, by="row", fmt="csv"), render(halves, by="row", fmt="bars")])
bars = load([f"2031-01-01; {name}; x; {kg}" for name, kg in (("all", "40"), ("half", "1"), ("three", "3"), ("five", "5"), ("tiny", "0.01"), ("none", "0"), ("most", "39"), ("long name", "20"))])
observe("bars", [render(bars, by="row", fmt="bars"), render(bars, by="row", fmt="bars", top=2), render(load(["2031-01-01; z; x; 0"]), by="row", fmt="bars")])
quotes = load(['2031-01-01; a,b; x; 1', '2031-01-01; say "hi"; x; 2', "2031-01-01; \u2003wide\u2003; x; 3", "2031-01-01; it's; x; 4"])
observe("quotes", [render(quotes, by="row", fmt="csv"), render(quotes, by="row", fmt="table")])
