import { afterEach, beforeEach, expect, test } from 'vitest'
import { exampleCard, exampleTrials } from '#edge/testing/example-records.ts'
import type { LiveMessage } from '#shared/contract/live.ts'
import { toRunItem } from '#shared/export/run-item.ts'
import { delta, note } from '#shared/run/testing/live-entries.ts'
import { exampleRun, exampleRunId, type FixtureApi, json, openFixtureApi, problem, runBench } from './fixture-api.ts'

let api: FixtureApi
beforeEach(async () => {
  api = await openFixtureApi()
  api.on(`GET /api/runs/${exampleRunId}`, json(exampleRun('running')))
})
afterEach(() => api[Symbol.asyncDispose]())

const path = `GET /api/runs/${exampleRunId}/items/mmlu_pro/0`
const [trial] = exampleTrials()
const detail = {
  item: toRunItem(trial!),
  record: trial!.record,
  card: exampleCard({ name: 'mmlu_pro' }),
  previous: null,
  next: null,
  epochs: [],
}
const streamOf = (...messages: LiveMessage[]): string => messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join('')
const follow = (...more: string[]) => runBench(['show', exampleRunId, 'mmlu_pro', '0', '--follow', ...more], { BENCH_URL: api.url })
/** The item has its record once its stream has ended. */
function answers(...streams: string[]) {
  let told = 0
  api.on(path, (asked, response, count) =>
    (told < streams.length ? problem(404, 'item-not-found', 'not yet') : json(detail))(asked, response, count),
  )
  api.on(`${path}/live`, (asked, response) => {
    expect(asked.query.get('epoch')).toBe('0')
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streams[told++])
  })
}

test('[LIVE12] bench show --follow writes an answer line by line as it grows, over broken streams, once, and then the record', async () => {
  answers(
    streamOf(
      { type: 'waiting', why: 'not-begun' },
      { type: 'reset', attempt: 1, gap: false, entries: [delta(1, 0, 'hm', 'reasoning')] },
      { type: 'entries', entries: [delta(1, 0, 'It is\nclearly'), { type: 'progress', text: 'turn 1' }] },
    ),
    streamOf(
      {
        type: 'reset',
        attempt: 1,
        gap: false,
        entries: [delta(1, 0, 'hm', 'reasoning'), delta(1, 0, 'It is\nclearly B'), { type: 'progress', text: 'turn 1' }],
      },
      { type: 'entries', entries: [delta(1, 15, '.\u001b[2J'), note(0, 'said', 1), delta(2, 0, 'more')] },
      { type: 'reset', attempt: 2, gap: false, entries: [delta(1, 90, 'the end\n')] },
      { type: 'done' },
    ),
  )
  const { code, out, err } = await follow()
  expect(code).toBe(0)
  expect(out.slice(0, 12)).toEqual([
    '── Model, call 1, reasoning',
    'hm',
    '── Model, call 1',
    'It is',
    'clearly B.',
    '── said',
    '── Model, call 2',
    'more',
    '── Model, call 1',
    '[90 characters left out]',
    'the end',
    'right  B → expected B',
  ])
  expect(err).toEqual([expect.stringContaining('not begun yet'), 'turn 1', 'It is begun anew: attempt 2.'])
})

test('[LIVE12] an item with a record is shown at once; what ends without one, or may not be watched, is an error', async () => {
  api.on(path, json(detail))
  expect((await follow()).out.join('\n')).toContain('mmlu_pro')
  expect(api.asked.some((one) => one.path.endsWith('/live'))).toBe(false)
  api.on(path, problem(404, 'item-not-found', 'not yet'))
  api.on(`${path}/live`, problem(403, 'forbidden', 'The items are gated.'))
  expect(await follow()).toMatchObject({ code: 1, err: [expect.stringContaining('gated')] })
  api.on(`${path}/live`, (_, response) => response.writeHead(200).end(streamOf({ type: 'done' })))
  const ended = await follow('--json')
  expect([ended.code, ended.out[0], ended.pauses.length]).toEqual([1, '{"type":"done"}', 30])
})
