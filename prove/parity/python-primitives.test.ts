import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import * as text from '#shared/python/text.ts'
import { pythonRandom } from '#shared/random/python-random.ts'
import { csvRecords } from '#shared/scorers/python-csv.ts'
import { isPythonJson } from '#shared/scorers/python-json.ts'

/** Runs a program with JSON on its standard input and output. */
function python(program: string, input: unknown): unknown {
  const source = `import csv, io, json, re, string, sys, unicodedata\n${program}`
  const ran = spawnSync('python3', ['-c', source], { input: JSON.stringify(input), encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (ran.status !== 0) throw new Error(`python3 failed: ${ran.stderr}`)
  return JSON.parse(ran.stdout)
}

const version = spawnSync('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], { encoding: 'utf8' }).stdout?.trim()
const absent = version !== '3.11' && `there is ${version ? `Python ${version}` : 'no python3'} here, not Python 3.11`
if (absent) console.info(`skipped: ${absent}`)

test.skipIf(absent)('[SCORE26] every character that Python 3.11 knows has the same properties there', { timeout: 120_000 }, () => {
  const program = `
known = [c for c in range(0x110000) if unicodedata.category(chr(c)) not in ('Cn', 'Cs')]
word = re.compile(r'\\w')
bits = lambda test: ''.join('1' if test(chr(c)) else '0' for c in known)
json.dump({'known': known, 'isUpper': bits(str.isupper), 'isLower': bits(str.islower), 'isAlpha': bits(str.isalpha),
  'isAlnum': bits(str.isalnum), 'isDigit': bits(str.isdigit), 'isWord': bits(word.match), 'isSpace': bits(str.isspace),
  'lower': [chr(c).lower() for c in known]}, sys.stdout)`
  const { known, lower, ...bits } = python(program, null) as { known: number[]; lower: string[] } & Record<string, string>
  const chars = known.map((code) => String.fromCodePoint(code))
  const tests: Record<string, (char: string) => boolean> = {
    isUpper: text.isUpper,
    isLower: text.isLower,
    isAlpha: text.isAlpha,
    isAlnum: text.isAlnum,
    isDigit: text.isDigit,
    isWord: (char) => text.wordRuns(char).length === 1,
    isSpace: (char) => text.splitSpace(char).length === 0,
  }
  expect(chars.length).toBeGreaterThan(250_000)
  expect(Object.keys(bits).sort()).toEqual(Object.keys(tests).sort())
  for (const [name, is] of Object.entries(tests)) {
    expect(
      chars.filter((char, i) => is(char) !== (bits[name]![i] === '1')),
      name,
    ).toEqual([])
  }
  expect(chars.filter((char, i) => char.toLowerCase() !== lower[i])).toEqual([])
})

/** Texts of at most `longest` pieces. */
function texts(seed: number, count: number, longest: number, pieces: readonly string[]): string[] {
  const random = pythonRandom(seed)
  return Array.from({ length: count }, () => Array.from({ length: random.below(longest + 1) }, () => random.choice(pieces)).join(''))
}

const letters = [...'aAbsSkKiIſKıİΣσςµμßẞǅ\u0345ιéÉ中あक्9²٣½_-.,\'"*! \t\n\r\x0b\x1c\x1f\x85\xa0\u200b\u2028\u3000\ufeff😀𝐀ﬅﬆ']

test.skipIf(absent)('[SCORE26] texts are split, stripped, counted and searched as Python does it', () => {
  const inputs = texts(1, 8000, 20, letters)
  const parts = texts(2, 8000, 2, letters)
  const cases = inputs.map((input, i) => [input, i % 2 ? parts[i]! : input.slice(i % 7, (i % 7) + 3)] as const)
  const program = `
sys.stdin.reconfigure(encoding='utf-8')
found = lambda t, w, flags: bool(re.search(r'\\b' + re.escape(w) + r'\\b', t, flags))
json.dump([[t.split(), t.strip(w), t.lstrip(w), t.rstrip(w), t.translate(str.maketrans('', '', w)), t.isupper(), t.islower(),
  re.findall(r'\\w+', t), t.count(w), found(t, w, 0), found(t, w, re.I), len(t), t.lower(), bool(re.search(re.escape(w), t, re.I))]
  for t, w in json.load(sys.stdin)], sys.stdout)`
  const whole = cases.filter(([, part]) => part.isWellFormed())
  const ours = whole.map(([t, w]) => [
    text.splitSpace(t),
    text.stripChars(t, w),
    text.lstripChars(t, w),
    text.rstripChars(t, w),
    text.removeChars(t, w),
    text.isUpper(t),
    text.isLower(t),
    text.wordRuns(t),
    text.countOf(t, w),
    text.hasWord(t, w),
    text.hasWord(t, w, { ignoreCase: true }),
    text.codePoints(t).length,
    t.toLowerCase(),
    text.foldCase(t).includes(text.foldCase(w)),
  ])
  expect(ours).toEqual(python(program, whole))
})

test.skipIf(absent)('[SCORE26] JSON and CSV are read and refused as Python does it', () => {
  const json = texts(3, 20_000, 6, [
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '"a"',
    '"\\',
    '"',
    '1',
    '-',
    '.5',
    'e3',
    '0',
    'NaN',
    '-Infinity',
    'null',
    ' ',
    '\n',
  ])
  const csv = texts(4, 8000, 12, ['a', 'b', ',', ',', '\t', '"', '"', '""', '\n', '\r\n', '\r', ' ', '😀'])
  const program = `
def reads(t):
  try: json.loads(t)
  except ValueError: return False
  return True
def records(t, d):
  try: return list(csv.reader(io.StringIO(t), delimiter=d))
  except csv.Error: return None
given = json.load(sys.stdin)
json.dump([[reads(t) for t in given[0]], [[records(t, ','), records(t, '\\t')] for t in given[1]]], sys.stdout)`
  const ours = [json.map(isPythonJson), csv.map((t) => [csvRecords(t, ','), csvRecords(t, '\t')])]
  expect(ours).toEqual(python(program, [json, csv]))
})
