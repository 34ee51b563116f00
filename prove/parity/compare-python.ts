import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { floatText, readFloat, readInt } from '#shared/python/number.ts'
import { stringRepr } from '#shared/python/repr.ts'
import { lower, splitLines, splitSpace, strip } from '#shared/python/text.ts'
import { pythonRandom } from '#shared/random/python-random.ts'
import { CannotCompare, findPython } from './python-environment.ts'

const script = join(import.meta.dirname, 'python-golden.py')
const goldenFile = join(import.meta.dirname, '../../shared/python/golden.json')

const pieces = [
  ...' \t\n\r\v\f\x00\x07\x1c\x1d\x1e\x1f\x7f\x85\xa0\xad0123456789+-._eE\'"\\aAΣσςİıſßéñ中',
  ...['\u0378', '\u180e', '\u200b', '\u2028', '\u2029', '\u3000', '\ufeff', '\ue000', '\ufffe', '\ud800', '\udc00', '\r\n'],
  ...[
    '\u{1f600}',
    '\u{1d7d9}',
    '\u{10d50}',
    '\u{1fae9}',
    '\u{e0001}',
    '\u0661',
    '\u00b2',
    'inf',
    'nan',
    'Infinity',
    '1_0',
    '1e308',
    '1e400',
  ],
]

/** Texts of signs on which languages differ, and of any code points, the same for the same seed. */
function drawnTexts(seed: number, count: number): string[] {
  const draw = pythonRandom(seed)
  const any = () => String.fromCodePoint(draw.below(draw.choice([0x300, 0x3000, 0x20000, 0x110000])))
  return Array.from({ length: count }, (_, index) =>
    Array.from({ length: draw.below(9) }, () => (index % 4 === 0 ? any() : draw.choice(pieces))).join(''),
  )
}

function ourAnswers(text: string) {
  const float = readFloat(text)
  return {
    repr: stringRepr(text),
    float: float === null ? null : floatText(float),
    int: readInt(text)?.toString() ?? null,
    strip: strip(text),
    split: splitSpace(text),
    lines: splitLines(text),
    kept: splitLines(text, { ends: true }),
    lower: lower(text),
  }
}

function ask(python: string, what: string, input = ''): string {
  const env = { ...process.env, PYTHONIOENCODING: 'utf-8:surrogatepass' }
  const done = spawnSync(python, [script, what], { input, encoding: 'utf8', maxBuffer: 2 ** 30, env })
  if (done.status !== 0) throw new CannotCompare(`the primitives could not be run: ${done.stderr.trim().split('\n').at(-1)}`)
  return done.stdout
}

/** Compares text and number primitives with CPython 3.12, and the golden file with one made anew; returns the number of differences. */
export async function comparePython(_source: string | undefined, seed: number, count: number): Promise<number> {
  const python = findPython(12)
  const version = spawnSync(python, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], { encoding: 'utf8' }).stdout.trim()
  if (version !== '3.12')
    throw new CannotCompare(`Python 3.12 is needed, whose Unicode is 15.0; ${python} is ${version} (set PYTHON to name one)`)
  const kept: unknown = JSON.parse(await readFile(goldenFile, 'utf8'))
  const stale = !isDeepStrictEqual(JSON.parse(ask(python, 'golden')), kept) // the file is laid out by the formatter
  if (stale) console.log(`  shared/python/golden.json is not what prove/parity/python-golden.py writes with CPython ${version}`)
  const texts = drawnTexts(seed, count)
  const theirs = JSON.parse(ask(python, 'answers', JSON.stringify(texts))) as object[]
  const different = texts.filter((text, index) => JSON.stringify(ourAnswers(text)) !== JSON.stringify(theirs[index]))
  for (const text of different.slice(0, 10))
    console.log(
      `  ${JSON.stringify(text)}\n    ours ${JSON.stringify(ourAnswers(text))}\n    theirs ${JSON.stringify(theirs[texts.indexOf(text)])}`,
    )
  console.log(`python against CPython ${version}: ${count} texts, seed ${seed}\ndisagreements: ${different.length + Number(stale)}`)
  return different.length + Number(stale)
}
