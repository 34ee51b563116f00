import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { mostReplayChars } from '#shared/contract/replay.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { runBench } from './fixture-api.ts'
import { readResponses } from './response-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-responses-'))
afterAll(() => rmSync(folder, { recursive: true }))
const nowhere = 'http://127.0.0.1:9'
const env = { BENCH_DATA: join(folder, 'data'), HF_ENDPOINT: nowhere, GITHUB_RAW_ENDPOINT: nowhere, GITHUB_ARCHIVE_ENDPOINT: nowhere }
const write = (name: string, text: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const refusal = (path: string) => readResponses(path, undefined).catch((error: Error) => error.message.replace(path, 'FILE'))

test('[CLI160] answers come from a JSON array, from JSON lines, or from the text of a file; one text may be written short', async () => {
  const answers = [{ benchmark: 'mmlu_pro', item: '4', epoch: 1, texts: ['A', 'B'] }, { texts: ['C'] }]
  const [first, { texts }] = [answers[0]!, answers[1]!]
  const short = [first, { text: texts[0] }]
  expect(await readResponses(write('a.json', JSON.stringify(short)), undefined)).toEqual({ answers, label: 'a.json' })
  expect(await readResponses(write('a.jsonl', `${short.map((one) => JSON.stringify(one)).join('\n\n')}\n`), undefined)).toEqual({
    answers,
    label: 'a.jsonl',
  })
  expect(await readResponses(write('patch.diff', '[1]\n'), undefined)).toEqual({ answers: [{ texts: ['[1]\n'] }], label: 'patch.diff' })
  expect(await readResponses(undefined, 'D')).toEqual({ answers: [{ texts: ['D'] }], label: 'replay' })
  expect(await readResponses(undefined, undefined)).toBeNull()
  await expect(readResponses('x', 'y')).rejects.toThrow('not both')
})

test('[CLI161] a file without answers that can be used is refused with what is wrong and where', async () => {
  expect(await refusal(join(folder, 'none.json'))).toBe('FILE cannot be read (ENOENT).')
  mkdirSync(join(folder, 'empty'))
  expect(await refusal(join(folder, 'empty'))).toContain('is not the folder of a run')
  expect(await refusal(write('bad.zip', 'PK'))).toContain('FILE cannot be read: ')
  expect(await refusal(write('latin.txt', Uint8Array.of(0xe4, 0x20)))).toBe('FILE is no text in UTF-8.')
  for (const [name, text] of [
    ['blank.txt', ' \n'],
    ['blank.json', ''],
    ['none.json', '[]'],
  ] as const)
    expect(await refusal(write(name, text))).toBe('FILE holds no answers.')
  expect(await refusal(write('broken.json', '[{'))).toBe('FILE is not JSON.')
  expect(await refusal(write('one.json', '{"text":"A"}'))).toBe('FILE is no JSON array of answers.')
  expect(await refusal(write('broken.jsonl', '{"text":"A"}\nB\n'))).toBe('FILE is not JSON in line 2.')
  expect(await refusal(write('odd.jsonl', '{"text":"A"}\n{"text":"A","epoch":100}\n'))).toContain('does not fit: answer 2, epoch: ')
  expect(await refusal(write('typo.json', '[{"txt":"A"}]'))).toContain('does not fit: answer 1')
  const long = 'FILE is too long: the answers of a replay may have 900,000 characters together.'
  expect(await refusal(write('long.txt', 'x'.repeat(mostReplayChars + 1)))).toBe(long)
  expect(await refusal(write('huge.txt', 'x'.repeat(8 * mostReplayChars + 1)))).toBe(long)
  expect(await refusal(write('most.txt', 'x'.repeat(mostReplayChars)))).toMatchObject({ label: 'most.txt' })
  const many = Array.from({ length: 20_001 }, () => ({ text: 'x' }))
  expect(await refusal(write('many.json', JSON.stringify(many)))).toBe('FILE has more than 20,000 answers.')
  const { code, out, err } = await runBench(['run', '-b', 'mmlu_pro', '--response-file', join(folder, 'nowhere'), '--local'], env)
  expect({ code, out, err: err.join() }).toEqual({ code: 1, out: [], err: expect.stringContaining('cannot be read (ENOENT)') })
})

test('[CLI160] [CLI161] an exported ZIP and the folder of a run replay what was said there, item by item: the scores are the same', async () => {
  const sample = ['run', '--local', '-b', 'mmlu_pro', '--limit', '6', '-k', '2', '--profile', 'builtin', '--data', 'sample', '--json']
  const run = async (...more: string[]) => JSON.parse((await runBench([...sample, '--out', join(folder, 'out'), ...more], env)).out.at(-1)!)
  const scores = ({ dir }: { dir: string }) =>
    readFileSync(join(dir, 'records.jsonl'), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line): TrialRecord => JSON.parse(line)) // written as such lines
      .toSorted((a, b) => a.ordinal - b.ordinal)
      .map(({ item_id, epoch, score, evidence }) => ({ item_id, epoch, score, text: evidence && 'text' in evidence && evidence.text }))
  const first = await run()
  const [zipped, copied] = [await run('--response-file', first.bundle), await run('--response-file', first.dir, '-m', 'of the folder')]
  expect(scores(zipped)).toEqual(scores(first))
  expect(scores(copied)).toEqual(scores(first))
  expect([zipped.spec.model.provider, copied.spec.model.slug, zipped.spec.replay]).toEqual(['replay', 'of the folder', copied.spec.replay])
  const answers = (await readResponses(first.bundle, undefined))!.answers
  expect(new Set(answers.map(({ item, by, epoch }) => `${by} ${item} ${epoch}`)).size).toBe(12)

  const changed = (change: (record: TrialRecord) => TrialRecord) => {
    const dir = mkdtempSync(join(folder, 'changed-'))
    cpSync(first.dir, dir, { recursive: true })
    const path = join(dir, 'records.jsonl')
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
    writeFileSync(path, lines.map((line) => `${JSON.stringify(change(JSON.parse(line)))}\n`).join(''))
    return dir
  }
  const alike = await readResponses(
    changed((record) => ({ ...record, source_id: 'same' })),
    undefined,
  )
  expect(new Set(alike!.answers.map(({ item, by, epoch }) => `${by} ${item} ${epoch}`)).size).toBe(12)
  expect(alike!.answers.every(({ by }) => by === 'id')).toBe(true)
  const long = changed((record) => ({ ...record, evidence: { ...record.evidence!, text: 'x'.repeat(100_000) } }))
  await expect(readResponses(long, undefined)).rejects.toThrow(
    'The answers of this run are too many: the answers of a replay may have 900,000',
  )
})

test('[CLI410] a file that answers one item and epoch twice is refused by the name of the item', async () => {
  const lines = (...answers: object[]) => write('twice.jsonl', answers.map((one) => JSON.stringify(one)).join('\n'))
  const a = { item: '7', epoch: 0, text: 'A' }
  expect(await refusal(lines(a, { ...a, text: 'B' }))).toContain(
    'answers item 7 of epoch 0 twice, as answers 1 and 2; leave one of them out',
  )
  expect(await refusal(lines({ item: '7', text: 'A' }, { item: '7', text: 'A' }))).toContain('answers item 7 twice, as answers 1 and 2')
  expect(await readResponses(lines(a, { ...a, epoch: 1 }, { ...a, by: 'key' }, { text: 'C' }), undefined)).toMatchObject({
    label: 'twice.jsonl',
  })
})

test('[CLI411] an empty text is an answer', async () => {
  expect(await readResponses(undefined, '')).toEqual({ answers: [{ texts: [''] }], label: 'replay' })
})
