import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TestsEvidence } from '../../contract/evidence/tests.ts'
import { computeMetrics } from '../../metrics/metrics.ts'
import type { MetricRow } from '../../metrics/port.ts'
import { firstPlan } from '../../metrics/testing/plans.ts'
import { itemsIn } from '../../run/build-spec.ts'
import type { DataRows } from '../rows.ts'
import { BadRecord, openTask } from '../task.ts'
import { itemsOf, openLists } from '../testing/open-lists.ts'
import { card } from './card.ts'
import { demoAnswer } from './demo-answer.ts'
import { errata } from './errata.ts'
import { extractProgram } from './extract-program.ts'
import { itemRows } from './releases.ts'
import task from './task.ts'

const rows = readFileSync(new URL('sample.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Record<string, string>)
const profile = (id: string) => card.profiles.find((found) => found.id === id)!
const texts = { system: 'S', with_starter: 'W', without_starter: 'O', empty_fence: 'E', answer: 'A' }
const open = (test: unknown[], id = 'official') => openLists(task, { profile: profile(id), texts, rows: { test } })

test.each([
  ['no fence', 'print(1)', ''],
  ['several lines and no fence', 'a\nb\nc', ''],
  ['lines before one fence', 'a\nb\n```', ''],
  ['one fence', '```python\nprint(1)', ''],
  ['a block', 'So:\n```python\nprint(1)\n```\nDone.', 'print(1)'],
  ['the last of two blocks', 'a\n```\nA\n```\nb\n```python\nB\n```', 'B'],
  ['an unclosed third block', '```\nA\n```\nbetween\n```python\nB', 'between'],
  ['an indented fence and one inside a line', '  ``` x\nA\n  y ```', 'A'],
  ['a fence of four', '````\nA\n````', 'A'],
  ['an empty block', '```\n```', ''],
  ['both fences on one line', '``` A ```', ''],
  ['windows lines', '```python\r\nA\r\n```\r\n', 'A\r'],
  ['blank lines inside', '```\n\nA\n\n```', '\nA\n'],
])('[SCORE167] the program of an answer with %s', (_name, answer, program) => expect(extractProgram(answer)).toBe(program))

test('[SCORE168] a prompt has the official structure with the words of its profile, a starter code in its fence', async () => {
  const plain = { ...rows[0], question_content: 'Q {x}\n', starter_code: '' }
  const starter = { ...rows[1], question_content: 'F', starter_code: 'class Solution:\n    def f(self):\n        ' }
  const official = await open([plain, starter])
  const system = { role: 'system', content: 'S' }
  const users = await Promise.all([0, 1].map(async (index) => (await official.item(index, 0)).messages))
  const byId = rows[0]!.question_id! < rows[1]!.question_id! ? users : users.toReversed()
  expect(byId[0]).toEqual([system, { role: 'user', content: '### Question:\nQ {x}\n\n\n### Format: O\nEA' }])
  const fence = '```python\nclass Solution:\n    def f(self):\n        \n```\n\n'
  expect(byId[1]).toEqual([system, { role: 'user', content: `### Question:\nF\n\n### Format: W\n${fence}A` }])
  const own = (await (await open([plain], 'builtin')).item(0, 0)).messages.map(({ content }) => content).join('\n')
  expect(own).toContain('### Question:\nQ {x}\n')
  expect(own).not.toMatch(/### Format: O|EA/)
})

const day = (text: string) => Date.parse(`${text}Z`)
const pinned = Array.from({ length: 1055 }, (_, row) => ({ id: `q${String((row * 7) % 1055).padStart(4, '0')}`, date: day('2023-06-01') }))

test('[SCORE169] a release is the first rows of all files, sorted by the ids of the problems', () => {
  const counts = Object.fromEntries(card.profiles.map(({ id }) => [id, itemRows(id, pinned).length]))
  expect(counts).toEqual({
    ...{ official: 1055, builtin: 1055, release_v5: 880, release_v4: 713, release_v3: 612, release_v2: 511, release_v1: 400, aa: 0 },
  })
  const taken = itemRows('release_v1', pinned)
  expect(Math.max(...taken)).toBe(399)
  const ids = taken.map((row) => pinned[row]!.id)
  expect(ids).toEqual(ids.toSorted())
  expect(itemRows('no such profile', pinned)).toEqual([])
})

test('[SCORE169] a window compares dates with times and takes both of its ends', () => {
  const at = (dates: Record<number, string>) => pinned.map((one, row) => (dates[row] ? { ...one, date: day(dates[row]) } : one))
  const dates = {
    ...{ 0: '2024-06-30T23:59:59.999', 1: '2024-07-01T00:00', 2: '2024-10-05T12:00', 3: '2025-01-01T00:00:00', 4: '2025-01-01T00:00:01' },
    900: '2024-10-05T12:00',
  }
  expect(itemRows('aa', at(dates)).toSorted((a, b) => a - b)).toEqual([1, 2, 3])
})

test('[SCORE169] data of another size are taken whole, and dates are read as the official loader reads them', async () => {
  expect(itemRows('aa', pinned.slice(1))).toHaveLength(1054)
  for (const contest_date of ['2024-07-01', '2024-07-01T10:20', '2024-07-01 10:20:30', '2024-07-01T10:20:30.123456'])
    expect((await (await open([{ ...rows[0], contest_date }])).item(0, 0)).metadata.contest_date).toBe('2024-07-01')
  for (const contest_date of ['', 'July 2024', '2024-13-01', '2024-07-01T25:00', '2024-07-01T10:20:30Z'])
    await expect(open([{ ...rows[0], contest_date }])).rejects.toThrow(BadRecord)
})

test('[SCORE169] a profile of fewer problems says how many they are, for pinned data only', () => {
  const data = (source: 'pinned' | 'sample' | 'override') => ({
    source,
    repo: '',
    revision: '',
    files: [{ role: 'test', path: '', sha256: null, rows: 7 }],
  })
  const items = (id: string, source: 'pinned' | 'sample' | 'override') => itemsIn(card, data(source), profile(id))
  expect([items('official', 'pinned'), items('release_v2', 'pinned'), items('aa', 'pinned')]).toEqual([1055, 511, 315])
  expect([items('release_v2', 'sample'), items('release_v2', 'override')]).toEqual([36, 7])
  expect(itemsIn(card, data('pinned'))).toBe(1055)
})

test('[SCORE170] items and survey hold nothing of a test, each row is read alone, and hidden tests are those of the item', async () => {
  const read: number[] = []
  const counted: DataRows = {
    test: {
      count: rows.length,
      async read(index) {
        read.push(index)
        return rows[index]
      },
    },
  }
  const context = { profile: profile('official'), texts, rows: counted }
  const survey = await task.survey(context)
  expect(read).toEqual(rows.map((_, index) => index))
  expect(survey).toEqual({ items: expect.any(Array), named: [] })
  const opened = await openTask(task, context)
  read.length = 0
  const item = await opened.item(5, 0)
  const row = rows.findIndex(({ question_id }) => question_id === item.source_id)
  const hidden = await opened.hidden!(5)
  expect(read).toEqual([row, row])
  const shown = JSON.stringify(item)
  for (const { input, output } of JSON.parse(rows[row]!.public_test_cases!)) {
    expect(hidden).toMatchObject({ inputs: expect.arrayContaining([input]), outputs: expect.arrayContaining([output]) })
    expect(shown).not.toContain(JSON.stringify(output).slice(1, -1))
  }
  expect(shown).not.toMatch(/test_cases/)
})

const evidence = (part: Partial<TestsEvidence['parts'][0]> | null, more = {}): TestsEvidence => ({
  ...{ kind: 'tests', text: 'x', reasoning: null, finish_reason: 'stop', scoring_input: null, truncated_reasoning: false, ...more },
  parts: part
    ? [
        {
          name: '',
          language: 'python',
          program: 'p',
          patch: null,
          build: null,
          total: 2,
          tests: [],
          output: '',
          took_ms: 0,
          memory_mb: null,
          ...part,
        },
      ]
    : [],
})
const ended = (...ends: TestsEvidence['parts'][0]['tests'][0]['end'][]) =>
  ends.map((end, index) => ({ name: `test ${index}`, end, took_ms: null }))
const facts = { target: 'all tests passed', metadata: { errata: true } }
const score = (one: TestsEvidence) => task.score(facts, one, 'official', {} as never)

test('[SCORE171] an answer is right where every test passed, and never where there was none', () => {
  expect(score(evidence({ tests: ended('passed', 'passed') }))).toMatchObject({
    ...{ value: 1, outcome: 'right', answer: 'all tests passed', flags: [], detail: { passed: 2, total: 2, errata: true } },
  })
  for (const part of [{}, { total: 0 }, { tests: ended('passed') }, { tests: ended('passed', 'failed') }, { tests: ended('timeout') }])
    expect(score(evidence(part))).toMatchObject({ value: 0, outcome: 'wrong', flags: [] })
  expect(score(evidence({ tests: ended('passed', 'timeout') })).answer).toBe('1 of 2 tests passed')
  expect(score(evidence(null))).toMatchObject({ value: 0, answer: null, flags: ['unparsed'] })
  expect(score(evidence({ program: null }, { finish_reason: 'length', text: '' }))).toMatchObject({
    ...{ value: 0, answer: null, flags: ['unparsed', 'empty', 'truncated'] },
  })
})

test('[SCORE171] a demo of a problem that says no formula is a program that is wrong', () => {
  expect(demoAnswer({ metadata: { question: 'Sort them.', starter_code: '' } }, true)).toContain('print(0)')
})

test('[SCORE179] problems that upstream names as flawed are told by their ids and left out of one figure', async () => {
  expect(errata.size).toBe(17)
  const opened = await open([rows[0], { ...rows[1], question_id: 'abc311_c' }])
  expect((await itemsOf(opened)).map(({ metadata }) => metadata.errata)).toEqual([true, false])
  const plain = { epoch: 0, group: null, answer: null, flags: [], options: null }
  const scored = [true, false, false].map(
    (flawed, index): MetricRow => ({
      ...plain,
      item_id: String(index),
      outcome: index === 1 ? 'right' : 'wrong',
      score: index === 1 ? 1 : 0,
      detail: { errata: flawed },
    }),
  )
  const figures = computeMetrics(['accuracy', 'accuracy_without_errata'], scored, firstPlan(1055))
  expect([figures.accuracy!.value, figures.accuracy_without_errata!.value]).toEqual([1 / 3, 1 / 2])
})
