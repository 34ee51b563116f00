"""Reads generated answers with MathArena's parser. Ours: it only loads the parser and calls it.

usage: contest-oracle.py FOLDER INPUT OUTPUT     FOLDER holds the package matharena
INPUT holds one JSON object a line: text, gold. OUTPUT gets one a line: right, read (a box was read), or raised.
"""

import importlib
import json
import signal
import sys
import types


class TookTooLong(Exception):
    pass


def too_long(*_args):
    raise TookTooLong


def load(folder):
    """The parser without the rest of its package, and without its log."""
    package = types.ModuleType("matharena")
    package.__path__ = [f"{folder}/matharena"]
    sys.modules["matharena"] = package
    from loguru import logger

    logger.remove()
    return importlib.import_module("matharena.parser")


def verdict(parser, text, gold):
    read = parser.extract_answer(text, strict_parsing=True)[0] is not None
    answer = parser.extract_answer(text, strict_parsing=False)[0]
    return {"read": read, "right": bool(parser.check_answers(answer, parser.parse_answer(gold)[0]))}


def main(folder, source, target):
    parser = load(folder)
    signal.signal(signal.SIGALRM, too_long)
    with open(source, encoding="utf-8") as answers, open(target, "w", encoding="utf-8") as verdicts:
        for line in answers:
            answer = json.loads(line)
            signal.setitimer(signal.ITIMER_REAL, 10)
            try:
                found = verdict(parser, answer["text"], answer["gold"])
            except Exception as error:  # whatever upstream raises; its own grading would stop there
                found = {"raised": type(error).__name__}
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            verdicts.write(json.dumps(found) + "\n")


main(*sys.argv[1:])
