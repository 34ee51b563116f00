"""What can be said of a workflow before it runs."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable

from .model import Task, WorkflowError


class Workflow:
    """Tasks that wait for each other."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self.tasks: dict[str, Task] = {}
        for task in (tasks := list(tasks)):
            if task.name in self.tasks:
                raise WorkflowError(f'task "{task.name}" comes twice')
            self.tasks[task.name] = task
        for task in tasks:
            if task.minutes < 0:
                raise WorkflowError(f'task "{task.name}" has negative minutes')
            for resource, amount in task.needs.items():
                if amount < 1:
                    raise WorkflowError(f'task "{task.name}" needs less than one {resource}')
        for task in tasks:
            for name in task.after:
                if name not in self.tasks:
                    raise WorkflowError(f'task "{task.name}" comes after unknown "{name}"')
        self.before = {task.name: sorted(set(task.after)) for task in tasks}
        self.behind: dict[str, list[str]] = {name: [] for name in self.tasks}
        for name in sorted(self.tasks):
            for earlier in self.before[name]:
                self.behind[earlier].append(name)
        self._order = self._sorted()
        if len(self._order) < len(self.tasks):
            raise WorkflowError("circle: " + " -> ".join(self._circle()))

    def order(self) -> list[str]:
        """All names, predecessors first."""
        return list(self._order)

    def levels(self) -> list[list[str]]:
        """Names by their distance from the beginning."""
        level: dict[str, int] = {}
        for name in self._order:
            level[name] = max((level[earlier] + 1 for earlier in self.before[name]), default=0)
        levels: list[list[str]] = [[] for _ in range(max(level.values(), default=-1) + 1)]
        for name in sorted(level):
            levels[level[name]].append(name)
        return levels

    def critical_path(self) -> tuple[int, list[str]]:
        """The longest chain."""
        remaining = self.remaining()
        starts = [name for name in self.tasks if not self.before[name]]
        if not starts:
            return 0, []
        length = max(remaining[name] for name in starts)
        path = [min(name for name in starts if remaining[name] == length)]
        while behind := self.behind[path[-1]]:
            longest = max(remaining[name] for name in behind)
            path.append(min(name for name in behind if remaining[name] == longest))
        return length, path

    def slack(self) -> dict[str, int]:
        """Minutes that each task can be late."""
        earliest: dict[str, int] = {}
        for name in self._order:
            earliest[name] = max((earliest[earlier] + self.tasks[earlier].minutes for earlier in self.before[name]), default=0)
        remaining = self.remaining()
        total = max(remaining.values(), default=0)
        return {name: total - remaining[name] - earliest[name] for name in self._order}

    def ancestors(self, name: str) -> set[str]:
        """What must come before."""
        return _reachable(self.before, name)

    def descendants(self, name: str) -> set[str]:
        """What waits for it."""
        return _reachable(self.behind, name)

    def remaining(self) -> dict[str, int]:
        """Minutes of the longest chain from each task on, itself included."""
        remaining: dict[str, int] = {}
        for name in reversed(self._order):
            remaining[name] = self.tasks[name].minutes + max((remaining[later] for later in self.behind[name]), default=0)
        return remaining

    def _sorted(self) -> list[str]:
        missing = {name: len(before) for name, before in self.before.items()}
        ready = [(-self.tasks[name].priority, name) for name, count in missing.items() if count == 0]
        heapq.heapify(ready)
        order = []
        while ready:
            _, name = heapq.heappop(ready)
            order.append(name)
            for later in self.behind[name]:
                missing[later] -= 1
                if missing[later] == 0:
                    heapq.heappush(ready, (-self.tasks[later].priority, later))
        return order

    def _circle(self) -> list[str]:
        """The shortest circle through the smallest name that lies on one."""
        start = min(name for name in self.tasks if name in self.ancestors(name))
        distance = {start: 0}
        queue = deque([start])
        while queue:
            name = queue.popleft()
            for later in self.behind[name]:
                if later not in distance:
                    distance[later] = distance[name] + 1
                    queue.append(later)
        circle = [min((name for name in self.before[start] if name in distance), key=lambda name: (distance[name], name))]
        while circle[-1] != start:
            steps = [name for name in self.before[circle[-1]] if distance.get(name) == distance[circle[-1]] - 1]
            circle.append(min(steps))
        return [start, *circle]


def _reachable(edges: dict[str, list[str]], name: str) -> set[str]:
    found: set[str] = set()
    waiting = list(edges[name])
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting.extend(edges[one])
    return found
