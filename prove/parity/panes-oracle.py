"""Reads panes with Terminal-Bench's parsers. Ours: it only loads the parsers and calls them.

usage: panes-oracle.py FOLDER INPUT OUTPUT     FOLDER holds the package terminal_bench
INPUT holds one JSON object a line: parser, pane. OUTPUT gets one a line: tests, or raised.
"""

import json
import logging
import sys
import types


def load(folder):
    """The parsers without the rest of their package, whose logger needs more than is here."""
    for name in ("terminal_bench", "terminal_bench.utils"):
        package = types.ModuleType(name)
        package.__path__ = [f"{folder}/{name.replace('.', '/')}"]
        sys.modules[name] = package
    sys.modules["terminal_bench.utils.logger"] = types.ModuleType("terminal_bench.utils.logger")
    sys.modules["terminal_bench.utils.logger"].logger = logging.getLogger("terminal_bench")
    from terminal_bench.parsers.parser_factory import ParserFactory, ParserName

    return lambda name: ParserFactory.get_parser(ParserName(name))


def main(folder, source, target):
    parser_of = load(folder)
    with open(source, encoding="utf-8", newline="\n") as panes, open(target, "w", encoding="utf-8") as readings:
        for line in panes:
            given = json.loads(line)
            try:
                found = {"tests": {name: status.value for name, status in parser_of(given["parser"]).parse(given["pane"]).items()}}
            except ValueError as error:
                found = {"raised": type(error).__name__}
            readings.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
