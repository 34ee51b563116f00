"""Batches of streams."""

from .batches import MISSING, batched, weighted, windows

__all__ = ["MISSING", "batched", "weighted", "windows"]
