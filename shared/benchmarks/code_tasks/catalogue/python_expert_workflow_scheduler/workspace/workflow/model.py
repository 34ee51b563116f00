"""Tasks and what happens to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


class WorkflowError(ValueError):
    """A workflow that makes no sense."""


@dataclass(frozen=True)
class Task:
    """One step; `needs` says how much of which resource it holds while it runs."""

    name: str
    minutes: int
    after: Sequence[str] = ()
    needs: Mapping[str, int] = field(default_factory=dict)
    priority: int = 0
    retries: int = 0


@dataclass(frozen=True)
class Event:
    """Something that happened: start, end, retry, fail or skip."""

    time: int
    kind: str
    name: str
    attempt: int
