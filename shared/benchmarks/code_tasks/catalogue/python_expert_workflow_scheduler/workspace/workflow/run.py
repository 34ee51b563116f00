"""A workflow on paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .model import Event
from .plan import Workflow


def always_good(name: str, attempt: int) -> bool:
    """Every attempt goes well."""
    return True


def simulate(workflow: Workflow, resources: Mapping[str, int], outcome: Callable[[str, int], bool] = always_good, workers: int | None = None) -> list[Event]:
    """What happens, in order."""
    raise NotImplementedError
