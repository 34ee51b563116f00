import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

from workflow import Task, Workflow, WorkflowError, simulate  # noqa: E402


def run(tasks, resources=None, fails=(), workers=None):
    asked = []

    def outcome(name, attempt):
        asked.append([name, attempt])
        return (name, attempt) not in fails and name not in fails

    try:
        events = simulate(Workflow(tasks), resources or {}, outcome, workers)
    except WorkflowError as error:
        return [str(error), asked]
    return [[[event.time, event.kind, event.name, event.attempt] for event in events], [[event.name, event.attempt] for event in events if event.kind in ("end", "retry", "fail")] == asked]


night = [Task("bake", 35, ["proof", "heat"], {"oven": 1}), Task("rolls", 15, ["knead"], {"oven": 1}), Task("proof", 60, ["knead"]), Task("knead", 20), Task("heat", 25, (), {"oven": 1}, 1), Task("pack", 5, ["bake", "rolls"]), Task("wash", 10)]
observe("night", [run(night, {"oven": 1}), run(night, {"oven": 2}), run(night, {"oven": 1}, workers=1), run(night, {"oven": 3}, workers=2)])
observe("small", [run([]), run([Task("x", 0)]), run([Task("x", 3)], workers=1), run([Task("b", 2), Task("a", 2), Task("c", 2, priority=1)], workers=1), run([Task("b", 2), Task("a", 3), Task("c", 1, priority=1)], workers=1)])
zero = [Task("a", 0), Task("b", 0, ["a"]), Task("c", 0, ["b"]), Task("d", 4, ["a"]), Task("e", 0, ["d"], {"cup": 1}), Task("f", 4, (), {"cup": 1}), Task("g", 0, ["f"], {"cup": 1})]
observe("zero", [run(zero, {"cup": 1}), run(zero, {"cup": 1}, workers=1), run(zero, {"cup": 2}, fails={"b", ("d", 1)})])
trying = [Task("a", 3, retries=2), Task("b", 2, ["a"]), Task("c", 1), Task("d", 4, ["b", "c"]), Task("e", 2, ["c"], retries=1), Task("f", 1, ["e"]), Task("g", 1)]
observe("retries", [run(trying, fails={("a", 1)}), run(trying, fails={("a", 1), ("a", 2), ("e", 1)}), run(trying, fails={"a"}), run(trying, fails={"c", "a"}), run(trying, fails={"a", "e"}, workers=1), run(trying, fails={"b"}), run([Task("z", 0, retries=3)], fails={("z", 1), ("z", 2)})])
hungry = [Task("big", 5, (), {"gas": 4}), *[Task(f"s{number}", 3 + number % 2, (), {"gas": 1}, 1 if number < 3 else 0) for number in range(14)]]
observe("patience", [run(hungry, {"gas": 4}), run(hungry, {"gas": 5}), run([Task("big", 50, (), {"gas": 4}), *hungry[1:]], {"gas": 4}), run([Task("wide", 1, (), {"gas": 3, "cup": 1}, 2), Task("hold", 9, (), {"cup": 1}, 3), *hungry[1:12]], {"gas": 4, "cup": 1}, workers=3)])
stubborn = [Task("first", 40, (), {"hall": 1}, 9), Task("big", 5, (), {"hall": 1}, 5), *[Task(f"s{number:02}", 2, [f"s{number - 1:02}"] if number else ()) for number in range(12)]]
observe("blocking", [run(stubborn, {"hall": 1}), run(stubborn, {"hall": 2}), run([*stubborn, Task("other", 3, (), {"hall": 1}, 7)], {"hall": 1}), run([Task("first", 12, (), {"hall": 1}, 9, 1), *stubborn[1:]], {"hall": 1}, fails={("first", 1)})])
observe("refused", [run(night), run(night, {"oven": 0}), run([Task("b", 1, (), {"x": 2, "a": 3}), Task("a", 1, ["b"], {"a": 9})], {"x": 1, "a": 2}), run(night, {"oven": 1}, workers=0), run([Task("b", 1, (), {"x": 2})], {"x": 1}, workers=-1), run([Task("a", 1, (), {"x": 2}), Task("b", 1, (), {"x": 3}, 5)], {"x": 1})])


class Numbers:
    """Numbers that look random and are the same everywhere."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit

    def chance(self, share):
        return self.below(1000000) < share * 1000000

    def shuffled(self, items):
        rest = list(items)
        return [rest.pop(self.below(len(rest))) for _ in range(len(rest))]


def random_case(seed):
    numbers = Numbers(seed)
    names = numbers.shuffled(f"t{number:02}" for number in range(10 + seed * 2))
    tasks = []
    for place, name in enumerate(names):
        needs = {resource: 1 + numbers.below(3) for resource in ("oven", "gas") if numbers.chance(0.5)}
        tasks.append(Task(name, numbers.below(7), [other for other in names[:place] if numbers.chance(0.12)], needs, numbers.below(3), numbers.below(3)))
    fails = {(name, attempt) for name in names for attempt in (1, 2, 3) if numbers.chance(0.2)}
    return run(tasks, {"oven": 3, "gas": 4}, fails, (None, 2, 4)[numbers.below(3)])


for seed in range(1, 11):
    observe(f"random_{seed}", random_case(seed))
