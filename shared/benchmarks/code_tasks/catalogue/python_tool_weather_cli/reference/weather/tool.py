"""Calls of the tool."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date
from math import fsum
from typing import Any

from .readings import Reading


class ToolError(Exception):
    """A call that cannot be answered."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def call(request: str, readings: list[Reading]) -> str:
    """Answers one call."""
    answer: dict[str, Any] = {}
    try:
        parsed = _parse(request)
        if isinstance(parsed, dict) and _is_id(parsed.get("id")):
            answer["id"] = parsed["id"]
        answer |= {"ok": True, "result": _run(parsed, readings)}
    except ToolError as error:
        answer |= {"ok": False, "error": {"code": error.code, "message": str(error)}}
    return json.dumps(answer, sort_keys=True, ensure_ascii=False)


def _parse(request: str) -> Any:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        return json.loads(request, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise ToolError("bad_json", "request is not JSON") from None


def _run(request: Any, readings: list[Reading]) -> Any:
    if not isinstance(request, dict):
        raise ToolError("bad_request", "request must be an object")
    for name in sorted(request.keys() - {"id", "tool", "arguments"}):
        raise ToolError("bad_request", f'unknown member "{name}"')
    tool, given = request.get("tool"), request.get("arguments", {})
    if not isinstance(tool, str):
        raise ToolError("bad_request", "tool must be a string")
    if not isinstance(given, dict):
        raise ToolError("bad_request", "arguments must be an object")
    if tool not in _TOOLS:
        raise ToolError("unknown_tool", f'no tool "{tool}"')
    answer, names = _TOOLS[tool]
    for name in sorted(given.keys() - set(names)):
        raise ToolError("bad_arguments", f'unknown argument "{name}"')
    values = {name: _value(name, given) for name in names}
    if "to" in values and values["to"] < values["from"]:
        raise ToolError("bad_arguments", '"to" is before "from"')
    return answer(readings, values)


def _value(name: str, given: dict[str, Any]) -> Any:
    check, description, default = _ARGUMENTS[name]
    if name not in given:
        if default is None:
            raise ToolError("bad_arguments", f'missing argument "{name}"')
        return default
    if not check(given[name]):
        raise ToolError("bad_arguments", f'argument "{name}" must be {description}')
    return given[name]


def _is_date(value: Any) -> bool:
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _is_id(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


_ARGUMENTS: dict[str, tuple[Callable[[Any], bool], str, Any]] = {
    "station": (lambda value: isinstance(value, str), "a string", None),
    "from": (_is_date, "a date (YYYY-MM-DD)", None),
    "to": (_is_date, "a date (YYYY-MM-DD)", None),
    "limit": (lambda value: type(value) is int and 1 <= value <= 10, "an integer from 1 to 10", 3),
    "units": (lambda value: value in ("metric", "imperial"), "one of metric, imperial", "metric"),
}


def _current(readings: list[Reading], values: dict[str, Any]) -> Any:
    latest = None
    for reading in _of_station(readings, values["station"]):
        if latest is None or reading.at >= latest.at:
            latest = reading
    units = values["units"]
    return {"station": latest.station, "at": latest.at, "temperature": _degrees(latest.temperature, units), "rain": _rain(latest.rain, units), "wind": _speed(latest.wind, units)}


def _summary(readings: list[Reading], values: dict[str, Any]) -> Any:
    within = _within(_of_station(readings, values["station"]), values)
    if not within:
        raise ToolError("no_data", "no readings in this period")
    units = values["units"]
    temperatures = [one.temperature for one in within]
    rains = [one.rain for one in within if one.rain is not None]
    windy = [one for one in within if one.wind is not None]
    strongest = min(windy, key=lambda one: (-one.wind, one.at), default=None)
    mean = fsum(temperatures) / len(temperatures)
    return {
        "days": len({one.at[:10] for one in within}),
        "temperature": {"min": _degrees(min(temperatures), units), "mean": _degrees(mean, units), "max": _degrees(max(temperatures), units)},
        "rain": _rain(fsum(rains) if rains else None, units),
        "wind": strongest and {"max": _speed(strongest.wind, units), "at": strongest.at},
    }


def _warmest(readings: list[Reading], values: dict[str, Any]) -> Any:
    highest: dict[str, float] = {}
    for reading in _within(readings, values):
        highest[reading.station] = max(reading.temperature, highest.get(reading.station, reading.temperature))
    if not highest:
        raise ToolError("no_data", "no readings in this period")
    ordered = sorted(highest.items(), key=lambda item: (-item[1], item[0]))[: values["limit"]]
    return [{"station": station, "temperature": _degrees(temperature, values["units"])} for station, temperature in ordered]


def _stations(readings: list[Reading], _: dict[str, Any]) -> Any:
    return sorted({reading.station for reading in readings})


_TOOLS: dict[str, tuple[Callable[[list[Reading], dict[str, Any]], Any], tuple[str, ...]]] = {
    "current": (_current, ("station", "units")),
    "summary": (_summary, ("station", "from", "to", "units")),
    "warmest": (_warmest, ("from", "to", "limit", "units")),
    "stations": (_stations, ()),
}


def _of_station(readings: list[Reading], station: str) -> list[Reading]:
    found = [reading for reading in readings if reading.station == station]
    if not found:
        raise ToolError("not_found", f'no station "{station}"')
    return found


def _within(readings: list[Reading], values: dict[str, Any]) -> list[Reading]:
    return [reading for reading in readings if values["from"] <= reading.at[:10] <= values["to"]]


def _degrees(celsius: float, units: str) -> float:
    return _rounded(celsius * 9 / 5 + 32 if units == "imperial" else celsius, 1)


def _speed(kmh: float | None, units: str) -> float | None:
    return None if kmh is None else _rounded(kmh / 1.609344 if units == "imperial" else kmh, 1)


def _rain(millimetres: float | None, units: str) -> float | None:
    if millimetres is None:
        return None
    return _rounded(millimetres / 25.4, 2) if units == "imperial" else _rounded(millimetres, 1)


def _rounded(value: float, digits: int) -> float:
    return round(float(value), digits) + 0.0
