"""A workflow on paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .model import Event, Task, WorkflowError
from .plan import Workflow

_PATIENCE = 5


def always_good(name: str, attempt: int) -> bool:
    """Every attempt goes well."""
    return True


def simulate(workflow: Workflow, resources: Mapping[str, int], outcome: Callable[[str, int], bool] = always_good, workers: int | None = None) -> list[Event]:
    """What happens, in order."""
    _check(workflow, resources, workers)
    return _Simulation(workflow, resources, outcome, workers).run()


def _check(workflow: Workflow, resources: Mapping[str, int], workers: int | None) -> None:
    for name in workflow.order():
        for resource, amount in sorted(workflow.tasks[name].needs.items()):
            there = resources.get(resource, 0)
            if amount > there:
                raise WorkflowError(f'task "{name}" needs {amount} {resource} of {there}')
    if workers is not None and workers < 1:
        raise WorkflowError("no workers")


class _Simulation:
    def __init__(self, workflow: Workflow, resources: Mapping[str, int], outcome: Callable[[str, int], bool], workers: int | None) -> None:
        self.workflow, self.outcome, self.workers = workflow, outcome, workers
        self.free = dict(resources)
        self.remaining = workflow.remaining()
        self.missing = {name: len(before) for name, before in workflow.before.items()}
        self.ready = {name for name, count in self.missing.items() if count == 0}
        self.running: dict[str, int] = {}
        self.attempts = dict.fromkeys(workflow.tasks, 1)
        self.passed: dict[str, set[int]] = {}
        self.skipped: set[str] = set()
        self.events: list[Event] = []

    def run(self) -> list[Event]:
        self._start(0)
        while self.running:
            now = min(self.running.values())
            for name in sorted(name for name, end in self.running.items() if end == now):
                self._end(now, name)
            self._start(now)
        return self.events

    def _end(self, now: int, name: str) -> None:
        task, attempt = self.workflow.tasks[name], self.attempts[name]
        del self.running[name]
        for resource, amount in task.needs.items():
            self.free[resource] += amount
        if self.outcome(name, attempt):
            self.events.append(Event(now, "end", name, attempt))
            for later in self.workflow.behind[name]:
                self.missing[later] -= 1
                if self.missing[later] == 0:
                    self.ready.add(later)
        elif attempt <= task.retries:
            self.events.append(Event(now, "retry", name, attempt))
            self.attempts[name] += 1
            self.ready.add(name)
        else:
            self.events.append(Event(now, "fail", name, attempt))
            for later in sorted(self.workflow.descendants(name) - self.skipped):
                self.skipped.add(later)
                self.events.append(Event(now, "skip", later, 0))

    def _start(self, now: int) -> None:
        for name in sorted(self.ready, key=lambda name: (-self.workflow.tasks[name].priority, -self.remaining[name], name)):
            task = self.workflow.tasks[name]
            if self._fits(task):
                self.ready.remove(name)
                self.passed.pop(name, None)
                self.running[name] = now + task.minutes
                for resource, amount in task.needs.items():
                    self.free[resource] -= amount
                self.events.append(Event(now, "start", name, self.attempts[name]))
                continue
            times = self.passed.setdefault(name, set())
            if len(times - {now}) >= _PATIENCE:
                break
            times.add(now)

    def _fits(self, task: Task) -> bool:
        if self.workers is not None and len(self.running) >= self.workers:
            return False
        return all(amount <= self.free[resource] for resource, amount in task.needs.items())
