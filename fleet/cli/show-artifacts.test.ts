import { expect, test } from 'vitest'
import { exampleTrial } from '#db/example-run.ts'
import { card } from '#shared/benchmarks/mmlu_pro/card.ts'
import type { Step } from '#shared/contract/transcript.ts'
import { toRunItem } from '#shared/export/run-item.ts'
import { type Answer, exampleRunId, json, openFixtureApi, problem, runBench } from './fixture-api.ts'

const steps: Step[] = Array.from({ length: 3000 }, (_, at) => ({
  type: 'note',
  at_ms: at,
  text: `step ${at} \u001b[31m${'x'.repeat(150)}`,
}))
const file = Buffer.from(`${steps.map((step) => JSON.stringify(step)).join('\n')}\n`)
const url = `/api/runs/${exampleRunId}/artifacts/0/transcript.jsonl`

/** A service with an item whose transcript is a file, which is given as `answer` says. */
async function openService(answer: Answer) {
  const api = await openFixtureApi()
  const ref = {
    name: 'transcript.jsonl',
    kind: 'transcript',
    media_type: 'application/x-ndjson',
    bytes: file.length,
    sha256: 'a'.repeat(64),
  }
  const trial = exampleTrial(0, { artifacts: [ref, { ...ref, name: 'out/a.log', kind: 'log', bytes: 2048 }] })
  const detail = { item: toRunItem(trial), record: trial.record, artifacts: [{ ...ref, url: `${url}?sha256=${ref.sha256}` }], card }
  api.on(`GET /api/runs/${exampleRunId}/items/mmlu_pro/0`, json({ ...detail, previous: null, next: null, epochs: [] }))
  api.on(`GET ${url}`, answer)
  const show = (...more: string[]) => runBench(['show', exampleRunId, 'mmlu_pro', '0', ...more], { BENCH_URL: api.url })
  return { api, show, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() }
}

const inParts: Answer = ({ headers }, response) => {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')!
  response.writeHead(206).end(file.subarray(Number(from), Number(to) + 1))
}

test('[KIT22] an item whose transcript is a file is shown with all its steps, read part by part, and with what its trial left', async () => {
  await using service = await openService(inParts)
  const { code, out } = await service.show()
  const at = out.indexOf('── steps')
  expect([code, out.slice(at + 1).indexOf('')]).toEqual([0, 3000])
  expect(out[at + 3000]).toMatch(/^\+3 s {2}step 2999 x+/)
  expect(out.slice(-3)).toEqual([
    '── left behind',
    `transcript.jsonl  transcript  ${(file.length / 1024).toFixed(1)} KiB`,
    'out/a.log  log  2.0 KiB',
  ])
  expect(service.api.asked.filter(({ path }) => path === url).length).toBeGreaterThan(1)
})

test('[KIT22] a transcript that cannot be had is said so, and the item is shown all the same; JSON asks for none', async () => {
  await using service = await openService(problem(404, 'artifact-not-found', 'Its bytes are not kept any more.'))
  const { code, out, err } = await service.show()
  expect([code, out.includes('── left behind'), out.includes('── steps')]).toEqual([0, true, false])
  expect(err.join()).toContain('The steps cannot be read: It did not work: Its bytes are not kept any more.')
  const asked = service.api.asked.length
  expect((await service.show('--json')).code).toBe(0)
  expect(service.api.asked.length).toBe(asked + 1)
})
