"""Answers of weather stations."""

from .readings import Reading, load_readings
from .tool import call

__all__ = ["Reading", "call", "load_readings"]
