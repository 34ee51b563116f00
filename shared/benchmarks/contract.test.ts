import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { builtinRepo, Card, type Profile } from '../contract/card.ts'
import type { Evidence } from '../contract/evidence/evidence.ts'
import type { TestedPart } from '../contract/evidence/tests.ts'
import { Item, Score } from '../contract/item.ts'
import { isMetricName } from '../metrics/metrics.ts'
import { noTables } from '../scorers/tables.ts'
import { completionEvidence } from '../solvers/generate.ts'
import { type CardName, cards } from './cards.ts'
import { fingerprintOf, GoldenLine, goldenItems, scoreUnlessMissing } from './fingerprint.ts'
import { itemHash } from './item-hash.ts'
import { promptKey } from './prompt-key.ts'
import { listRows } from './rows.ts'
import { openTask, type Task } from './task.ts'
import { findTask, tasks } from './tasks.ts'

const fileOf = (name: string, file: string) => new URL(`${name}/${file}`, import.meta.url)
const linesOf = (name: string, file: string): unknown[] =>
  readFileSync(fileOf(name, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
/** What stands in the repository of a benchmark's rows: an invented sample, or all of them where they are part of the program. */
const rowsFile = ({ data }: Card, role: string): string =>
  data.repo === builtinRepo
    ? data.files.find((file) => file.role === role)!.path
    : role === 'test'
      ? 'sample.jsonl'
      : `sample.${role}.jsonl`
const goldenOf = (name: string) => linesOf(name, 'golden.jsonl').map((line) => GoldenLine.parse(line))

/** Every profile of the task opened on the sample; official texts are stood in for by their ids, roles without a sample by the test rows. */
async function openSample(task: Task): Promise<{ profile: Profile; items: Item[] }[]> {
  const { name } = task.card
  const sampleOf = (role: string) =>
    existsSync(fileOf(name, rowsFile(task.card, role))) ? rowsFile(task.card, role) : rowsFile(task.card, 'test')
  const rows = Object.fromEntries(task.card.data.files.map(({ role }) => [role, listRows(linesOf(name, sampleOf(role)))]))
  const open = async (profile: Profile) => {
    const texts = Object.fromEntries(profile.texts.map((pin) => [pin.id, `[${pin.id}]`]))
    const opened = await openTask(task, { profile, texts, rows })
    const items = Array.from({ length: opened.count }, (_, index) => opened.item(index, index % profile.epochs))
    return { profile, items: await Promise.all(items) }
  }
  return Promise.all(task.card.profiles.map(open))
}

/** A demo answer as evidence of the task's kind; where answers are judged, a demo of the judge judged it. */
function answered(task: Task, item: Item, right: boolean): Evidence {
  const completion = completed(task.demo(item, right))
  if (task.card.evidence === 'tests') return { ...completion, kind: 'tests', parts: [testedPart(right)] }
  if (task.card.evidence === 'completion') return completion
  if (task.card.evidence === 'reward' || task.card.evidence === 'dialogue' || task.card.evidence === 'exchange')
    throw new Error('what is left at a terminal or in a world shows there only')
  return { ...completion, kind: 'judged', judge: { model: 'demo', replies: [task.demoVerdict?.(item, right) ?? ''] } }
}

/** All dialogues of a benchmark begin alike: what tells them apart is what the user is told. */
const played = (task: Task): boolean => task.card.evidence === 'dialogue'

/** What a sandbox would find of a demo answer. */
const testedPart = (right: boolean): TestedPart => ({
  name: '',
  language: 'text',
  program: '',
  patch: '',
  build: null,
  total: 1,
  tests: [{ name: 'a', end: right ? 'passed' : 'failed', took_ms: null }],
  output: '',
  took_ms: 0,
  memory_mb: null,
})

const completed = (text: string) =>
  completionEvidence({
    text,
    reasoning: null,
    finish_reason: 'stop',
    usage: { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 },
    usage_known: false,
    latency_ms: 0,
    ttft_ms: null,
    max_gap_ms: null,
    model_reported: null,
    system_fingerprint: null,
  })

const seen = (score: Score | undefined) => score && { outcome: score.outcome, value: score.value, answer: score.answer }

test('[SCORE7] every folder with a card is on the list and has all its files', () => {
  const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'testing',
  )
  expect(folders.map((folder) => folder.name).sort()).toEqual(cards.map((card) => card.name).sort())
  for (const card of cards)
    for (const file of ['card.ts', 'task.ts', 'golden.jsonl', rowsFile(card, 'test'), 'README.md'])
      expect(existsSync(fileOf(card.name, file)), `${card.name}/${file}`).toBe(true)
})

test.each(cards.map((card) => [card.name, card] as const))(
  '[SCORE7] the card of %s is complete and pins by commit and hash',
  (name, card) => {
    expect(Card.parse(card)).toEqual(card)
    const roles = card.data.files.map((file) => file.role)
    expect(card.profiles.map((profile) => profile.id)).toContain(card.default_profile)
    expect(new Set(card.profiles.map((profile) => profile.id)).size).toBe(card.profiles.length)
    for (const profile of card.profiles) {
      expect(roles).toEqual(expect.arrayContaining(profile.files))
      for (const pin of profile.texts) expect(pin.revision).toMatch(/^[0-9a-f]{40}$/)
    }
    expect(card.metrics.filter((metric) => !isMetricName(metric))).toEqual([])
    const rows = card.data.files.reduce((sum, file) => sum + (file.role === 'test' ? file.rows : 0), 0)
    expect(card.total_items).toBe(name === 'hle_text' ? 2158 : rows)
    if (card.evidence !== 'exchange')
      expect(card.profiles.map((profile) => profile.roles?.judge != null)).toEqual(card.profiles.map(() => card.evidence === 'judged'))
    expect(card.sample_items).toBe(linesOf(name, rowsFile(card, 'test')).length)
  },
)

test.each(Object.keys(tasks) as CardName[])('[SCORE8] the golden file of %s gives its scores, twice the same', async (name) => {
  const task = await tasks[name]()
  const lines = goldenOf(name)
  expect(new Set(lines.map((line) => line.profile))).toEqual(new Set(task.card.profiles.map((profile) => profile.id)))
  const items = await goldenItems(task, lines)
  items.forEach((item, index) => {
    const line = lines[index]!
    const score = scoreUnlessMissing(task, item, line, noTables)
    if (score) expect(Score.parse(score)).toEqual(line.score)
    expect(scoreUnlessMissing(task, item, line, noTables)).toEqual(score)
  })
})

test.each(Object.keys(tasks) as CardName[])('[SCORE8] the fingerprint of %s is that of its behaviour', async (name) => {
  const task = await tasks[name]()
  const found = await fingerprintOf(task, goldenOf(name))
  expect(task.card.fingerprint, `the behaviour changed: raise the version and set the fingerprint to ${found}`).toBe(found)
})

test.each(Object.keys(tasks) as CardName[])(
  '[SCORE9] every sample item of %s renders, and demo answers are scored as meant in every profile',
  async (name) => {
    const task = await tasks[name]()
    expect(task.card.name).toBe(name)
    for (const { profile, items } of await openSample(task)) {
      for (const item of items) {
        expect(Item.parse(item)).toEqual(item)
        if (played(task)) continue // see the tests of its benchmark where it is played; what a dialogue asks is also what its user is told
        expect(item.item_hash).toBe(itemHash(item.messages))
        // What a program is worth shows in a sandbox only, and an exchange has a degree: see the tests of their benchmarks.
        if (task.card.evidence === 'tests' || task.card.evidence === 'reward' || task.card.evidence === 'exchange') continue
        const scored = (right: boolean) =>
          scoreUnlessMissing(task, item, { evidence: answered(task, item, right), profile: profile.id }, noTables)
        const answer = task.card.evidence === 'completion' ? item.target : expect.stringContaining(item.target)
        expect([{ outcome: 'right', value: 1, answer }, undefined]).toContainEqual(seen(scored(true)))
        expect(['wrong', undefined]).toContain(scored(false)?.outcome)
      }
    }
  },
)

test.each(Object.keys(tasks) as CardName[])('[SCORE9] sample items of %s are told apart by their prompt and their ids', async (name) => {
  const task = await tasks[name]()
  const builtin = (await openSample(task)).find(({ profile }) => profile.id === 'builtin')
  const items = builtin?.items ?? []
  if (task.card.data.repo !== builtinRepo) expect(items.length).toBeGreaterThanOrEqual(30)
  expect(new Set(items.map((item) => (played(task) ? item.item_hash : promptKey(item.messages)))).size).toBe(items.length)
  expect(new Set(items.map((item) => item.source_id)).size).toBe(items.length)
})

test('[SCORE7] there is no task for a name without a card', async () => {
  expect(await findTask('toString')).toBeUndefined()
  expect((await findTask('mmlu_pro'))?.card.name).toBe('mmlu_pro')
})
