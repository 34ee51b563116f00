"""Moving averages of gauge readings."""

from .averages import centered, cumulative, exponential, simple, weighted

__all__ = ["centered", "cumulative", "exponential", "simple", "weighted"]
