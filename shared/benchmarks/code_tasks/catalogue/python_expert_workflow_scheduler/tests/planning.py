import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

from workflow import Task, Workflow, WorkflowError  # noqa: E402


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


def random_tasks(seed, count, density):
    numbers = Numbers(seed)
    names = numbers.shuffled(f"t{number:02}" for number in range(count))
    return [Task(name, numbers.below(9), [other for other in names[:place] if numbers.chance(density)], priority=numbers.below(3) - 1) for place, name in enumerate(names)]


night = [Task("bake", 35, ["proof", "heat"]), Task("proof", 60, ["knead"]), Task("knead", 20, priority=-1), Task("heat", 25), Task("pack", 5, ["bake", "wash", "bake"]), Task("wash", 10, priority=3), Task("note", 0)]
cases = {"empty": [], "one": [Task("x", 3)], "night": night, "zero": [Task("b", 0, ["a"]), Task("a", 0), Task("c", 0, ["a"])], "ties": [Task("a", 5), Task("b", 5), Task("c", 0, ["a"]), Task("d", 0, ["a", "b"]), Task("e", 5, ["d"]), Task("f", 5, ["c"])]}
cases |= {f"random_{seed}": random_tasks(seed, 6 + seed * 3, 0.35 / (1 + seed / 4)) for seed in range(8)}
for name, tasks in cases.items():
    flow = Workflow(iter(tasks))
    length, path = flow.critical_path()
    observe(f"plan_{name}", [flow.order(), flow.levels(), length, path, list(flow.slack().items())])
    observe(f"kin_{name}", [[sorted(flow.ancestors(task.name)), sorted(flow.descendants(task.name))] for task in tasks])
chain = Workflow(Task(f"n{number:05}", 1, [f"n{number - 1:05}"] if number else []) for number in range(20000))
observe("long", [chain.critical_path()[0], chain.order()[-1], len(chain.levels()), len(chain.ancestors("n19999")), len(chain.descendants("n00000")), sum(chain.slack().values())])
ladder = Workflow([Task(f"{side}{number:02}", 1, [f"{other}{number - 1:02}" for other in "ab"] if number else []) for number in range(60) for side in "ab"])
observe("ladder", [ladder.critical_path()[0], ladder.critical_path()[1][:3], len(ladder.ancestors("a59"))])


def refused(*tasks):
    try:
        Workflow(tasks)
        return "accepted"
    except WorkflowError as error:
        return str(error)


def ring(*edges):
    names = dict.fromkeys(name for edge in edges for name in edge)
    return refused(*[Task(name, 1, [after for first, after in edges if first == name]) for name in names])


observe("refused", [
    refused(Task("a", 1), Task("a", -1)), refused(Task("a", -1), Task("b", 1, ["x"])), refused(Task("a", 1, needs={"oven": 0}), Task("b", -1)), refused(Task("b", 1, ["x"]), Task("a", -2, needs={"oven": 0})), refused(Task("a", 1, needs={"z": 1, "y": -1, "b": 0})),
    refused(Task("a", 1, ["a", "x"])), refused(Task("b", 1, ["y", "x"]), Task("a", 1, ["z"])), refused(Task("a", 0, needs={"oven": 1})),
])
observe("circles", [
    ring("aa"), ring("ab", "ba"), ring("ba", "ab"), ring("ab", "bc", "ca"), ring("ac", "cb", "ba"), ring("ab", "bc", "cb"), ring("cb", "bc", "ab", "dd"), ring("ab", "ba", "ac", "ca"), ring("ab", "bc", "ca", "bd", "da"), ring("ab", "bc", "cd", "da", "ae", "ef", "fa"),
    ring("xa", "ab", "bx", "ay", "yz", "zx"), ring("zy", "yz", "yx"), ring("ad", "db", "ba", "ac", "ce", "ea", "dc"), ring("ab", "ac", "bd", "cd", "da"),
])


def unknown(action):
    try:
        return sorted(action())
    except KeyError as error:
        return ["KeyError", *error.args]


flow = Workflow(night)
observe("unknown", [unknown(lambda: flow.ancestors("tea")), unknown(lambda: flow.descendants("tea")), unknown(lambda: flow.ancestors("note"))])
