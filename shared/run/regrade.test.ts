import { expect, test } from 'vitest'
import { card } from '../benchmarks/terminal_tasks/card.ts'
import { KeptAnswers } from '../contract/regrade.ts'
import { RunSpec } from '../contract/run.ts'
import { rewardEvidence } from '../episode/testing/evidence.ts'
import { compareRegrade } from './compare-regrade.ts'
import { gradesAgain, needsOf } from './match/needs-of.ts'
import { planTrials } from './plan.ts'
import { handedOverBy, regradeSpec } from './regrade-spec.ts'
import { readReplay, replayFinder } from './replay.ts'
import { recordOf } from './testing/rescore-example.ts'
import { testSpec } from './testing/test-spec.ts'
import { uploadData } from './upload-data.ts'

const planned = { ...testSpec().benchmarks[0]!, name: 'terminal_tasks', profile: 'terminus-2', total_items: 9, sampled_items: 2, epochs: 2 }
const before = { ...testSpec(), preflight: true, own_credential: true, price: null, benchmarks: [planned] }
const data = uploadData('file', 'b'.repeat(64))
const archive = (name: string) => ({ name, kind: 'file' as const, media_type: 'application/zip', bytes: 1, sha256: 'c'.repeat(64) })
const episode = (ordinal: number, item_id: string, epoch: number, score: number) =>
  handedOverBy(
    before.run_id,
    {
      ...recordOf(ordinal, '', '1', { item_id, epoch, score, source_id: `task ${item_id}` }),
      artifacts: [archive('artifacts.zip'), archive('trajectory.json')],
    },
    rewardEvidence([{ agent: { end: 'timeout', turns: 3, detail: 'x'.repeat(500) } }]),
  )
const now = { newId: () => '22222222-2222-4222-8222-222222222222', now: () => new Date('2026-03-01T00:00:00.000Z') }
const episodes = [episode(0, '7', 0, 0), episode(1, '3', 0, 1), episode(2, '7', 1, 0)]
const part = { planned, card, data, episodes, items: [7, 3, 7] }

test('[TASK13] a run that grades again has the trials it is asked for, asks nobody, and says whose episodes they are', () => {
  const { spec, answers } = regradeSpec(before, [{ ...part, choice: { item: null, epoch: null } }], now)
  expect(RunSpec.parse(spec)).toEqual(spec)
  expect(spec).toMatchObject({
    ...{ run_id: now.newId(), model: { slug: before.model.slug, provider: 'replay' }, own_credential: false, budget_usd: null },
    regrade: { run_id: before.run_id, provider: before.model.provider, trials: 3 },
    benchmarks: [{ profile: 'terminus-2', items: [3, 7], sampled_items: 2, epochs: 2, data, version: card.version, total_items: 1 }],
  })
  expect(spec).not.toHaveProperty('preflight')
  expect(needsOf(spec)).toContain(gradesAgain)
  expect(needsOf(before)).not.toContain(gradesAgain)
  expect([...planTrials(spec)].map(({ item_id, epoch }) => [item_id, epoch])).toEqual([
    ['3', 0],
    ['7', 0],
    ['3', 1],
    ['7', 1],
  ])
  const kept = readReplay(spec.replay!, KeptAnswers.parse(JSON.parse(JSON.stringify(answers))))
  const find = replayFinder(kept.ok ? kept.value : [])
  const at = (item_id: string, epoch: number) => find({ benchmark: 'terminal_tasks', item_id, source_id: null, epoch })?.handed_over
  expect([at('7', 1)?.ordinal, at('3', 0)?.ordinal, at('3', 1)]).toEqual([2, 1, undefined])
  expect(at('7', 0)).toMatchObject({
    ...{ attempt: 1, score: 0, source_id: 'task 7', archives: [{ name: 'artifacts.zip', sha256: 'c'.repeat(64) }] },
    steps: [{ name: '', agent: { end: 'timeout', turns: 3, detail: 'x'.repeat(200) } }],
  })
})

test('[TASK13] one episode is graded again as the only epoch of its item, and the plan names its hand-over by hash', () => {
  const { spec, answers } = regradeSpec(before, [{ ...part, episodes: [episodes[2]!], items: [7], choice: { item: '7', epoch: 1 } }], now)
  expect([...planTrials(spec)].map(({ item_id, epoch }) => [item_id, epoch])).toEqual([['7', 0]])
  expect(answers).toMatchObject([{ item: '7', epoch: 0, handed_over: { ordinal: 2, epoch: 1 } }])
  const changed = answers.map((one) => ({ ...one, handed_over: { ...one.handed_over!, archives: [] } }))
  expect(readReplay(spec.replay!, changed)).toMatchObject({ ok: false, failure: { at: 'replay', reason: 'mismatch' } })
})

test('[TASK14] rewards stand side by side, flips first; means are over episodes that have both, and what waits is listed', () => {
  const { spec, answers } = regradeSpec(before, [{ ...part, choice: { item: null, epoch: null } }], now)
  const of = (item_id: string, epoch: number, score: number | null) =>
    recordOf(0, '', '1', { benchmark: 'terminal_tasks', item_id, epoch, score, ...(score === null && { outcome: 'failed' as const }) })
  const regrades = { ...spec, regrade: spec.regrade! }
  const compared = compareRegrade(regrades, answers, [of('3', 0, 1), of('7', 0, 0.5)])
  expect(compared).toMatchObject({ episodes: 3, graded: 2, changed: 1, better: 1, worse: 0, mean: { before: 0.5, after: 0.75 } })
  expect(
    compared.listed.map(({ item_id, epoch_before, before: then, after, changed }) => [item_id, epoch_before, then, after, changed]),
  ).toEqual([
    ['7', 0, 0, 0.5, true],
    ['3', 0, 1, 1, false],
    ['7', 1, 0, null, false],
  ])
  expect(compareRegrade(regrades, answers, [of('3', 0, null)])).toMatchObject({
    graded: 0,
    changed: 0,
    mean: { before: null, after: null },
  })
})
