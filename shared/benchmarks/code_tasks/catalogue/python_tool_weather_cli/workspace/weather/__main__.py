"""The command: python3 -m weather."""

from __future__ import annotations

import sys
from typing import TextIO


def main(arguments: list[str], stdin: TextIO, stdout: TextIO, stderr: TextIO) -> int:
    """Answers calls line by line."""
    raise NotImplementedError


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdin, sys.stdout, sys.stderr))
