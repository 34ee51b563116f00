import { type Draw, seededDraw } from './draw.ts'

/** What is put to the official code and to ours. Values of Python stand as its source. */
export type ScicodeCase =
  | { kind: 'extract'; reply: string }
  | { kind: 'prompts'; background: boolean; problem: { required_dependencies: string; sub_steps: PromptStep[] }; replies: string[] }
  | { kind: 'script'; step: string; file: string; cases: string[] }
  | { kind: 'compare'; function: string; values: string }
  | { kind: 'targets'; step: string; count: number; values: string }
type PromptStep = { step_description_prompt: string; step_background: string; function_header: string; return_line: string }

const pieces = [
  ...[
    '\n',
    '\n\n',
    ' ',
    '  ',
    '\t',
    '\r',
    '\r\n',
    '\x0b',
    '\x0c',
    '\x1c',
    '\x1d',
    '\x85',
    '\xa0',
    '\u2028',
    '\u2029',
    '\u3000',
    '\ufeff',
    '\u200b',
  ],
  ...['```', '```python', '```python\n', '```Python\n', '```py\n', '````', '``', '`'],
  ...[
    'import ',
    'import',
    'import os',
    'import a as b, c',
    'from ',
    'from',
    'from a import b',
    'from a import (\n    b,\n    c)',
    'from . import x',
    'from a import',
  ],
  ...[
    'def f(x):\n    return x\n',
    '    import math\n',
    'x = 1; import y',
    '# import z\n',
    "'''\nimport in text\n'''",
    'return',
    '{x}',
    '{{}}',
    'é',
    '😀',
    'x',
    ';',
    'important ',
    'reimport ',
  ],
]

const textOf = (draw: Draw, most: number): string => draw.many(draw.below(most + 1), () => draw.pick(pieces)).join('')

const numbers = [
  '0',
  '1',
  '-3',
  '0.5',
  '1.0 + 9e-6',
  '1.00002',
  '1e-8',
  '2e-8',
  '1e9',
  'np.nan',
  'np.inf',
  '2 + 1j',
  'True',
  'np.float32(0.1)',
  'np.int64(7)',
]
const values = [
  ...numbers,
  ...[
    "'x'",
    "'y'",
    "sympy.Symbol('x')",
    "sympy.Symbol('y')",
    'None',
    '[1, 2]',
    '[1.0, 2.0000001]',
    '(1, 2, 3)',
    '[[1], [2, 3]]',
    'np.arange(3)',
    'np.ones((2, 2))',
    'np.array([])',
  ],
  ...[
    'sp.csr_matrix(np.eye(2))',
    'sp.csc_matrix(np.eye(2))',
    'sp.coo_matrix(np.eye(2))',
    'sp.bsr_matrix(np.eye(2))',
    'sp.csr_matrix(2 * np.eye(2))',
    "{'a': 1}",
    "{'a': 1.000001}",
  ],
]
const keys = ["'a'", "'b'", '0.5', "sympy.Symbol('x')", "'x'", '1']

function pair(draw: Draw): string {
  const dictionary = (entries: readonly [string, string][]): string => `{${entries.map(([key, value]) => `${key}: ${value}`).join(', ')}}`
  const kind = draw.below(3)
  const one = draw.many(draw.below(4), (): [string, string] => [draw.pick(keys), draw.pick(values)])
  const other = one.map(([key, value]): [string, string] => [
    draw.chance(0.9) ? key : draw.pick(keys),
    draw.chance(0.6) ? value : draw.pick(values),
  ])
  if (kind === 0) return `one = ${dictionary(one)}\nother = ${dictionary(other)}`
  const list = (entries: readonly [string, string][]): string => `[${entries.map(([, value]) => value).join(', ')}]`
  if (kind === 1) return `one = ${list(one)}\nother = ${list(draw.chance(0.9) ? other : other.slice(1))}`
  return `one = ${draw.pick(values)}\nother = ${draw.pick(values)}`
}

const stored = [
  ...[
    '3',
    '0.5',
    '1 + 2j',
    'True',
    "'text'",
    "'é'",
    "''",
    'np.arange(6.0).reshape(2, 3)',
    'np.array([1j, 2])',
    'np.array([True, False])',
    'np.array([])',
    'np.zeros((2, 0))',
    '[1, 2, 3]',
    '(0.5, 1.5)',
    'np.int_(4)',
  ],
  ...[
    '[np.ones(2), np.ones(3)]',
    '[1, [2, 3]]',
    "['a', 'b']",
    'None',
    'sp.csr_matrix(np.eye(3))',
    'sp.csc_matrix(np.arange(6.0).reshape(2, 3))',
    'sp.coo_matrix(np.eye(2))',
    'sp.bsr_matrix(np.eye(4), blocksize=(2, 2))',
  ],
  ...[
    "{'0.5': 1.0, '2': np.ones(2)}",
    "{'a': 1, 'b': 'text', '1e3': True}",
    "{'m': sp.csr_matrix(np.eye(2)), 'n': 'x'}",
    '{}',
    "{'a': {'b': 1}}",
    "{'list': 1}",
    "{'a': [1, 2], 'list': 2}",
  ],
]

function one(kind: ScicodeCase['kind'], draw: Draw, index: number): ScicodeCase {
  switch (kind) {
    case 'extract':
      return { kind, reply: textOf(draw, 14) }
    case 'prompts': {
      const step = (): PromptStep => ({
        step_description_prompt: textOf(draw, 5),
        step_background: textOf(draw, 4),
        function_header: textOf(draw, 4),
        return_line: textOf(draw, 2),
      })
      const sub_steps = draw.many(draw.between(1, 4), step)
      const problem = { required_dependencies: textOf(draw, 3), sub_steps }
      return { kind, background: draw.chance(0.5), problem, replies: sub_steps.map(() => textOf(draw, 6)) }
    }
    case 'script':
      return {
        kind,
        step: `${draw.between(1, 80)}.${draw.between(1, 9)}`,
        file: textOf(draw, 8),
        cases: draw.many(draw.below(5), () => textOf(draw, 5)),
      }
    case 'compare':
      return {
        kind,
        function: draw.pick(['are_dicts_close', 'cmp_tuple_or_list', 'cmp_tuple_or_list', 'are_csc_matrix_close']),
        values: pair(draw),
      }
    case 'targets': {
      const test = (): string => `{${draw.many(draw.pick([1, 1, 2, 3, 11]), (at) => `'var${at + 1}': ${draw.pick(stored)}`).join(', ')}}`
      const tests = draw.many(draw.between(1, 3), test)
      return { kind, step: `1.${index}`, count: tests.length + (draw.chance(0.05) ? 1 : 0), values: `tests = [${tests.join(', ')}]` }
    }
  }
}

const kinds = ['extract', 'extract', 'prompts', 'script', 'compare', 'compare', 'targets'] as const

/** `count` cases of every kind, the same for the same seed. */
export function scicodeCases(seed: number, count: number): ScicodeCase[] {
  const draw = seededDraw(seed)
  return draw.many(count, (index) => one(kinds[index % kinds.length]!, draw, index))
}
