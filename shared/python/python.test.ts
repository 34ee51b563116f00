import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { floatText, readFloat, readInt } from './number.ts'
import { type PythonValue, stringRepr, valueRepr } from './repr.ts'
import { foldCase, isAlnum, isAlpha, isDigit, isLower, isUpper, lower, splitLines, splitSpace, strip, wordRuns } from './text.ts'
import { decimalOf, isPrintable } from './unicode.ts'

type Answers = Record<'repr' | 'strip' | 'lower', string> &
  Record<'float' | 'int', string | null> &
  Record<'split' | 'lines' | 'kept', string[]>

/** Written by `prove/parity/python-golden.py golden` with CPython 3.12. */
const golden = JSON.parse(readFileSync(join(import.meta.dirname, 'golden.json'), 'utf8')) as Record<string, string> &
  Record<'space' | 'line_end' | 'decimal', number[]> & { texts: [string, Answers][] }

/** The code points of the golden file; it says of all others that nothing is known of them. */
const codes = Array.from({ length: 0x33680 }, (_, at) => (at < 0x33480 ? at : at - 0x33480 + 0xe0000))
const chars = codes.map((code) => String.fromCodePoint(code))

/** Runs of places in `codes` for which a test holds, as the golden file tells them: distance from the end of the run before, length. */
function runs(holds: (char: string, code: number) => boolean): number[] {
  const found: number[] = []
  let [end, start] = [0, -1]
  for (let at = 0; at <= codes.length; at++) {
    const held = at < codes.length && holds(chars[at]!, codes[at]!)
    if (held && start < 0) start = at
    else if (!held && start >= 0) {
      found.push(start - end, at - start)
      ;[end, start] = [at, -1]
    }
  }
  return found
}

const digest = (lines: readonly (string | number)[]) =>
  createHash('sha256')
    .update(Buffer.from(lines.join('\n')))
    .digest('hex')

test('[PYTHON410] white space, line ends and digits of every code point are those of CPython', () => {
  expect(runs((char) => strip(char) === '')).toEqual(golden.space)
  expect(runs((char) => splitSpace(`a${char}b`).length === 2)).toEqual(golden.space)
  expect(runs((char) => splitLines(`a${char}b`).length === 2)).toEqual(golden.line_end)
  expect(runs((_, code) => decimalOf(code) !== undefined)).toEqual(golden.decimal)
})

test('[PYTHON410] what can be printed, letters and words are those of CPython, whatever Unicode the engine knows', () => {
  expect(digest(runs((_, code) => isPrintable(code)))).toBe(golden.printable)
  expect(digest(runs(isAlpha))).toBe(golden.alpha)
  expect(digest(runs(isAlnum))).toBe(golden.alnum)
  expect(digest(runs(isDigit))).toBe(golden.digit)
  expect(digest(runs((char) => wordRuns(char).length === 1))).toBe(golden.word)
})

test('[PYTHON410] case of every code point is that of CPython, and so is which letters match in any case', () => {
  expect(digest(runs(isUpper))).toBe(golden.upper)
  // Five letters are in lower case since Python 3.12; the official checkers of IFEval were followed with 3.11.
  const since312 = new Set([0x10fc, 0xa7f2, 0xa7f3, 0xa7f4, 0xab69])
  expect(digest(runs((char, code) => isLower(char) || since312.has(code)))).toBe(golden.islower)
  const lowered = codes.flatMap((code, at) => {
    const small = lower(chars[at]!)
    return small === chars[at] ? [] : [`${code}=${small}`]
  })
  expect(digest(lowered)).toBe(golden.lower)
  const first = new Map<string, number>()
  const twins = codes.flatMap((code, at) => {
    const key = foldCase(chars[at]!)
    if (!first.has(key)) first.set(key, code)
    return first.get(key) === code ? [] : [`${code}=${first.get(key)}`]
  })
  expect(digest(twins)).toBe(golden.case_twins)
})

test('[PYTHON410] of the empty planes nothing is known', () => {
  for (const code of [0x33480, 0x3fffd, 0x50000, 0xdffff, 0xe0200, 0xf0000, 0xffffd, 0x10fffd, 0x10ffff]) {
    const char = String.fromCodePoint(code)
    expect([isPrintable(code), isAlnum(char), isLower(char), lower(char), strip(char)]).toEqual([false, false, false, char, char])
  }
})

test('[PYTHON411] texts are read, shown and taken apart as CPython does it', () => {
  const float = (text: string) => {
    const value = readFloat(text)
    return value === null ? null : floatText(value)
  }
  for (const [text, answers] of golden.texts) {
    const ours: Answers = {
      repr: stringRepr(text),
      float: float(text),
      int: readInt(text)?.toString() ?? null,
      strip: strip(text),
      split: splitSpace(text),
      lines: splitLines(text),
      kept: splitLines(text, { ends: true }),
      lower: lower(text),
    }
    expect(ours, JSON.stringify(text)).toEqual(answers)
  }
})

test('[PYTHON411] the repr of lists and dictionaries holds that of their parts', () => {
  const value = new Map<string, PythonValue>([['a\u00a0', [1n, 1, true, null, 'Zürich\u00a0HB', '\ud800']]])
  expect(valueRepr(value)).toBe("{'a\\xa0': [1, 1.0, True, None, 'Zürich\\xa0HB', '\\ud800']}")
})
