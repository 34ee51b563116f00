"""Calls of the tool."""

from __future__ import annotations

from .readings import Reading


def call(request: str, readings: list[Reading]) -> str:
    """Answers one call."""
    raise NotImplementedError
