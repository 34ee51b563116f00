"""Reports of the harvest book of an orchard."""

from .book import Book, Record, load
from .report import render

__all__ = ["Book", "Record", "load", "render"]
