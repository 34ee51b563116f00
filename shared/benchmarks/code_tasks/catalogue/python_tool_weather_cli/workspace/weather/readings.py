"""Recorded readings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Reading:
    """One reading: degrees Celsius, millimetres, kilometres per hour; `at` is YYYY-MM-DDTHH:MM."""

    station: str
    at: str
    temperature: float
    rain: float | None
    wind: float | None


def load_readings(lines: Iterable[str]) -> list[Reading]:
    """Readings from lines of text; ValueError names the first bad line."""
    readings = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            station, at, temperature, rain, wind = line.rstrip("\n").split("|")
            datetime.strptime(at, "%Y-%m-%dT%H:%M")
            readings.append(Reading(station, at, float(temperature), float(rain) if rain else None, float(wind) if wind else None))
        except ValueError as error:
            raise ValueError(f"line {number} is no reading") from error
    return readings
