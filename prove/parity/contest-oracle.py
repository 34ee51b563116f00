"""Reads generated answers with MathArena's parser. Ours: it only loads the parser and calls it.

usage: contest-oracle.py FOLDER INPUT OUTPUT     FOLDER holds the package matharena
INPUT holds one JSON object a line: text, gold. OUTPUT gets one a line: right, read (a box was read), or raised.
The parser works in a process of its own, which is replaced when an answer takes it too long: powers of powers end in no time.
"""

import importlib
import json
import multiprocessing
import re
import sys
import tokenize
import types
import warnings

LIMIT_S = 20


def refuse_odd_names():
    """Has SymPy refuse the names that Python refused before 3.12, whose tokenizer takes anything beyond ASCII for a name."""
    from sympy.parsing import sympy_parser

    tokens = sympy_parser.generate_tokens
    name = re.compile(r"\w+")

    def checked(readline):
        for token in tokens(readline):
            if token.type == tokenize.NAME and not (name.fullmatch(token.string) and token.string[0].isidentifier()):
                raise tokenize.TokenError(token.string)
            yield token

    sympy_parser.generate_tokens = checked


def load(folder):
    """The parser without the rest of its package, and without its log."""
    warnings.simplefilter("ignore")
    package = types.ModuleType("matharena")
    package.__path__ = [f"{folder}/matharena"]
    sys.modules["matharena"] = package
    from loguru import logger

    logger.remove()
    if sys.version_info >= (3, 12):
        refuse_odd_names()
    return importlib.import_module("matharena.parser")


def verdict(parser, text, gold):
    read = parser.extract_answer(text, strict_parsing=True)[0] is not None
    answer = parser.extract_answer(text, strict_parsing=False)[0]
    return {"read": read, "right": bool(parser.check_answers(answer, parser.parse_answer(gold)[0]))}


def serve(folder, pipe):
    parser = load(folder)
    pipe.send(None)
    while True:
        answer = pipe.recv()
        try:
            found = verdict(parser, answer["text"], answer["gold"])
        except BaseException as error:  # whatever upstream raises, also exit(); its own grading would stop there
            found = {"raised": type(error).__name__}
        pipe.send(found)


def start(context, folder):
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(folder, theirs), daemon=True)
    process.start()
    ours.recv()
    return process, ours


def main(folder, source, target):
    context = multiprocessing.get_context("spawn")
    process, pipe = start(context, folder)
    with open(source, encoding="utf-8") as answers, open(target, "w", encoding="utf-8") as verdicts:
        for line in answers:
            pipe.send(json.loads(line))
            if pipe.poll(LIMIT_S):
                found = pipe.recv()
            else:
                process.kill()
                process.join()
                found = {"raised": "TookTooLong"}
                process, pipe = start(context, folder)
            verdicts.write(json.dumps(found) + "\n")
            verdicts.flush()
    process.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
