"""Workflows of a bakery."""

from .model import Event, Task, WorkflowError
from .plan import Workflow
from .run import simulate

__all__ = ["Event", "Task", "Workflow", "WorkflowError", "simulate"]
