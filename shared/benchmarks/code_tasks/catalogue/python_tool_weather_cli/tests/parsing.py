import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

text = """\
Fjord|2031-07-01T06:00|11.25|0.4|14
Fjord|2031-07-01T18:00|19.5||22.5
Fjord|2031-07-02T06:00|-3.04|12.7|
Fjord|2031-07-04T12:00|21.349|3.3|22.5
Alp|2031-07-01T12:00|-0.04|0|0

Alp|2031-07-02T12:00|-17.8||
Cape|2031-07-03T12:00|21.349|0.1|99.9
Cape|2031-07-03T12:00|20.0|0.2|99.9
Øy|2031-06-30T23:59|21.351|100|3.7
Dune|2031-07-02T00:00|7|||
Dune|2031-07-01T00:00|8||
""".replace("7|||\n", "7||\n")

from weather import call, load_readings  # noqa: E402

readings = load_readings(text.splitlines())


def ask(tool, request_id=None, **arguments):
    request = {"tool": tool, "arguments": {name.rstrip("_"): value for name, value in arguments.items()}}
    if request_id is not None:
        request["id"] = request_id
    return call(_dumps(request), readings)


for units in ("metric", "imperial"):
    observe(f"current_{units}", [ask("current", station=name, units=units) for name in ("Fjord", "Alp", "Cape", "Øy", "Dune")])
    observe(f"summary_{units}", [ask("summary", station=name, from_="2031-06-01", to="2031-07-31", units=units) for name in ("Fjord", "Alp", "Cape", "Øy", "Dune")])
    observe(f"warmest_{units}", [ask("warmest", from_="2031-06-30", to="2031-07-04", limit=limit, units=units) for limit in (1, 2, 5, 10)])
periods = [("2031-07-01", "2031-07-01"), ("2031-07-02", "2031-07-03"), ("2031-07-03", "2031-07-03"), ("2031-07-04", "2031-07-31"), ("2030-01-01", "2031-06-30")]
observe("summary_periods", [ask("summary", station="Fjord", from_=a, to=b) for a, b in periods])
observe("warmest_periods", [ask("warmest", from_=a, to=b) for a, b in [*periods, ("2040-01-01", "2040-01-01")]])
observe("stations", [ask("stations"), call('{"tool":"stations"}', readings), call('{"tool":"stations","id":7}', []), ask("stations", request_id="Ø")])
observe("ids", [call(request, readings) for request in ('{"id": 1.5, "tool": "stations"}', '{"id": true, "tool": "stations"}', '{"id": null, "tool": "stations"}', '{"id": "", "tool": "fly"}', '{"id": 0, "x": 1}', '{"id": [1], "tool": 1}', '{"id": -12345678901234567890, "tool": "current"}')])
observe("bad_json", [call(request, readings) for request in ("", "{", "nope", '{"tool": NaN}', '{"id": 3, "tool": Infinity}', "[1,]", "'x'", '{"tool":"stations"} x', "[" * 100000)])
observe("bad_request", [call(request, readings) for request in ("[]", "7", "null", '"x"', "{}", '{"tool": 7}', '{"tool": "stations", "args": {}}', '{"z": 1, "a": 2, "Tool": 3, "tool": []}', '{"tool": "stations", "arguments": []}', '{"tool": "stations", "arguments": null}', '{"tool": null, "arguments": 3}', '{"tool": "fly", "arguments": "x"}')])
observe("unknown_tool", [ask("fly", height=3), ask(""), ask("Current", station="Alp")])
observe("bad_arguments", [
    ask("current"), ask("current", station=7), ask("current", station="Alp", unit="metric"), ask("current", zone=1, area=2), ask("current", station="Alp", units="kelvin"), ask("current", station=None), ask("current", units="kelvin"), ask("current", station="Alp", units=None), ask("current", station="Alp", units=["metric"]),
    ask("summary", station="Alp"), ask("summary", station="Alp", from_="2031-07-01"), ask("summary", station="Alp", from_="2031-7-1", to="x"), ask("summary", station="Alp", from_="2031-07-01", to="2031-02-30"), ask("summary", station="Nowhere", from_="2031-07-02", to="2031-07-01"), ask("summary", station="Alp", from_="2031-07-02", to="2031-07-01", units="x"), ask("summary", station="Alp", from_=20310701, to="2031-07-01"), ask("summary", station="Alp", from_="20310701", to="2031-07-01"), ask("summary", from_="x"),
    *[ask("warmest", from_="2031-07-01", to="2031-07-09", limit=limit) for limit in (0, 11, -1, 2.0, "3", True, None)], ask("warmest", to="2031-07-09"), ask("warmest", station="Alp"), ask("stations", units="metric"),
])
observe("not_found", [ask("current", station="Nowhere"), ask("current", station="fjord"), ask("summary", station="", from_="2031-07-01", to="2031-07-01"), ask("summary", station="Alp", from_="2032-07-01", to="2032-07-01"), call('{"tool":"warmest","arguments":{"from":"2031-07-01","to":"2031-07-01"}}', [])])
