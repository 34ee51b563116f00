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
async def shared():
    bench = Bench()
    tasks = [bench.ask("a") for _ in range(5)] + [bench.ask("b")]
    await settle()
    steps = [bench.state(*tasks)]
    bench.end(0, "A")
    await settle()
    steps += [bench.state(*tasks), await quick(bench, "a"), bench.cache.peek("a"), bench.cache.peek("b"), bench.cache.peek("z")]
    bench.end(1, None)
    await settle()
    return [*steps, await quick(bench, "b"), bench.state(*tasks), list(bench.cache.stats)]


@scenario
async def failing():
    bench = Bench()
    tasks = [bench.ask("a") for _ in range(3)]
    await settle()
    error = KeyError("lost")
    bench.end(0, error)
    await settle()
    same = [task.exception() is error for task in tasks]
    first = bench.state(*tasks)
    return [same, first, await quick(bench, "a", "good"), await quick(bench, "a"), bench.state()]


@scenario
async def failing_remembered():
    bench = Bench(negative_ttl=5, ttl=10)
    steps = [await quick(bench, "a", ValueError("no")), await quick(bench, "a"), bench.state(), bench.cache.peek("a")]
    bench.now += 4.5
    steps += [await quick(bench, "a"), bench.cache.invalidate("a"), bench.cache.invalidate("a"), await quick(bench, "a", ValueError("again"))]
    bench.now += 5
    steps += [len(bench.cache), await quick(bench, "a", "good"), await quick(bench, "a")]
    bench.now += 10
    return [*steps, bench.cache.peek("a"), await quick(bench, "a", ValueError("third")), await quick(bench, "a"), bench.cache.peek("a"), bench.state()]


@scenario
async def putting():
    bench = Bench(ttl=10)
    task = bench.ask("a")
    await settle()
    bench.cache.put("a", "put")
    steps = [await quick(bench, "a"), bench.state(task)]
    bench.end(0, "loaded")
    await settle()
    steps += [result(task), await quick(bench, "a"), bench.cache.invalidate("a"), bench.cache.invalidate("a")]
    first = bench.ask("a")
    await settle()
    bench.cache.invalidate("a")
    second = bench.ask("a")
    third = bench.ask("b")
    await settle()
    bench.cache.clear()
    fourth = bench.ask("b")
    await settle()
    steps.append(bench.state(first, second, third, fourth))
    for place, value in ((4, "four"), (1, "one"), (2, "two"), (3, "three")):
        bench.end(place, value)
        await settle()
        steps.append([bench.cache.peek("a"), bench.cache.peek("b")])
    return [*steps, bench.state(first, second, third, fourth)]


@scenario
async def sizes():
    bench = Bench(max_size=2, negative_ttl=9)
    steps = []
    for key, value in (("a", "A"), ("b", "B"), ("a", None), ("c", "C"), ("b", "B2"), ("d", ValueError("d")), ("b", None), ("d", None), ("c", "C2"), ("b", "B3")):
        steps.append([key, await quick(bench, key, value), [bench.cache.peek(one) for one in "abcd"], len(bench.cache)])
    bench.cache.put("x", 1)
    bench.cache.put("c", 2)
    steps.append([[bench.cache.peek(one) for one in "abcdx"], bench.state()])
    waiting = [bench.ask(f"w{number}") for number in range(4)]
    await settle()
    steps.append(len(bench.cache))
    for place in (-1, -4, -2, -3):
        bench.end(place, place)
        await settle()
        steps.append([bench.cache.peek(f"w{number}") for number in range(4)])
    return [*steps, [result(task) for task in waiting]]


def refused(**options):
    try:
        AsyncCache(None, **options)
        return "accepted"
    except ValueError as error:
        return str(error)


observe("refused", [refused(ttl=0), refused(ttl=-1, stale=-1), refused(stale=-1, negative_ttl=-1), refused(negative_ttl=-0.5, max_size=0), refused(max_size=0), refused(ttl=1, stale=0, negative_ttl=0, max_size=1)])
