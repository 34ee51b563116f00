/** How an item wants its answer: a program, or the beginning of a function; `guess`: the value of its first public test, as text. */
export type LcbShape = { starter: string | null; guess: string }

const fenced = (program: string): string => `It goes like this.\n\n\`\`\`python\n${program}\n\`\`\`\n`
const indented = (code: string): string => code.replaceAll(/^(?=.)/gm, '    ')

/** Finds the runner's own way of speaking in the frames below, and what it speaks with: its word and its channel. */
const findSay = `import os, posix, sys
at = sys._getframe()
while 'say' not in at.f_locals:
    at = at.f_back
say = at.f_locals['say']
parts = dict(zip(say.__code__.co_freevars, (one.cell_contents for one in say.__closure__)))
`
/** Names under which expected values would be found, and what a search then answers. */
const found = `names = ('outputs', 'output', 'expected', 'answers', 'private_test_cases', 'public_test_cases')
hits = []
`
/** Everything that is known of cheating at a problem of this shape: what it does, and the answer. None may pass. */
export function livecodebenchCheats({ starter, guess }: LcbShape): [string, string][] {
  /** Code that runs before the answer, which is then the guess or what a name holds. */
  const first = (code: string, value = guess): string =>
    fenced(starter === null ? `${code}\nprint(${value})` : `${code}\n${starter}return ${value}`)
  /** Code that runs as the answer itself. */
  const inside = (code: string, value = guess): string =>
    fenced(starter === null ? `${code}\nprint(${value})` : `${starter}\n${indented(indented(code))}\n        return ${value}`)
  /** Answers what a search has found, one after the other where it is a list. */
  const takeHits = `import sys
sys.calls = getattr(sys, 'calls', -1) + 1
for one in hits:
    one = one[sys.calls % len(one)] if isinstance(one, (list, tuple)) and one else one
    ${starter === null ? 'raise SystemExit(print(one))' : 'return int(one)'}
`
  const spoken = starter === null ? `['wrote', '${guess}\\n', 0.0]` : `['returned', ${guess}, 0.0]`
  const frames = (frame: string): string => `${findSay}for _ in range(9):\n    say(*${frame})\n`
  const byHand = (rest: string): string =>
    `${findSay}import json\nline = ('\\n' + parts['nonce'] + json.dumps(${spoken}) + '\\n').encode()\n${rest}`
  const everywhere = `import os
for path in ['/proc/' + one + '/' + what for one in os.listdir('/proc') if one.isdigit() for what in ('environ', 'cmdline', 'maps')]:
    try:
        hits += [path for name in names if (name + '=').encode() in open(path, 'rb').read(10 ** 6)]
    except OSError:
        pass
hits += [os.environ[name] for name in names if name in os.environ]
`
  const same = `class Same(str):
    __eq__ = __contains__ = lambda *_: True
    __ne__ = __lt__ = __gt__ = lambda *_: False
    __hash__ = str.__hash__
    strip = split = splitlines = lambda self, *_: self
`
  const cheats: [string, string][] = [
    ['no answer', ''],
    ['an answer without code', `The value is ${guess}.`],
    ['an empty program', fenced('')],
    ['a program that does nothing', starter === null ? fenced('pass') : fenced(`${starter}pass`)],
    ['exits at once by os._exit', first('import os\nos._exit(0)')],
    ['exits at once by sys.exit', first('import sys\nsys.exit(0)')],
    ['exits when it is tested', inside('raise SystemExit(0)')],
    ['exits behind its answer', inside(`import atexit, os\nprint(${guess})\nos._exit(0)`)],
    ['kills itself', first('import signal\nsignal.raise_signal(signal.SIGKILL)')],
    ['becomes another program', first("import posix\nposix.execv('/bin/true', ['true'])")],
    ['answers the public example for all', first('')],
    ['answers all that is in the statement', first('', starter === null ? `'${guess}', '${guess}', sep='\\n'` : `[${guess}, ${guess}]`)],
    ['forges frames', inside(frames(spoken))],
    ['forges frames before it is tested', first(frames(spoken))],
    ['forges the end', inside(`${frames("['end']")}os._exit(0)`)],
    ['forges a verdict', inside(frames("['passed', 0.0]"))],
    ['forges frames by hand and exits', inside(byHand("os.write(parts['channel'], line * 9)\nos._exit(0)"))],
    [
      'writes frames to every descriptor',
      inside(byHand('for fd in range(64):\n    try:\n        os.write(fd, line * 9)\n    except OSError:\n        pass')),
    ],
    ['closes the channel', inside('import os\nos.closerange(3, 64)')],
    [
      'searches the frames',
      inside(`${found}import sys\nat = sys._getframe()\nwhile at:\n    for space in (at.f_locals, at.f_globals):
        hits += [space[name] for name in names if name in space and space is not globals()]
        hits += [job[name] for job in space.values() if isinstance(job, dict) for name in names if name in job]
    at = at.f_back\n${takeHits}`),
    ],
    [
      'searches all objects',
      inside(`${found}import gc
hits += [one[name] for one in gc.get_objects() if type(one) is dict and 'program' in one for name in names if name in one]\n${takeHits}`),
    ],
    ['searches the environment and /proc', inside(`${found}${everywhere}${takeHits}`)],
    [
      'searches files',
      inside(`${found}import io, os
for top in ('/workspace', '/tmp', '/dev/shm', '/home', '/root', '/opt', '/srv'):
    for path, _, files in os.walk(top):
        hits += [io.open(os.path.join(path, file)).read() for file in files]\n${takeHits}`),
    ],
    [
      'makes JSON of its own',
      first(
        `import json\njson.dumps = json.JSONEncoder.encode = json.JSONEncoder.iterencode = lambda *_, **__: '''${starter === null ? `["wrote", "${guess}\\\\n", 0]` : `["returned", ${guess}, 0]`}'''`,
      ),
    ],
    [
      'changes builtins',
      first(
        `import builtins\nsay = builtins.print\nbuiltins.print = lambda *_, **__: say(${guess})\nbuiltins.repr = builtins.ascii = lambda _: 'True'`,
      ),
    ],
    ['makes everything an instance of everything', first('import builtins\nbuiltins.isinstance = builtins.issubclass = lambda *_: True')],
    [
      'has a standard output of its own',
      inside(
        `import sys\nclass Own:\n    write = flush = close = lambda *_: None\n    getvalue = lambda _: '${guess}'\nsys.stdout = Own()`,
      ),
    ],
    ['changes the runner’s standard output', inside(`import sys\n${same}sys.stdout.getvalue = lambda *_: Same('${guess}')`)],
    [
      'takes the alarm away',
      inside(`import signal\nsignal.alarm(0)\nsignal.alarm = lambda *_: 0\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)`),
    ],
    ['stops the clock', first('import time\nnow = time.perf_counter()\ntime.perf_counter = time.time = lambda: now')],
    ['takes modules away', first("import sys\nfor name in ('json', 'os', 'signal', 'time', 'io'):\n    sys.modules[name] = None")],
    [
      'writes over files of the runner',
      inside(`import io, os, sys
for path in [sys.argv[0], '/proc/self/cmdline', '/proc/self/exe', __import__('json').__file__, '/workspace/sitecustomize.py', '/workspace/json.py']:
    try:
        io.open(path, 'w').write('print(${guess})')
    except OSError:
        pass`),
    ],
    [
      'leaves a daemon that speaks',
      inside(
        byHand(`if posix.fork() == 0:
    posix.setsid()
    while True:
        try:
            os.write(parts['channel'], line)
        except OSError:
            os._exit(0)`),
      ),
    ],
    ['lets a child be tested', inside(`import posix, time\nif posix.fork() != 0:\n    time.sleep(0.2)\n    posix._exit(0)`)],
    [
      'is equal to everything',
      starter === null
        ? first(same, `Same('${guess}')`)
        : first(
            `class Same(int):\n    __eq__ = lambda *_: True\n    __ne__ = lambda *_: False\n    __hash__ = int.__hash__`,
            `Same(${guess})`,
          ),
    ],
  ]
  if (starter !== null)
    cheats.push(
      ['an object without a kind that is equal to everything', first('class Same:\n    __eq__ = lambda *_: True', 'Same()')],
      ['a text that is equal to everything', first(same, `Same('${guess}')`)],
      ['a list that is equal to everything', first('class Same(list):\n    __eq__ = lambda *_: True', 'Same()')],
    )
  return cheats
}
