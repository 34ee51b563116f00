"""The command: python3 -m weather."""

from __future__ import annotations

import sys
from typing import TextIO

from .readings import load_readings
from .tool import call


def main(arguments: list[str], stdin: TextIO, stdout: TextIO, stderr: TextIO) -> int:
    """Answers calls line by line."""
    if len(arguments) != 1:
        print("usage: weather FILE", file=stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            readings = load_readings(file)
    except OSError:
        print(f"weather: cannot read {arguments[0]}", file=stderr)
        return 1
    except ValueError as error:
        print(f"weather: {error}", file=stderr)
        return 1
    for line in stdin:
        if line.strip():
            print(call(line, readings), file=stdout, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdin, sys.stdout, sys.stderr))
