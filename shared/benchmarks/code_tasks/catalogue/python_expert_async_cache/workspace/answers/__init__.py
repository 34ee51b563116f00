"""Answers that are asked for once."""

from .cache import AsyncCache

__all__ = ["AsyncCache"]
