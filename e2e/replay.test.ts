import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBench } from '#fleet/cli/fixture-api.ts'
import type { ReplayAnswers } from '#shared/contract/replay.ts'
import { TrialRecord } from '#shared/contract/trial.ts'
import { call, createRun, untilEnded, untilRecorded } from './call-api.ts'
import { type SharedStack, sharedStack } from './shared-stack.ts'
import { newDataDir } from './stack.ts'

const dir = newDataDir()
let stack: SharedStack
const body = {
  model_id: 'kept answers',
  selected_benchmarks: ['mmlu_pro'],
  profile: 'builtin',
  data: 'sample',
  subset_count: 8,
  max_failure_share: 1,
}

afterAll(dir.remove)
beforeAll(async () => {
  stack = await sharedStack()
})

async function recordsOf(id: string): Promise<TrialRecord[]> {
  const text = await (await call(stack.url, 'GET', `/api/runs/${id}/export?format=jsonl`)).text()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => TrialRecord.parse(JSON.parse(line)))
}
const started = async (request: object) =>
  untilRecorded(stack.url, (await untilEnded(stack.url, (await createRun(stack.url, { ...body, ...request })).id)).id)

test('[RUN118] answers given to the service are scored by its agent, shown, exported and verified as a replay; right ones score 1, wrong ones 0', async () => {
  const asked = await started({ replay: [{ texts: ['I do not know.'] }] })
  expect(asked).toMatchObject({ status: 'succeeded', labels: ['replay', 'sample'], overall_score: 0, head: { done: 8, failures: {} } })
  const known = await recordsOf(asked.id)
  const right: ReplayAnswers = known.map(({ item_id, expected }) => ({ item: item_id, by: 'id', texts: [`The answer is (${expected}).`] }))
  const whole = await started({ replay: right })
  expect(whole).toMatchObject({ status: 'succeeded', overall_score: 1, head: { done: 8, failures: {}, usage: { output_tokens: 0 } } })
  const partial = await started({ replay: right.slice(1) })
  expect(partial.head.failures).toEqual({ 'replay/no-answer': 1 })
  expect(partial.overall_score).toBe(1)
  const missing = (await recordsOf(partial.id)).find(({ failure }) => failure)!
  expect(missing.failure!.detail).toContain(`item ${known[0]!.item_id}`)

  const html = await (await fetch(`${stack.url}/runs/${whole.id}`)).text()
  expect(html).toContain('replayed')
  expect(await (await call(stack.url, 'GET', `/api/runs/${whole.id}/replay`)).json()).toEqual(right)
  const zip = join(dir.path, 'replay.zip')
  writeFileSync(zip, new Uint8Array(await (await call(stack.url, 'GET', `/api/runs/${whole.id}/export?format=zip`)).arrayBuffer()))
  const { public_key } = (await (await call(stack.url, 'GET', '/api/exports/public-key')).json()) as { public_key: string }
  const verified = await runBench(['verify', zip, '--key', public_key, '--json'])
  expect(verified.code, verified.err.join()).toBe(0)
  expect(JSON.parse(verified.out.at(-1)!)).toMatchObject({ labels: ['replay', 'sample'], rescored: 8 })

  // Once more from its own archive.
  const again = await runBench(
    ['run', '-b', 'mmlu_pro', '--limit', '8', '--data', 'sample', '--profile', 'builtin', '--response-file', zip, '--wait', '--json'],
    { BENCH_URL: stack.url },
  )
  expect(again.code, again.err.join()).toBe(0)
  expect(JSON.parse(again.out.at(-1)!)).toMatchObject({
    type: 'done',
    run: { overall_score: 1, model_slug: 'replay.zip', labels: ['replay', 'sample'] },
  })
})

test('[CLI163] two models times three samples in one command', async () => {
  const path = join(dir.path, 'answers.jsonl')
  writeFileSync(path, [0, 1, 2].map((epoch) => JSON.stringify({ epoch, text: `The answer is (${'ABC'[epoch]}).` })).join('\n'))
  const sample = ['run', '-b', 'mmlu_pro', '--limit', '5', '-k', '3', '--data', 'sample', '--profile', 'builtin', '--wait', '--json']
  const { code, out, err } = await runBench([...sample, '--response-file', path, '-m', 'first', '-m', 'second'], { BENCH_URL: stack.url })
  expect(code, err.join()).toBe(0)
  const done = out.map((line) => JSON.parse(line)).filter(({ type }) => type === 'done')
  expect(done.map(({ run }) => [run.model_slug, run.status, run.head.done])).toEqual([
    ['first', 'succeeded', 15],
    ['second', 'succeeded', 15],
  ])
  const scores = done.map(({ run }) => run.overall_score)
  expect(scores[0]).toBe(scores[1])
  const answers = (await recordsOf(done[0].run.id)).map(({ epoch, answer }) => answer === 'ABC'[epoch])
  expect(answers).toEqual(answers.map(() => true))
})
