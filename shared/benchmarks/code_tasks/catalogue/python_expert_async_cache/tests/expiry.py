import asyncio
import json
import os
import signal
import sys

signal.alarm(40)

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

from answers import AsyncCache  # noqa: E402


class Bench:
    """A cache with a clock of ours, whose loads end when we say so."""

    def __init__(self, **options):
        self.now, self.begun, self.log = 100.0, [], []
        self.cache = AsyncCache(self.load, clock=lambda: self.now, **options)

    async def load(self, key):
        future = asyncio.get_running_loop().create_future()
        self.begun.append((key, future))
        try:
            return await future
        except asyncio.CancelledError:
            self.log.append(f"cancelled {key}")
            raise

    def ask(self, key):
        return asyncio.ensure_future(self.cache.get(key))

    def end(self, place, value):
        future = self.begun[place][1]
        if isinstance(value, BaseException):
            future.set_exception(value)
        else:
            future.set_result(value)

    def state(self, *tasks):
        return [[result(task) for task in tasks], [key for key, _ in self.begun], len(self.cache), list(self.cache.stats.values()), list(self.log)]


def result(task):
    if not task.done():
        return "waits"
    if task.cancelled():
        return "cancelled"
    error = task.exception()
    return f"{type(error).__name__}: {error}" if error else task.result()


async def settle():
    for _ in range(20):
        await asyncio.sleep(0)


async def quick(bench, key, value=None):
    """Asks, and ends the load that begins, if one does."""
    before = len(bench.begun)
    task = bench.ask(key)
    await settle()
    if len(bench.begun) > before and value is not None:
        bench.end(-1, value)
        await settle()
    return result(task)


def scenario(function):
    observe(function.__name__, asyncio.run(function()))


@scenario
async def ages():
    bench = Bench(ttl=10)
    task = bench.ask("a")
    await settle()
    bench.now += 7
    bench.end(0, "A")
    await settle()
    steps = [result(task)]
    for wait in (9.5, 0.5):
        bench.now += wait
        steps += [bench.cache.peek("a"), len(bench.cache)]
    return [*steps, bench.cache.invalidate("a"), await quick(bench, "a", "B"), bench.state()]


@scenario
async def stale():
    bench = Bench(ttl=10, stale=5, negative_ttl=3)
    steps = [await quick(bench, "a", "A")]
    bench.now += 10
    steps += [await quick(bench, "a"), await quick(bench, "a"), bench.state()]
    bench.end(1, "B")
    await settle()
    steps += [await quick(bench, "a"), bench.state()]
    bench.now += 14.5
    steps += [await quick(bench, "a", ValueError("background")), await quick(bench, "a", "C"), await quick(bench, "a"), bench.state()]
    bench.now += 15
    return [*steps, bench.cache.peek("a"), len(bench.cache), await quick(bench, "a", "D"), bench.state()]


@scenario
async def joining():
    bench = Bench(ttl=10, stale=5)
    steps = [await quick(bench, "a", "A")]
    bench.now += 12
    steps.append(await quick(bench, "a"))
    bench.now += 5
    tasks = [bench.ask("a"), bench.ask("a")]
    await settle()
    tasks[0].cancel()
    await settle()
    steps.append(bench.state(*tasks))
    tasks[1].cancel()
    await settle()
    steps.append(bench.state(*tasks))
    bench.end(1, "B")
    await settle()
    return [*steps, await quick(bench, "a"), bench.state(*tasks)]


@scenario
async def stale_failures():
    bench = Bench(ttl=10, stale=5, negative_ttl=3)
    await quick(bench, "a", "A")
    bench.now += 14
    steps = [await quick(bench, "a")]
    bench.now += 2
    waiting = bench.ask("a")
    await settle()
    bench.end(1, OSError("gone"))
    await settle()
    steps += [result(waiting), bench.cache.peek("a"), bench.state()]
    bench.cache.put("b", "B")
    bench.now += 12
    steps.append(await quick(bench, "b"))
    bench.cache.put("b", "B2")
    bench.end(-1, "late")
    await settle()
    return [*steps, await quick(bench, "b"), bench.state()]


@scenario
async def endless():
    bench = Bench(stale=1)
    steps = [await quick(bench, "a", "A")]
    bench.now += 1e9
    return [*steps, await quick(bench, "a"), bench.state()]
