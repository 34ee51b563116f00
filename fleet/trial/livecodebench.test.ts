import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import type { HiddenTests } from '#shared/benchmarks/livecodebench/hidden-tests.ts'
import { runProgram } from '#shared/benchmarks/livecodebench/run-program.ts'
import { type Verdict, verdictOf } from '#shared/benchmarks/livecodebench/verdict.ts'
import { hasModule, pythonBoxes } from './testing/python-box.ts'

const boxes = await pythonBoxes()
const { absent } = boxes
const numpy = !absent && hasModule('numpy')
if (!absent && !numpy) console.info('skipped: programs that import numpy, which is not installed for /usr/bin/python3')
afterAll(() => boxes.close())

const patience = 90_000
/** A program's verdict; golden ones were made with two seconds a test. */
async function verdict(program: string, hidden: HiddenTests, memory_mb = 512): Promise<Verdict> {
  const spec = { image: null, cpus: 1, memory_mb, disk_mb: 16, network: false }
  const ran = await boxes.within(spec, (box) => runProgram(box, hidden, { program, nonce: 'nonce-of-this-test', seconds: 2 }))
  if (!ran.ok) throw new Error(ran.failure.detail)
  return verdictOf(ran.value, hidden)
}

type Golden = HiddenTests & { name: string; code: string; result: unknown[] | null }
const golden = readFileSync(new URL('../../shared/benchmarks/livecodebench/runner-golden.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line): Golden => JSON.parse(line))

for (const { name, code, result, ...hidden } of golden)
  test(`[SCORE176] ${name}: the verdict of the official runner`, { timeout: patience }, async (context) => {
    context.skip(absent !== false, String(absent))
    context.skip(code.includes('numpy') && !numpy, 'numpy is not installed')
    expect((await verdict(code, hidden)).codes).toEqual(result ?? [-2])
  })

const values = [
  ['[(1, 2)]', '[[1, 2]]', false],
  ['__import__("decimal").Decimal("0.5")', '0.5', true],
  ['np.float64(1)', '[1.0]', true],
  ['np.int8(1)', '[[1]]', true],
  ['[np.int64(1), np.bool_(True)]', '[1, 1]', true],
  ['np.array([[3]])', '3', true],
  ['np.str_("é")', '"é"', true],
  ['np.array([1, 2])', '[1, 2]', -4],
  ['np.array([])', '[]', false],
  ['np.float32(0.1)', '0.1', false],
  ['np.longdouble(1)', '2', false],
  ['np.int64(1)', '"1"', false],
] as const

for (const [value, expected, code] of values)
  test(`[SCORE176] ${value} for ${expected}: the verdict of the official runner`, { timeout: patience }, async (context) => {
    context.skip(absent !== false, String(absent))
    context.skip(value.includes('np.') && !numpy, 'numpy is not installed')
    const program = `${value.includes('np.') ? 'import numpy as np\n' : ''}def f(n):\n    return ${value}`
    expect((await verdict(program, { inputs: ['1'], outputs: [expected], fn_name: 'f' })).codes).toEqual([code])
  })

const secret = 'secret-0badcafe'
const reads: HiddenTests = { inputs: ['1\n', '2\n'], outputs: [secret, secret], fn_name: null }
const calls: HiddenTests = { inputs: ['1', '2'], outputs: [`"${secret}"`, `"${secret}"`], fn_name: 'f' }
/** Looks for the secret in everything that it can read of its own process and of others. */
const search = `import glob, os, re
found = b''
for path in glob.glob('/proc/[0-9]*/environ') + glob.glob('/proc/[0-9]*/cmdline') + glob.glob('/proc/[0-9]*/fd/*') + glob.glob('/workspace/**', recursive=True):
    try:
        found += b''.join(re.findall(rb'secret-[0-9a-f]{8}', os.read(os.open(path, os.O_RDONLY | os.O_NONBLOCK), 10 ** 7)))
    except OSError:
        pass
for line in open('/proc/self/maps'):
    start, end = (int(part, 16) for part in line.split()[0].split('-'))
    try:
        with open('/proc/self/mem', 'rb') as memory:
            memory.seek(start)
            found += b''.join(re.findall(rb'secret-[0-9a-f]{8}', memory.read(min(end - start, 10 ** 8))))
    except (OSError, ValueError, OverflowError):
        pass
print(found[:15].decode())`
/** Takes the runner's own way of speaking out of its frames. */
const forge = (frame: string) => `import sys
at = sys._getframe()
while 'say' not in at.f_locals:
    at = at.f_back
for _ in range(3):
    at.f_locals['say'](${frame})`

const attacks: { name: string; program: string; hidden?: HiddenTests; codes?: unknown[] }[] = [
  { name: 'a fork bomb', program: 'import posix\nwhile True:\n    posix.fork()' },
  {
    name: 'a fork bomb that passes over errors',
    program: 'import posix\nwhile True:\n    try:\n        posix.fork()\n    except OSError:\n        pass',
  },
  { name: 'eight gigabytes', program: "x = []\nfor _ in range(80):\n    x.append(b'1' * 10 ** 8)\nprint('done')" },
  { name: 'an end behind the answer', program: `import os\nprint('${secret}')\nos._exit(0)`, codes: [-2] },
  {
    name: 'an end in a thread',
    program: `import os, threading\nprint('${secret}')\nthreading.Thread(target=os._exit, args=(0,)).start()\nimport time\ntime.sleep(9)`,
    codes: [-2],
  },
  { name: 'a crash of the interpreter', program: `import ctypes\nprint('${secret}')\nctypes.string_at(0)`, codes: [-2] },
  { name: 'a line of 80 MB', program: "print('x' * 80_000_000)", codes: [-2] },
  { name: 'output without an end', program: "while True:\n    print('x' * 1_000_000)" },
  { name: 'output past the runner', program: "import os\nwhile True:\n    os.write(1, b'x' * 65536)", codes: [-3] },
  { name: 'a search for what is expected', program: search, codes: [-2] },
  {
    name: 'a search from a function',
    program: `def f(n):\n${search.replaceAll(/^/gm, '    ')}\n    return found[:15].decode()`,
    hidden: calls,
    codes: [false],
  },
  {
    name: 'writing over the runner',
    program:
      "import sys\nfor path in (sys.argv[0], '/workspace/runner.py', '/proc/self/cmdline'):\n    try:\n        open(path, 'w').write('print(1)')\n    except OSError:\n        pass",
    codes: [-2],
  },
  { name: 'forged outputs', program: forge("'wrote', '', 0.0"), codes: [-2] },
  { name: 'a forged end', program: `${forge("'end'")}\nimport os\nos._exit(0)`, codes: [-2] },
  { name: 'a forged verdict', program: `${forge("'passed', 0.0")}\nprint('x')`, codes: [-2] },
  {
    name: 'lines of its own on every descriptor',
    program:
      'import os\nfor fd in range(3, 20):\n    try:\n        os.write(fd, b\'\\n["wrote", "1", 0]\\nnonce["end"]\\n\')\n    except OSError:\n        pass',
    codes: [-2],
  },
  { name: 'a closed channel', program: 'import os\nos.closerange(3, 100)', codes: [-2] },
  {
    name: 'an object that equals everything',
    program: 'class Same:\n    def __eq__(self, other):\n        return True\n\ndef f(n):\n    return Same()',
    hidden: calls,
    codes: [false],
  },
  {
    name: 'a text that equals everything',
    program: 'class Same(str):\n    def __eq__(self, other):\n        return True\n\ndef f(n):\n    return Same()',
    hidden: calls,
    codes: [false],
  },
  {
    name: 'a runner without its parts',
    program: 'import json, os, sys\njson.JSONEncoder = json.dumps = os.getpid = os.write = sys.stdout = None',
    codes: [-2],
  },
]

for (const { name, program, hidden = reads, codes } of attacks)
  test(`[SCORE177] ${name} passes no test`, { timeout: patience }, async (context) => {
    context.skip(absent !== false, String(absent))
    // A search reads the pipes of the runner too, whose words are then missing: the trial fails, which is no pass either.
    const came = await verdict(program, hidden).catch((error: Error) => {
      if (!program.includes('/proc/[0-9]*/fd')) throw error
      return null
    })
    if (came === null) return
    expect(came.codes[0], JSON.stringify(came.tests)).not.toBe(true)
    if (codes) expect(came.codes, JSON.stringify(came.tests)).toEqual(codes)
  })

// What it takes from the runner's pipes may be the runner's own words, by chance: then it is searched for again.
test('[SCORE177] the same search finds what a program is given', { timeout: patience, retry: 5 }, async (context) => {
  context.skip(absent !== false, String(absent))
  expect((await verdict(search, { ...reads, inputs: [secret, secret] })).codes).toEqual([true, true])
})

test('[SCORE177] what an earlier program did is not there for the next, and the answer itself passes', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== false, String(absent))
  const path = "'/workspace/left'"
  const program = `import os.path\nprint('${secret}' if not os.path.exists(${path}) else '')\nif input() == '2':\n    open(${path}, 'w').write('x')`
  for (const _ of [1, 2]) expect((await verdict(program, reads)).codes).toEqual([true, true])
})
