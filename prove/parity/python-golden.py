"""Writes what CPython's primitives give, as golden data for shared/python. Ours: it calls only the standard library.

usage: python3.12 python-golden.py table       ranges of code points that `str.isprintable` refuses, for shared/python/printable.ts
       python3.12 python-golden.py golden      golden.json: facts of every code point, and answers to drawn texts
       python3.12 python-golden.py answers     answers to the texts of a JSON list on standard input
"""

import hashlib
import json
import random
import re
import re._casefix
import sys

import _sre

COUNT = 0x110000
# The planes that hold something; of the others the golden file tells nothing but that they are as empty as their first code point.
FULL = [*range(0x33480), *range(0xE0000, 0xE0200)]


def runs(test, codes=FULL):
    """The places of the code points for which `test` holds, as starts and lengths, each start as the distance from the end of the run before."""
    found, end, start = [], 0, None
    for place, code in enumerate([*codes, None]):
        holds = code is not None and test(chr(code))
        if holds and start is None:
            start = place
        elif not holds and start is not None:
            found += [start - end, place - start]
            end, start = place, None
    return found


def check_empty():
    """Python knows nothing of the code points beyond FULL."""
    for code in set(range(COUNT)) - set(FULL):
        sign = chr(code)
        assert not sign.isprintable() and not sign.isspace() and sign.lower() == sign and not sign.isalnum(), hex(code)


def digest(values):
    """SHA-256 of one line a value."""
    return hashlib.sha256("\n".join(values).encode("utf-8", "surrogatepass")).hexdigest()


def case_key(code):
    """The smallest lower-case code point that `re.IGNORECASE` takes for this one."""
    lower = _sre.unicode_tolower(code)
    return min(re._casefix._EXTRA_CASES.get(lower, ()) + (lower,))


def case_twins():
    """Each code point that matches a smaller one under `re.IGNORECASE`, with the smallest such."""
    first, twins = {}, []
    for code in FULL:
        least = first.setdefault(case_key(code), code)
        if least != code:
            twins.append(f"{code}={least}")
    return twins


def attempt(function, text):
    try:
        return repr(function(text))
    except (ValueError, OverflowError):
        return None


def answers(text):
    """What the primitives make of a text; numbers as Python prints them, null where it raises."""
    return {
        "repr": repr(text),
        "float": attempt(float, text),
        "int": attempt(int, text),
        "strip": text.strip(),
        "split": text.split(),
        "lines": text.splitlines(),
        "kept": text.splitlines(True),
        "lower": text.lower(),
    }


def drawn():
    """Texts of numbers, signs and white space, the same each time."""
    draw = random.Random(20261128)
    spaces = list(" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x7f\x85\xa0\u1680\u180e\u2000\u200b\u2028\u2029\u202f\u3000\ufeff")
    parts = list("0123456789") + ["1_0", "_", "+", "-", ".", "e", "E5", "e-3", "inf", "Infinity", "nan", "NaN", "1e400", "\u0661", "\uff11", "\U0001d7d9", "\u00b2"]
    signs = list("aZ'\"\\\x00\x07\xad\u0130\u0131\u017f\u0378\u03a3\u1e9e\u2028\ue000\ufffe\U0001f600\U000e0001\U0003134b\U00031350") + ["\ud800", "\udc00", "Z\xa0HB"]
    texts = []
    for index in range(150):
        pool = spaces + parts * 3 if index % 2 else spaces + signs * 2 + parts
        count = draw.randint(0, 3) if index % 4 == 1 else draw.randint(1, 7)
        middle = "".join(draw.choice(pool if index % 3 else parts) for _ in range(count))
        around = [draw.choice(spaces + [""] * 8) for _ in range(2)] if index % 5 else ["", ""]
        texts.append(around[0] + middle + around[1])
    return texts


def golden():
    check_empty()
    word = re.compile(r"\w")
    return {
        "python": "%d.%d" % sys.version_info[:2],
        "space": runs(str.isspace),
        "line_end": runs(lambda sign: len(f"a{sign}b".splitlines()) == 2),
        "decimal": runs(str.isdecimal),
        "digit": digest(str(step) for step in runs(str.isdigit)),
        "alpha": digest(str(step) for step in runs(str.isalpha)),
        "alnum": digest(str(step) for step in runs(str.isalnum)),
        "upper": digest(str(step) for step in runs(str.isupper)),
        "islower": digest(str(step) for step in runs(str.islower)),
        "printable": digest(str(step) for step in runs(str.isprintable)),
        "word": digest(str(step) for step in runs(word.match)),
        "lower": digest(f"{code}={chr(code).lower()}" for code in FULL if chr(code).lower() != chr(code)),
        "case_twins": digest(case_twins()),
        "texts": [[text, answers(text)] for text in drawn()],
    }


def main(what):
    if what == "table":
        return runs(lambda sign: not sign.isprintable(), range(COUNT))
    if what == "golden":
        return golden()
    return [answers(text) for text in json.load(sys.stdin)]


if __name__ == "__main__":
    json.dump(main(*sys.argv[1:]), sys.stdout, separators=(",", ":"))
    print()
