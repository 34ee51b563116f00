import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openTestEnv } from '#fleet/dataset/loopback-server.ts'
import { openDataset } from '#fleet/dataset/open-dataset.ts'
import { describeOverrides } from '#fleet/dataset/overrides.ts'
import { card } from '#shared/benchmarks/code_tasks/card.ts'
import { createDataChoice, pinnedData } from '#shared/run/data-choice.ts'
import { BadCatalogue, faultText, packCatalogue, readCatalogue } from './pack-catalogue.ts'
import { pinText } from './pin-text.ts'

const home = join(import.meta.dirname, '..', '..', 'shared', 'benchmarks', 'code_tasks')
const small = join(home, 'testing', 'catalogue')
const folder = mkdtempSync(join(tmpdir(), 'bench-catalogue-'))
afterAll(() => rmSync(folder, { recursive: true }))
const nowhere = 'http://127.0.0.1:9'

/** A copy of the small catalogue, changed so. */
function copyOf(name: string, change: (path: (file: string) => string) => void): string {
  const dir = join(folder, name)
  cpSync(small, dir, { recursive: true })
  change((file) => join(dir, file))
  return dir
}
const faultsIn = async (dir: string): Promise<string[]> =>
  (await readCatalogue(dir)).flatMap((one) => ('faults' in one ? one.faults.map(faultText) : []))
const edit = (path: string, from: string, to: string): void => writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))

test('[SCORE211] a folder packs to the same bytes each time, a row a task in the order of names, texts as they are', async () => {
  const packed = await packCatalogue(small)
  expect(await packCatalogue(`${small}/`)).toBe(packed)
  const rows = packed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.map(({ task_id }) => task_id)).toEqual(['javascript_tally_words', 'python_shelf_labels'])
  expect(rows[0].workspace).toEqual({ 'src/tally.mjs': 'export function tally(text) {\n  return []\n}' })
  expect(Object.keys(rows[0].reference)).toEqual(['src/by-count.mjs', 'src/tally.mjs'])
  expect((await readCatalogue(join(small, 'python_shelf_labels'))).map(({ id }) => id)).toEqual(['python_shelf_labels'])
})

test('[SCORE211] the packed catalogue of the program is that of its folder, and its card pins it', async () => {
  const own = join(home, 'catalogue')
  const packed = readFileSync(join(home, 'catalogue.jsonl'), 'utf8')
  expect(packed === (await packCatalogue(own)), 'npm run pack-tasks makes it anew').toBe(true)
  expect(readFileSync(join(home, 'packed-catalogue.ts'), 'utf8')).toBe(pinText(packed))
})

test('[SCORE210] every fault is told with its file and field, of all tasks at once', async () => {
  const dir = copyOf('faulty', (at) => {
    edit(at('python_shelf_labels/task.json'), '"language": "python"', '"language": "cobol", "hints": []')
    edit(at('python_shelf_labels/task.json'), '"timeout_seconds": 30', '"timeout_seconds": 0')
    edit(at('javascript_tally_words/task.json'), '"task_id": "javascript_tally_words"', '"task_id": "other"')
  })
  const faults = await faultsIn(dir)
  expect(faults[0]).toBe('javascript_tally_words/task.json: task_id: is other, but the folder is javascript_tally_words')
  for (const start of ['task.json: language: ', 'task.json: timeout_seconds: ', 'task.json: hints: '])
    expect(faults.join('\n')).toContain(`python_shelf_labels/${start}`)
  await expect(packCatalogue(dir)).rejects.toThrow(BadCatalogue)
})

test.each([
  ['missing', (at: (file: string) => string) => rmSync(at('task.json')), 'task.json: is missing'],
  ['stray', (at) => writeFileSync(at('README.md'), ''), 'README.md: is no part of a task'],
  ['nobody', (at) => edit(at('expected.json'), '"stdin"', '"nobody"'), 'expected.json: nobody: belongs to no probe'],
  ['unknown', (at) => edit(at('expected.json'), '"stdin"', '"nobody"'), 'expected.json: stdin: is missing'],
  ['words', (at) => writeFileSync(at('instructions.md'), ''), 'instructions.md: '],
  ['json', (at) => writeFileSync(at('expected.json'), '{"a": 1,}'), 'expected.json: is no JSON'],
  ['number', (at) => writeFileSync(at('task.json'), '3'), 'task.json: '],
  ['list', (at) => writeFileSync(at('task.json'), '[]'), 'task.json: '],
  ['binary', (at) => writeFileSync(at('workspace/x'), new Uint8Array([0xff, 0xfe])), 'workspace/x: is no text in UTF-8'],
  ['zero', (at) => writeFileSync(at('tests/x'), 'a\0'), 'tests/x: is no text'],
  ['large', (at) => writeFileSync(at('reference/x'), 'x'.repeat(300_000)), 'reference/x: is larger than 256 kB'],
  ['link', (at) => symlinkSync('/etc/passwd', at('workspace/passwd')), 'workspace/passwd: is a link'],
  ['tests', (at) => cpSync(at('tests'), at('workspace/tests'), { recursive: true }), 'workspace: has a folder tests'],
  [
    'replaced',
    (at) => cpSync(at('tests'), at('reference/tests'), { recursive: true }),
    'reference/tests/labels.py: lies in the folder tests',
  ],
  ['unsolved', (at) => rmSync(at('reference'), { recursive: true }), 'reference: has no file'],
  ['path', (at) => writeFileSync(at('workspace/a\\b'), ''), 'workspace/a\\b: holds a backslash'],
  ['case', (at) => edit(at('expected.json'), '"single"', '"two words"'), 'expected.json: labels.two words: '],
  ['twice', (at) => edit(at('task.json'), '"name": "stdin"', '"name": "labels"'), 'task.json: probes: two probes have the same name'],
] as [string, (at: (file: string) => string) => void, string][])(
  '[SCORE210] a task that is wrong is refused: %s',
  async (name, change, why) => {
    const dir = copyOf(name, (at) => change((file) => at(`python_shelf_labels/${file}`)))
    expect((await faultsIn(dir)).join('\n')).toContain(`python_shelf_labels/${why}`)
  },
)

test('[SCORE223] built-in data open beside the program without a network, and are the full set for every choice but an override', async () => {
  await using place = await openTestEnv(nowhere)
  const env = { ...place.env, benchmarksDir: join(home, '..') }
  const choose = createDataChoice([card], {}, {})
  const identity = pinnedData(card)
  expect([choose(card.name, 'auto', 'demo'), choose(card.name, 'auto', 'x'), choose(card.name, 'sample', 'demo')]).toEqual([
    identity,
    identity,
    undefined,
  ])
  const opened = await openDataset({ benchmark: card.name, identity, roles: ['test'] }, env)
  expect(opened).toMatchObject({ ok: true, value: { seen: card.data.files } })
  if (opened.ok) await opened.value.close()
})

test('[SCORE223] other bytes beside the program, another file of it, and a set that is not built in are refused', async () => {
  await using place = await openTestEnv(nowhere)
  const [file] = card.data.files
  const identity = pinnedData(card)
  const open = (benchmark: string, change: object, benchmarksDir = join(home, '..')) =>
    openDataset(
      { benchmark, identity: { ...identity, files: [{ ...file!, ...change }] }, roles: ['test'] },
      { ...place.env, benchmarksDir },
    )
  const gone = { ok: false, failure: { at: 'dataset', reason: 'unavailable', detail: expect.stringContaining('update this agent') } }
  expect(await open(card.name, { path: 'golden.jsonl', sha256: null })).toMatchObject(gone)
  expect(await open(card.name, { path: '../code_tasks/catalogue.jsonl' })).toMatchObject(gone)
  expect(await open('mmlu_pro', { path: 'sample.jsonl' })).toMatchObject(gone)
  expect(await open(card.name, { sha256: '0'.repeat(64) })).toMatchObject(gone)
  expect(await open(card.name, {}, folder)).toMatchObject(gone)
  const other = join(folder, 'other', 'code_tasks')
  cpSync(join(home, 'golden.jsonl'), join(other, 'catalogue.jsonl'))
  expect(await open(card.name, {}, join(folder, 'other'))).toMatchObject({ ok: false, failure: { reason: 'mismatch' } })
})

test('[SCORE224] a catalogue named by its folder is an override: its own hash and rows, told as such', async () => {
  await using place = await openTestEnv(nowhere)
  const declared = (path: string) => ({ ...place.env, overrides: JSON.stringify({ code_tasks: { files: [{ role: 'test', path }] } }) })
  const described = await describeOverrides(declared(small))
  if (!described.ok) throw new Error(described.failure.detail)
  const identity = described.value.code_tasks!
  expect(identity).toMatchObject({ source: 'override', repo: 'override', files: [{ role: 'test', path: 'catalogue.jsonl', rows: 2 }] })
  const opened = await openDataset({ benchmark: 'code_tasks', identity, roles: ['test'] }, declared(small))
  expect(opened).toMatchObject({ ok: true, value: { seen: identity.files } })
  if (opened.ok) await opened.value.close()

  const faulty = copyOf('override', (at) => rmSync(at('python_shelf_labels/expected.json')))
  expect(await describeOverrides(declared(faulty))).toMatchObject({
    ok: false,
    failure: { reason: 'bad-record', detail: 'python_shelf_labels/expected.json: is missing' },
  })
})
