import type { Draw } from './draw.ts'

/** A program and what it is tested with; without a name it reads and writes. */
export type Tested = { program: string; tests: [input: string, output: string][]; fn_name: string | null }

/** Ways to read a line of count and a line of numbers, each leaving the numbers in `xs`; some of them do not work in the official runner. */
const reads = [
  'n = int(input())\nxs = list(map(int, input().split()))',
  'import sys\nxs = list(map(int, sys.stdin.read().split()))[1:]',
  'import sys\ninput = sys.stdin.readline\nn = int(input())\nxs = [int(x) for x in input().split()]',
  'import sys\nlines = sys.stdin.readlines()\nxs = [int(x) for x in lines[1].split()]',
  'import sys\nxs = [int(x) for x in sys.stdin.buffer.read().split()[1:]]',
  'import sys\nn = sys.stdin.buffer.readline()\nxs = [int(x) for x in sys.stdin.buffer.readline().split()]',
  'import sys\nxs = []\nfor line in sys.stdin:\n    xs = [int(x) for x in line.split()]',
  'from sys import stdin\nn = int(stdin.readline())\nxs = list(map(int, stdin.readline().split()))',
  'from sys import stdin\nxs = [int(x) for line in stdin for x in line.split()][1:]',
  'n = int(stdin.readline())\nxs = list(map(int, stdin.readline().split()))',
  'xs = list(map(int, open(0).read().split()))[1:]',
  'import os\nxs = [int(x) for x in os.read(0, 10000).split()][1:]',
  'import builtins\nxs = [int(x) for x in builtins.open(0).read().split()][1:]',
  'import io, sys\nxs = [int(x) for x in io.TextIOWrapper(sys.stdin.buffer).read().split()][1:]',
  'import sys\nxs = [int(x) for x in sys.stdin.buffer.readlines()[1].split()]',
  'import sys\nn, *xs = map(int, iter(sys.stdin.read().split()))',
  'import fileinput\nlines = list(fileinput.input())\nxs = [int(x) for x in lines[1].split()]',
  'lines = []\nwhile True:\n    try:\n        lines.append(input())\n    except EOFError:\n        break\nxs = [int(x) for x in lines[1].split()]',
  'import sys\nlines = []\nwhile True:\n    line = sys.stdin.readline()\n    if not line:\n        break\n    lines.append(line)\nxs = [int(x) for x in lines[1].split()]',
  'from sys import stdin\nlines = []\nwhile True:\n    line = stdin.readline()\n    if not line:\n        break\n    lines.append(line)\nxs = [int(x) for x in lines[1].split()]',
  'def read():\n    from sys import stdin\n    return stdin.read()\nxs = [int(x) for x in read().split()][1:]',
  'import sys\nn = next(sys.stdin)\nxs = [int(x) for x in next(sys.stdin).split()]',
  'import sys\nxs = [int(x) for x in sys.__stdin__.read().split()][1:]',
  'import sys\nsys.stdin.seek(2)\nxs = [int(x) for x in sys.stdin.getvalue().split()][1:]',
  'n, xs = int(input("n? ")), list(map(int, input().split()))',
  'import sys\nn = sys.stdin.readline(1)\nxs = [int(x) for x in (sys.stdin.readline(), sys.stdin.readline())[1].split()]',
  'from sys import *\nxs = [int(x) for x in stdin.readlines()[1].split()]',
  'import numpy as np\ninput()\nxs = np.array(input().split(), dtype=np.int64)',
] as const

/** Ways to write the sum of `xs`. */
const writes = [
  'print(sum(xs))',
  'import sys\nsys.stdout.write(str(sum(xs)) + "\\n")',
  'print("", sum(xs), "", sep="\\n")',
  'print(float(sum(xs)))',
  'print(f"{sum(xs):.1f}", end="")',
  'print("%d\\r" % sum(xs))',
  'print(sum(xs) + 1)',
  'print(str(sum(xs)) + "\\u3000\\t ")',
  'print(*str(sum(xs)))',
  'import sys\nprint("debug", file=sys.stderr)\nprint(sum(xs))',
  'import sys\nsys.stdout.buffer.write(str(sum(xs)).encode())',
  'import os\nos.write(1, str(sum(xs)).encode())',
  'from sys import stdout\nstdout.write(str(sum(xs)))',
  'import sys, io\nkept = sys.stdout\nsys.stdout = io.StringIO()\nprint("gone")\nsys.stdout = kept\nprint(sum(xs))',
  'import sys, io\nsys.stdout = io.StringIO()\nprint(sum(xs))',
  'import sys\nprint(sum(xs))\nsys.stdout.close()',
  'import sys\nprint(sum(xs), file=sys.__stdout__)',
  'import sys, io\nsys.stderr = io.StringIO()\nprint(sum(xs))',
  'import sys\nsys.stderr = None\nprint(sum(xs))',
  'print(sum(xs), flush=True)\nexit()',
  'print(sum(xs))\nimport sys\nsys.exit(3)',
  'print(sum(xs))\nquit()',
  'print(sum(xs))\nraise SystemExit',
  'print(sum(xs))\nraise KeyboardInterrupt',
  'import os\nprint(sum(xs))\nos._exit(0)',
  'import os\nprint(sum(xs))\nos.abort()',
  'print(sum(xs))\nraise ValueError("after the answer")',
  'import threading\nt = threading.Thread(target=lambda: print(sum(xs)))\nt.start()\nt.join()',
  'import atexit\natexit.register(print, "late")\nprint(sum(xs))',
  'return print(sum(xs))',
  'print(sum(xs) if xs is not None else 0, "" if len(xs) else "")',
] as const

const around = [
  (body: string) => body,
  (body: string) => `def main():\n${indent(body)}\nif __name__ == '__main__':\n    main()`,
  (body: string) => `def main():\n${indent(body)}\nif __name__ == "__main__":\n    main()\nelse:\n    pass`,
  (body: string) => `def main():\n${indent(body)}\nif __name__ == '__main__':\n    main()\nx = 1`,
  (body: string) => `def main():\n${indent(body)}\nif '__main__' == __name__:\n    main()`,
  (body: string) => `def main():\n${indent(body)}\nmain()`,
  (body: string) => `count = 0\ndef main():\n    global count\n    count += 1\n${indent(body)}\nmain()`,
  (body: string) => `count = 0\ndef main():\n    nonlocal count\n    count += 1\n${indent(body)}\nmain()`,
  (body: string) => `class Program:\n    def run(self):\n${indent(indent(body))}\nProgram().run()`,
  (body: string) => `"""Says what it does."""\n# class Solution\n${body}`,
  (body: string) => `note = "class Solution"\n${body}`,
  (body: string) => `class Solution:\n    pass\n${body}`,
  (body: string) => `from __future__ import annotations\n${body}`,
  (body: string) => `try:\n    from math import *\nexcept ImportError:\n    pass\n${body}`,
  (body: string) => `from collections import *\nimport sys, threading\nsys.setrecursionlimit(10 ** 6)\n${body}`,
  (body: string) => `async def main():\n${indent(body)}\nimport asyncio\nasyncio.run(main())`,
  (body: string) => `for _ in range(1):\n${indent(body)}`,
  (body: string) => `import sys, threading\ndef main():\n${indent(body)}\nt = threading.Thread(target=main)\nt.start()\nt.join()`,
] as const

const indent = (text: string): string => text.replaceAll(/^/gm, '    ')

/** A program of reading, writing and a frame around both, with one to three tests. */
export function sumProgram(draw: Draw): Tested {
  const body = `${draw.pick(draw.chance(0.5) ? reads.slice(0, 4) : reads)}\n${draw.pick(draw.chance(0.4) ? writes.slice(0, 3) : writes)}`
  const tests = draw.many(draw.between(1, 3), (): [string, string] => {
    const xs = draw.many(draw.between(1, 6), () => draw.between(-99, 99))
    const input = `${xs.length}\n${xs.join(' ')}${draw.pick(['\n', '', '\n\n', ' \n'])}`
    return [input, `${xs.reduce((a, b) => a + b, 0)}${draw.pick(['\n', '', '  \n\n'])}`]
  })
  return { program: draw.pick(draw.chance(0.5) ? around.slice(0, 2) : around)(body), tests, fn_name: null }
}

/** Words that are numbers to Python's Decimal, some of them alike, and some that are none. */
const words = [
  ...[
    '6',
    '6.0',
    '6e0',
    '+6',
    '-6',
    '06',
    '6.',
    '.6',
    '0.60',
    '6_0',
    '_6',
    '6__0_',
    '60',
    '6E1',
    '6e+1',
    '6e-1',
    '0',
    '-0',
    '0.000',
    '0e5',
    '-0.0',
  ],
  ...[
    '٦',
    '６',
    '१',
    '1',
    '𝟞',
    '६',
    'NaN',
    'nan',
    'sNaN',
    'snan12',
    'NaN5',
    'inf',
    'Infinity',
    '-Infinity',
    '+inf',
    'infinit',
    'e',
    '1e',
    '.',
    '-',
    '+-6',
  ],
  ...['1e400', '10e399', '1e-400', '1e999999999999999999', '1e1000000000000000000', '1e-1999999999999999997', '1e-1999999999999999998'],
  ...[
    '0e999999999999999999',
    '0e1000000000000000000',
    '0e-1999999999999999998',
    '1e99999999999999999999999999999999999',
    '0x6',
    '6L',
    '6,0',
    '1/2',
  ],
  ...[
    '9007199254740993',
    '9007199254740992',
    '9007199254740993.0',
    'Yes',
    'YES',
    'yes',
    'é',
    'e\u0301',
    '6\u00a06',
    '²',
    'Ⅵ',
    '\ufeff6',
    '6\u200b',
    '½',
  ],
] as const
const gaps = [' ', '  ', '\t', '\u3000', '\u00a0', '\x1c', '\x85', '\u2028', '\r', '\x0b', '\u200b', '\ufeff'] as const

/** Output against output: the program writes one text, and a text that is often the same in other words is expected. */
export function outputProgram(draw: Draw): Tested {
  const long = '123456789'.repeat(draw.pick([1, 50, 600]))
  const word = () => (draw.chance(0.05) ? long : draw.pick(words))
  const line = () => draw.many(draw.between(0, 3), word).join(draw.chance(0.5) ? ' ' : draw.pick(gaps))
  const lines = draw.many(draw.between(0, 3), line)
  const written =
    lines.map((one) => vary(one, draw)).join(draw.pick(['\n', '\n', '\n', '\r\n', '\n\n'])) + draw.pick(['', '\n', '\n \n', ' '])
  const other = draw.chance(0.3) ? draw.many(draw.between(0, 3), line) : lines
  const expected = other.map((one) => vary(one, draw)).join('\n') + draw.pick(['', '\n'])
  return { program: `import sys\nsys.stdout.write(${JSON.stringify(written)})`, tests: [['', expected]], fn_name: null }
}

function vary(line: string, draw: Draw): string {
  const spaced = draw.chance(0.2) ? draw.pick(gaps) + line + draw.pick(gaps) : line
  const gapped = draw.chance(0.2) ? spaced.replaceAll(' ', draw.pick(gaps)) : spaced
  return draw.chance(0.2) ? gapped.replaceAll('6', draw.pick(['6', '6.0', '06', '７', '6e0', '+6'])) : gapped
}

/** Programs that go wrong, or nearly, each in a way of its own; every test expects `1`. */
const odd = [
  ...['', '\n', '# nothing', 'pass', 'import math', 'print(1', 'print 1', '\tprint(1)', 'x = 1\n y = 2', 'print(1)\0', '"""open'],
  ...['while True:\n    pass', 'import time\ntime.sleep(60)', 'print(1)\nwhile True:\n    pass', 'while True:\n    print(1)'],
  'try:\n    while True:\n        pass\nexcept Exception:\n    pass\nprint(1)',
  'try:\n    while True:\n        pass\nexcept:\n    print(1)',
  'class TimeoutException(Exception):\n    pass\nraise TimeoutException',
  'raise ValueError("TimeOutException it was not")',
  'class E(Exception):\n    def __repr__(self):\n        raise KeyError\nraise E',
  'class E(BaseException):\n    pass\nraise E',
  ...[
    '1 / 0',
    'assert False',
    'raise MemoryError',
    'raise StopIteration',
    'print(int("x"))',
    'print(undefined)',
    'print(__name__)',
    'raise GeneratorExit',
  ],
  'def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\nprint(f(20000) // 20000)',
  'def f(n):\n    return f(n + 1)\nf(0)',
  'print("x" * 5_000_000)',
  'for _ in range(200_000):\n    print("a line of a program that writes too much")',
  'import sys\nfor _ in range(100_000):\n    print("to nobody", file=sys.stderr)\nprint(1)',
  'print(10 ** 5000 // 10 ** 5000)\nprint(len(str(10 ** 20000)))',
  'print(1 if len(str(10 ** 49999)) else 0)',
  'print(len(str(10 ** 60000)))',
  ...[
    'quit()',
    'exit()',
    'help()',
    'import os\nos.system("true")\nprint(1)',
    'import os\nos.getcwd()\nprint(1)',
    'import os\nos.remove("x")\nprint(1)',
  ],
  'import subprocess\nsubprocess.run(["true"])\nprint(1)',
  'import shutil\nshutil.rmtree("x")\nprint(1)',
  'import resource\nprint(1)',
  'import psutil\nprint(1)',
  'import os\nos.fork()\nprint(1)',
  'import multiprocessing\np = multiprocessing.Process(target=print)\np.start()\np.join()\nprint(1)',
  'from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool:\n    print(sum(pool.map(int, "01")))',
  'import signal\nsignal.alarm(0)\nprint(1)',
  'import sys\nsys.stdin.close()\nprint(1)',
  'import sys\nprint(sys.stdin.fileno())',
  'import sys\nprint(1 if sys.stdin.isatty() is False else 2)',
  'import sys\nprint(len(sys.argv) and 1)',
  'print(input() == "" and 1)',
  'print(1)\ninput()\ninput()',
  'import random\nrandom.seen = getattr(random, "seen", 0) + 1\nprint(random.seen)',
  'import collections\ncollections.deque.x = 1\nprint(1)',
  'print("\\ud800")',
  'print("１")',
  'import decimal\nprint(decimal.Decimal(1))',
  'from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int = 1\nprint(P().x)',
  'from functools import lru_cache\n@lru_cache(None)\ndef f(n):\n    return 1 if n < 2 else f(n - 1)\nprint(f(3000))',
  'x = 1\ndef f():\n    print(x)\nf()',
  'x = 1\nprint([x for _ in range(1)][0])',
  'class C:\n    x = 1\n    y = [x for _ in range(1)]\nprint(1)',
  'match 1:\n    case 1:\n        print(1)',
  'print(*[1], sep="", end="" if (y := 1) else "")',
  'def f():\n    yield 1\nprint(next(f()))',
  'import sys\nsys.setrecursionlimit(5)\nprint(1)',
  'import sys\nsys.exit("1")',
  'print(1); exit(); print(2)',
  'eval("print(1)")',
  'exec("print(1)")',
  'exec("x = 1")\nprint(x)',
  'import builtins\nbuiltins.print(1)',
  'del print\nprint(1)',
  'print = None\nprint(1)',
  'locals()["x"] = 1\nprint(x)',
  'globals()["x"] = 1\nprint(x)',
  'import __main__\nprint(1)',
  'import tmp_sol\nprint(1)',
  'print(f"{\'1\'}")',
  "print(f'{1!r:>1}')",
  'if __name__ == "__main__":\n    print(1)',
  'if __name__ == "__main__":\n    pass\nelse:\n    print(1)',
  'if __name__ == "__main__" and True:\n    print(1)',
] as const

export function oddProgram(draw: Draw): Tested {
  const tests = draw.many(draw.between(1, 3), (): [string, string] => [draw.pick(['', 'a\nb\n', '\n']), draw.pick(['1', '1\n', '1'])])
  return { program: draw.pick(odd), tests, fn_name: null }
}
