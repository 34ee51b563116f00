"""A cache for coroutines."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Any


class AsyncCache:
    """Remembers what a coroutine function gave."""

    def __init__(self, load: Callable[[Any], Awaitable[Any]], *, ttl: float | None = None, stale: float = 0.0, negative_ttl: float = 0.0, max_size: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        raise NotImplementedError

    async def get(self, key: Hashable) -> Any:
        """The value of a key."""
        raise NotImplementedError
