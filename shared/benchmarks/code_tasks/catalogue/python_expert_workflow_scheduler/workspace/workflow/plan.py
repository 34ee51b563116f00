"""What can be said of a workflow before it runs."""

from __future__ import annotations

from collections.abc import Iterable

from .model import Task


class Workflow:
    """Tasks that wait for each other."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        raise NotImplementedError

    def order(self) -> list[str]:
        """All names, predecessors first."""
        raise NotImplementedError

    def levels(self) -> list[list[str]]:
        """Names by their distance from the beginning."""
        raise NotImplementedError

    def critical_path(self) -> tuple[int, list[str]]:
        """The longest chain."""
        raise NotImplementedError

    def slack(self) -> dict[str, int]:
        """Minutes that each task can be late."""
        raise NotImplementedError

    def ancestors(self, name: str) -> set[str]:
        """What must come before."""
        raise NotImplementedError

    def descendants(self, name: str) -> set[str]:
        """What waits for it."""
        raise NotImplementedError
