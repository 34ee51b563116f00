import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readPythonYaml } from './python-yaml.ts'

const words = [
  ...['.', '..', '1', '-7', '+3', '0', '007', '08', '0x1F', '0b101', '1_000', '1e3', '1.5', '.5', '5.', '1.5e+3', '1.5e3', '-', 'a.b'],
  ...['yes', 'No', 'on', 'OFF', 'true', 'True', 'y', 'n', '~', 'null', 'NULL', 'none', '"yes"', "'1'", '4g', 'a: b', '[1, no]', '{a: 1.0}'],
]
/** What PyYAML 6.0.2 says to `v: <word>`; `null` also where it refuses the text. */
const python = 'import json,sys,yaml\nprint(json.dumps([yaml.safe_load("v: " + w)["v"] for w in json.load(sys.stdin)]))'
const loaded = [
  ...['.', '..', 1, -7, 3, 0, 7, '08', 31, 5, 1000, '1e3', 1.5, 0.5, 5, 1500, '1.5e3', undefined, 'a.b'],
  ...[true, false, true, false, true, true, 'y', 'n', null, null, null, 'none', 'yes', '1', '4g', undefined, [1, false], { a: 1 }],
]
const ours = (word: string) => {
  const read = readPythonYaml(`v: ${word}`)
  return read.ok ? (read.value as { v: unknown }).v : undefined
}

test('[SCORE292] plain words of YAML are what PyYAML takes them for', () => {
  expect(words.map((word) => [word, ours(word)])).toEqual(words.map((word, at) => [word, loaded[at]]))
})

test('[SCORE292] merged maps, empty values, words as keys and blocks come as from PyYAML', () => {
  const text = 'a: &x {p: 1}\nb: {<<: *x, q: 2}\nc:\nyes: 1\nd: >-\n  one\n  two\ne: |+\n  kept\n\n'
  expect(readPythonYaml(text)).toMatchObject({ ok: true, value: { b: { p: 1, q: 2 }, c: null, yes: 1, d: 'one two', e: 'kept\n\n' } })
})

test('[SCORE292] where PyYAML is there, it says the same', ({ skip }) => {
  const told = words.filter((word) => ours(word) !== undefined)
  const ran = spawnSync('python3', ['-c', python], { input: JSON.stringify(told), encoding: 'utf8' })
  skip(ran.status !== 0, 'PyYAML is not here')
  expect(told.map(ours)).toEqual(JSON.parse(ran.stdout))
})
