"""Room bookings of a museum."""

from .interval import Interval
from .planner import busy_minutes, conflicts, first_gap, is_free

__all__ = ["Interval", "busy_minutes", "conflicts", "first_gap", "is_free"]
