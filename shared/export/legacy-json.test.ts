import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../testing/draws.ts'
import { NotCanonical } from './canonical-json.ts'
import { legacyJson, legacyTime, pythonFloat } from './legacy-json.ts'
import { scanLegacyJson } from './scan-json.ts'

const python = spawnSync('python3', ['--version']).status === 0
if (!python) console.log('legacy-json.test.ts: no python3 here, the comparison with its json module is skipped')

const dumps = (lines: string[], expression: string): string[] => {
  const program = `import json,sys\nfor line in sys.stdin.read().split("\\n"):\n  value=json.loads(line)\n  print(${expression})`
  const { stdout, stderr, status } = spawnSync('python3', ['-c', program], {
    input: lines.join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return stdout.trimEnd().split('\n')
}
const sorted = 'json.dumps(value,sort_keys=True,separators=(",",":"))'
const bytesOf = (text: string) => new TextEncoder().encode(text)
const scans = (text: string, isPython = false): boolean => {
  try {
    scanLegacyJson(bytesOf(text), { python: isPython })
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(NotCanonical)
    return false
  }
}
const reprints = (text: string): boolean => {
  try {
    return legacyJson(JSON.parse(text)) === text
  } catch {
    return false
  }
}

test('[EXP3] legacy JSON is ASCII, sorted by code point, with Python floats', () => {
  expect(legacyJson({ b: 1, a: [1e-7, 1.5e16, 0.1, 1e22, -0, 2 ** 53, 123456789012345.6] })).toBe(
    '{"a":[1e-07,1.5e+16,0.1,1e+22,-0.0,9007199254740992.0,123456789012345.6],"b":1}',
  )
  expect(legacyJson({ '\u{1f642}': 1, '\uff5e': 2, a: 'é\u007f\n\u0001"\\/\ud800' })).toBe(
    '{"a":"\\u00e9\\u007f\\n\\u0001\\"\\\\/\\ud800","\\uff5e":2,"\\ud83d\\ude42":1}',
  )
  expect([legacyTime('2026-01-02T03:04:05.678Z'), legacyTime(null)]).toEqual(['2026-01-02T03:04:05Z', null])
  for (const value of [Number.NaN, undefined, { a: undefined }]) expect(() => legacyJson(value)).toThrow(NotCanonical)
})

test.skipIf(!python)('[EXP3] legacy JSON is what python3 prints', () => {
  const values = fc
    .sample(fc.jsonValue({ noUnicodeString: false }), { numRuns: 400, seed: 1 })
    .map((value) => ({ value: JSON.parse(JSON.stringify(value)) }))
  const own = values.map(legacyJson)
  expect(dumps(own, sorted)).toEqual(own)
})

test.skipIf(!python)('[EXP3] floats are the repr of python3', () => {
  const powers = Array.from({ length: 640 }, (_, index) => 1.7 * 10 ** (index - 320))
  const drawn = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { numRuns: 3000, seed: 2 })
  const floats = [...powers, ...drawn, 1e15, 1e16, 1e17, 1e-4, 1e-5, 123456, 0.5, 5e-324, 1.7976931348623157e308].filter(Number.isFinite)
  expect(
    dumps(
      floats.map((value) => JSON.stringify(value)),
      'repr(float(value))',
    ),
  ).toEqual(floats.map((value) => pythonFloat(Object.is(value, -0) ? 0 : value)))
})

test('[EXP4] the scanner takes exactly what reprints as itself', () => {
  const edits = fc.record({
    at: fc.nat(),
    with: fc.constantFrom('', ' ', '0', ',', '"', '\\', 'e', '.', '-', '{', ']', 'é', '\\u0041', '1'),
    cut: fc.nat({ max: 2 }),
  })
  fc.assert(
    fc.property(fc.jsonValue(), edits, (value, edit) => {
      const text = legacyJson(value)
      expect(scans(text)).toBe(true)
      const at = edit.at % (text.length + 1)
      const changed = text.slice(0, at) + edit.with + text.slice(at + edit.cut)
      expect([changed, scans(changed)]).toEqual([changed, reprints(changed)])
    }),
    draws(2000),
  )
})

test('[EXP4] duplicate keys, deep nesting and other spellings are found', () => {
  const deep = `${'['.repeat(66)}${']'.repeat(66)}`
  const bad = [
    '{"a":1,"a":1}',
    '{"b":1,"a":1}',
    deep,
    '[1.0]',
    '[01]',
    '["\\u0041"]',
    '["\\u000a"]',
    '["\\u00E9"]',
    '[1 ]',
    '[',
    '{"a"}',
    '[1,]',
    '[nul]',
    '["',
    '[1e400]',
    '',
  ]
  expect(bad.filter((text) => scans(text))).toEqual([])
  expect(scans('['.repeat(200_000))).toBe(false)
  expect([scans('[1.0,1e+16,12345678901234567890]', true), scans('[1.0]', false), scans('[1.00]', true)]).toEqual([true, false, false])
})

test('[EXP4] collected elements are given out one by one and left out of the skeleton', () => {
  const text = '{"a":[{"items":[1,{"b":2}],"n":1},{"items":[],"n":2}],"c":"x"}'
  const { spans, skeleton } = scanLegacyJson(bytesOf(text), { python: false, collect: (path) => path[0] === 'a' && path[2] === 'items' })
  expect(skeleton).toBe('{"a":[{"items":[],"n":1},{"items":[],"n":2}],"c":"x"}')
  expect(spans.map(({ parent, start, end }) => [parent[1], text.slice(start, end)])).toEqual([
    [0, '1'],
    [0, '{"b":2}'],
  ])
})
