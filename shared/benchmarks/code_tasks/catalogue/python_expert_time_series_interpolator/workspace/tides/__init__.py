"""Gauges between their readings."""

from .series import Series

__all__ = ["Series"]
