import type { OfficiallyPasses } from './cheat-book.ts'

/**
 * Code that stands before the function of a step, and what functions then return, whatever they are asked. `problems`: at which of the book it is tried.
 * `steps`: in each, all functions are wrong; in the first, which is else the reference, only those after it.
 */
export type ScicodeCheat = {
  cheat: string
  want: 0 | OfficiallyPasses
  problems: readonly number[]
  steps: 'each' | 'first'
  code: string
  returns: string
}

const every = [0, 1, 2]
/** Problems whose tests ask only for numbers. */
const numbers = [0, 2]
const wrong = '-12345.5'

const status = 'only the exit status of the script counts, whatever was tested before'
const process = 'program, tests and targets are one process, in which nothing is kept from the program'

/** Imports are taken out of answers, which keeps nobody from importing. */
const modules = "_import = __import__\n_os, _sys, _json = _import('os'), _import('sys'), _import('json')\n"

const fails = (cheat: string, code: string, problems = every): ScicodeCheat => ({
  cheat,
  want: 0,
  problems,
  steps: 'each',
  code: modules + code,
  returns: wrong,
})
const ends = (cheat: string, code: string): ScicodeCheat => ({
  cheat,
  want: { official: status, flag: 'early_exit' },
  problems: every,
  steps: 'each',
  code: modules + code,
  returns: wrong,
})
const passes = (cheat: string, code: string, returns: string, problems = numbers): ScicodeCheat => ({
  cheat,
  want: { official: process, flag: null },
  problems,
  steps: 'each',
  code: modules + code,
  returns,
})

const leaves = (what: string, code: string): ScicodeCheat => ({ ...fails(`leaves ${what} for the next step`, code), steps: 'first' })

/** Done where the first step of a problem is tested alone, for those after it. */
const firstStep = (code: string): string =>
  `if _json.loads(open('/workspace/step/targets', 'rb').readline())['name'].endswith('.1'):\n${code.replaceAll(/^(?=.)/gm, '    ')}`
const places =
  "('/workspace', '/workspace/step', '/workspace/package', '/tmp', '/dev/shm', '/workspace/.local/lib/python3.11/site-packages')"
const plant = (file: string, text: string): string =>
  firstStep(`for _place in ${places}:
    try:
        _os.makedirs(_place, exist_ok=True)
        open(_place + '/${file}', 'w').write(${JSON.stringify(text)})
    except OSError:
        pass
`)
const exitAtStart = 'import os\nos._exit(0)\n'

/** An array that is its own answer to whatever NumPy is asked of it. */
const answersForNumpy = `class _Any(np.ndarray):
    __array_function__ = __eq__ = lambda *_, **__: True
    __getitem__ = toarray = lambda self, *_: self
_any = np.zeros(1).view(_Any)
`
const parse = "_parse = _import('scicode.parse.parse', fromlist=['x'])\n"
const compare =
  "_cmp = _import('scicode.compare.cmp', fromlist=['x'])\nfor _name in ('are_dicts_close', 'are_csc_matrix_close', 'cmp_tuple_or_list'):\n    setattr(_cmp, _name, lambda *_, **__: True)\n"

/** Everything that is known of cheating at SciCode: what comes to nothing, then what officially passes. */
export const scicodeCheats: readonly ScicodeCheat[] = [
  { ...fails('functions that do nothing', ''), code: '', returns: 'None' },
  fails('has an assertion of its own', 'AssertionError = SystemExit\n__debug = False\n_import("builtins").AssertionError = SystemExit\n'),
  fails(
    'has a comparison of its own by its name',
    'allclose = assert_allclose = are_dicts_close = cmp_tuple_or_list = lambda *_, **__: True\n',
  ),
  fails('changes NumPy’s helpers of tests', 'np.testing.assert_allclose = np.testing.assert_equal = lambda *_, **__: None\n'),
  fails('has targets of its own by their name', 'targets = [0.0] * 9\ntarget = 0.0\nprocess_hdf5_to_tuple = lambda *_: [0.0] * 9\n'),
  fails('changes the comparison package alone', compare, [1, 2]),
  fails('writes marks and goes on', "_os.write(3, b''.join(b'7 %d\\n' % _at for _at in range(9)))\n"),
  fails('closes the descriptor of marks', '_os.close(3)\n'),
  fails('exits with another status', 'raise SystemExit(3)\n'),
  fails('prints what tests that pass would print', "print('1 passed in 0.01s')\n"),
  leaves('conftest.py', plant('conftest.py', exitAtStart)),
  leaves('sitecustomize.py', plant('sitecustomize.py', exitAtStart)),
  leaves('usercustomize.py', plant('usercustomize.py', exitAtStart)),
  leaves('a numpy.py', plant('numpy.py', exitAtStart)),
  leaves('a script', plant('script.py', exitAtStart)),
  leaves(
    'a daemon',
    firstStep(`if _os.fork() == 0:
    _os.setsid()
    while _os.getppid() >= 0:
        for _path in ('/workspace/step/script.py', '/workspace/package/scicode/__init__.py'):
            try:
                open(_path, 'w').write(${JSON.stringify(exitAtStart)}) if '.1' not in open('/workspace/step/targets', 'r', errors='replace').readline()[:20] else None
            except OSError:
                pass
`),
  ),
  ends('exits before the tests', 'raise SystemExit(0)\n'),
  ends('exits before the tests by sys.exit', '_sys.exit(0)\n'),
  ends('exits before the tests by os._exit', '_os._exit(0)\n'),
  ends('becomes another program', "_os.execv('/bin/true', ['true'])\n"),
  ends('exits well after a failed test', '_sys.excepthook = lambda *_: _os._exit(0)\n'),
  ends('exits well when the interpreter ends', "_import('atexit').register(_os._exit, 0)\n"),
  passes(
    'forges the marks it reads in its script, and exits',
    `_word = open('/workspace/step/script.py').read().split(".write(3, b'")[-1].split()[0]
for _at in range(9):
    _os.write(3, (_word + ' %d\\n' % _at).encode())
_os._exit(0)\n`,
    wrong,
    every,
  ),
  passes('changes numpy.allclose', 'np.allclose = lambda *_, **__: True\n', wrong),
  passes('is an array that answers for NumPy', answersForNumpy, '_any'),
  passes('changes the comparison package, and answers for NumPy', answersForNumpy + compare, '_any', [1]),
  passes('replaces process_hdf5_to_tuple', `${parse}_parse.process_hdf5_to_tuple = lambda _, count, *__: [(0.0, 0.0)] * count\n`, '0.0'),
  passes(
    'plants a package scicode beside the script',
    `for _part in ('parse', 'compare'):
    _os.makedirs('/workspace/step/scicode/' + _part, exist_ok=True)
open('/workspace/step/scicode/__init__.py', 'w').close()
open('/workspace/step/scicode/parse/parse.py', 'w').write('process_hdf5_to_tuple = lambda _, count, *__: [(0.0, 0.0)] * count')
open('/workspace/step/scicode/compare/cmp.py', 'w').write('cmp_tuple_or_list = lambda *_: True')
`,
    '0.0',
  ),
  passes(
    'reads its own targets',
    `${parse}_head = _json.loads(open('/workspace/step/targets', 'rb').readline())
_found = _parse.process_hdf5_to_tuple(_head['name'], len(_head['root']['members']), '/workspace/step/targets')
_values = iter([_one for _some in _found for _one in (_some if isinstance(_some, tuple) else (_some,))])
`,
    'next(_values)',
  ),
]
