"""A cache for coroutines."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Any


@dataclass
class _Entry:
    at: float
    value: Any = None
    error: BaseException | None = None


class _Load:
    """A running load: its task, who waits for its result, and whether somebody has to."""

    def __init__(self, background: bool) -> None:
        self.result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.task: asyncio.Task[None] | None = None
        self.background = background
        self.waiting = 0


class AsyncCache:
    """Remembers what a coroutine function gave."""

    def __init__(self, load: Callable[[Any], Awaitable[Any]], *, ttl: float | None = None, stale: float = 0.0, negative_ttl: float = 0.0, max_size: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        if ttl is not None and ttl <= 0:
            raise ValueError("ttl must be positive")
        if stale < 0:
            raise ValueError("stale must not be negative")
        if negative_ttl < 0:
            raise ValueError("negative_ttl must not be negative")
        if max_size is not None and max_size < 1:
            raise ValueError("max_size must be at least 1")
        self._load, self._ttl, self._stale, self._negative_ttl = load, ttl, stale, negative_ttl
        self._max_size, self._clock = max_size, clock
        self._entries: dict[Hashable, _Entry] = {}
        self._loads: dict[Hashable, _Load] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self.stats = dict.fromkeys(("hits", "stale", "misses", "negative", "loads"), 0)

    async def get(self, key: Hashable) -> Any:
        """The value of a key."""
        if self._closed:
            raise RuntimeError("cache is closed")
        entry = self._remembered(key)
        if entry is not None:
            self._entries[key] = self._entries.pop(key)
            if entry.error is not None:
                self.stats["negative"] += 1
                raise entry.error
            if self._is_fresh(entry):
                self.stats["hits"] += 1
                return entry.value
            self.stats["stale"] += 1
            if key not in self._loads:
                self._begin(key, background=True)
            return entry.value
        self.stats["misses"] += 1
        load = self._loads.get(key) or self._begin(key, background=False)
        load.waiting += 1
        try:
            return await asyncio.shield(load.result)
        finally:
            load.waiting -= 1
            if load.waiting == 0 and not load.background and not load.result.done():
                self._forget_load(key, load)
                load.task.cancel()

    def put(self, key: Hashable, value: Any) -> None:
        """Stores a value."""
        self._loads.pop(key, None)
        self._remember(key, _Entry(self._clock(), value))

    def invalidate(self, key: Hashable) -> bool:
        """Forgets a key."""
        self._loads.pop(key, None)
        known = self._remembered(key) is not None
        self._entries.pop(key, None)
        return known

    def clear(self) -> None:
        """Forgets everything."""
        self._loads.clear()
        self._entries.clear()

    def peek(self, key: Hashable) -> Any:
        """The value of a key, if it is known."""
        entry = self._remembered(key)
        return None if entry is None or entry.error is not None else entry.value

    def __len__(self) -> int:
        return sum(self._remembered(key) is not None for key in self._entries)

    async def close(self) -> None:
        """Ends all loads."""
        self._closed = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, key: Hashable, background: bool) -> _Load:
        self.stats["loads"] += 1
        load = self._loads[key] = _Load(background)
        load.task = asyncio.ensure_future(self._run(key, load))
        self._tasks.add(load.task)
        load.task.add_done_callback(self._tasks.discard)
        load.task.add_done_callback(lambda _: load.result.cancel())
        return load

    async def _run(self, key: Hashable, load: _Load) -> None:
        try:
            value = await self._load(key)
        except asyncio.CancelledError:
            self._forget_load(key, load)
            load.result.cancel()
        except Exception as error:
            if self._forget_load(key, load) and not load.background:
                self._entries.pop(key, None)
                if self._negative_ttl > 0:
                    self._remember(key, _Entry(self._clock(), error=error))
            load.result.set_exception(error)
            load.result.exception()
        else:
            if self._forget_load(key, load):
                self._remember(key, _Entry(self._clock(), value))
            load.result.set_result(value)

    def _forget_load(self, key: Hashable, load: _Load) -> bool:
        """Whether the load was still the one of its key."""
        if self._loads.get(key) is not load:
            return False
        del self._loads[key]
        return True

    def _remember(self, key: Hashable, entry: _Entry) -> None:
        self._entries.pop(key, None)
        self._entries[key] = entry
        while self._max_size is not None and len(self._entries) > self._max_size:
            del self._entries[next(iter(self._entries))]

    def _remembered(self, key: Hashable) -> _Entry | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        age = self._clock() - entry.at
        if entry.error is not None:
            return entry if age < self._negative_ttl else None
        return entry if self._ttl is None or age < self._ttl + self._stale else None

    def _is_fresh(self, entry: _Entry) -> bool:
        return self._ttl is None or self._clock() - entry.at < self._ttl
