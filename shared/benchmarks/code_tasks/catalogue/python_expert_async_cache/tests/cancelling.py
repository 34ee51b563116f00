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
async def one_of_many():
    bench = Bench()
    tasks = [bench.ask("a") for _ in range(3)]
    await settle()
    tasks[0].cancel()
    await settle()
    steps = [bench.state(*tasks)]
    bench.end(0, "A")
    await settle()
    return [*steps, bench.state(*tasks), await quick(bench, "a")]


@scenario
async def the_last():
    bench = Bench(negative_ttl=5)
    tasks = [bench.ask("a") for _ in range(2)]
    await settle()
    for task in tasks:
        task.cancel()
    await settle()
    return [bench.state(*tasks), await quick(bench, "a", "B"), bench.state(*tasks)]


@scenario
async def cleaning_up():
    release = asyncio.Event()
    log = []

    async def load(key):
        number = len(log)
        log.append("begin")
        try:
            await asyncio.sleep(3600 if number == 0 else 0)
            return f"value {number}"
        except asyncio.CancelledError:
            log.append("cleaning")
            await release.wait()
            log.append("clean")
            return "too late"

    cache = AsyncCache(load)
    first = asyncio.ensure_future(cache.get("a"))
    await settle()
    first.cancel()
    await settle()
    steps = [result(first), list(log)]
    second = asyncio.ensure_future(cache.get("a"))
    await settle()
    steps += [result(second), list(log)]
    release.set()
    await settle()
    return [*steps, await cache.get("a"), log, list(cache.stats.values())]


@scenario
async def load_cancels_itself():
    bench = Bench(negative_ttl=5)
    tasks = [bench.ask("a") for _ in range(2)]
    await settle()
    bench.begun[0][1].cancel()
    await settle()
    return [bench.state(*tasks), await quick(bench, "a", "B")]


@scenario
async def closing():
    bench = Bench(ttl=10, stale=5)
    await quick(bench, "s", "S")
    bench.now += 11
    await quick(bench, "s")
    tasks = [bench.ask("a"), bench.ask("a"), bench.ask("b")]
    await settle()
    await bench.cache.close()
    await settle()
    steps = [[result(task) for task in tasks], sorted(bench.log), await quick(bench, "s"), await quick(bench, "new")]
    await bench.cache.close()
    return [*steps, len([task for task in asyncio.all_tasks() if not task.done()])]


@scenario
async def waiting_for():
    bench = Bench()
    steps = []
    for key in ("a", "a"):
        try:
            await asyncio.wait_for(bench.cache.get(key), 0.01)
        except asyncio.TimeoutError:
            steps.append("timeout")
    await settle()
    return [*steps, bench.state(), await quick(bench, "a", "A")]


@scenario
async def invalidated_and_cancelled():
    bench = Bench()
    first = bench.ask("a")
    await settle()
    bench.cache.invalidate("a")
    second = bench.ask("a")
    await settle()
    first.cancel()
    await settle()
    steps = [bench.state(first, second)]
    bench.end(1, "B")
    await settle()
    return [*steps, bench.state(first, second)]


async def crowd():
    running, most, wrong = {}, 0, 0

    async def load(key):
        nonlocal most
        running[key] = running.get(key, 0) + 1
        most = max(most, running[key])
        try:
            for _ in range(key % 5):
                await asyncio.sleep(0)
            if key % 7 == 3:
                raise ValueError(key)
            return key * 2
        finally:
            running[key] -= 1

    cache = AsyncCache(load, max_size=20)

    async def user(number):
        nonlocal wrong
        for step in range(60):
            key = (number * 13 + step * 7) % 50
            try:
                wrong += await cache.get(key) != key * 2
            except ValueError as error:
                wrong += error.args != (key,)

    await asyncio.gather(*(user(number) for number in range(40)))
    return [most, wrong, len(cache), cache.stats["hits"] + cache.stats["misses"], sum(running.values())]


observe("crowd", asyncio.run(crowd()))
