import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { datasetEnv } from '#fleet/dataset/dataset-env.ts'
import { openDataset } from '#fleet/dataset/open-dataset.ts'
import { benchmarksDir } from '#fleet/program.ts'
import { createBubblewrap } from '#fleet/sandbox/bubblewrap/open-bubblewrap.ts'
import { findControlGroups } from '#fleet/sandbox/cgroup/control-groups.ts'
import { type CardName, cards } from '#shared/benchmarks/cards.ts'
import { openTask, type Task } from '#shared/benchmarks/task.ts'
import { tasks } from '#shared/benchmarks/tasks.ts'
import type { Profile } from '#shared/contract/card.ts'
import type { Item } from '#shared/contract/item.ts'
import { evenStream } from '#shared/janus/testing/exchanged.ts'
import { pinnedData } from '#shared/run/data-choice.ts'
import { noTables } from '#shared/scorers/tables.ts'
import type { AskRequest, Completion, Kit } from '#shared/solvers/kit.ts'
import { said } from '#shared/solvers/testing/said.ts'
import { scriptedKit } from '#shared/solvers/testing/scripted-kit.ts'
import { positions } from '#shared/testing/draws.ts'
import { type DemoKnowledge, demoAnswers } from './demo-answers.ts'
import { type DemoTalk, demoDraw, demoRightShare, planDemo } from './demo-reply.ts'

const cacheDir = mkdtempSync(join(tmpdir(), 'bench-demo-'))
const nowhere = 'http://127.0.0.1:9'
const env = datasetEnv(
  { HF_ENDPOINT: nowhere, GITHUB_RAW_ENDPOINT: nowhere, GITHUB_ARCHIVE_ENDPOINT: nowhere },
  { cacheDir, benchmarksDir },
)
const groups = await findControlGroups()
const unable = spawnSync('bwrap', ['--version']).status !== 0 || 'missing' in groups ? 'programs are not run without bubblewrap' : false
const bubblewrap = await createBubblewrap('bwrap', groups)
const exchanges = cards.filter(({ evidence }) => evidence === 'exchange').map(({ name }) => name as CardName)
let answerFor: DemoKnowledge
beforeAll(async () => {
  answerFor = await demoAnswers(env, exchanges)
})
afterAll(() => {
  bubblewrap.close()
  rmSync(cacheDir, { recursive: true })
})

/** A turn as it comes from the demo model's server: its pieces within 0.6 s, the first after a third of that. */
function completionOf({ turn }: DemoTalk): Completion {
  const { output_tokens } = planDemo(turn.text, turn.text, 600, null)
  const span_ms = output_tokens > 1 ? 400 : 0
  const content = output_tokens > 1 ? { ...evenStream.content!, span_ms, mean_ms: span_ms / (output_tokens - 1) } : null
  const times = { first_token_ms: 200, first_content_ms: 200, last_token_ms: 200 + span_ms, duration_ms: 620 }
  const counts = { chunks: output_tokens, content_chunks: output_tokens, token_chunks: output_tokens }
  return {
    ...said(turn.text),
    tool_calls: turn.calls.map((call, index) => ({ ...call, id: `call_${index}` })),
    usage: { input_tokens: 20, output_tokens, cached_tokens: 0, reasoning_tokens: 0 },
    ...{ latency_ms: 620, ttft_ms: 200, max_gap_ms: 200, stream: { ...evenStream, ...times, ...counts, content } },
  }
}

/** What comes of an item whose model says what `turnFor` gives. */
async function play(task: Task, profile: Profile, item: Item, hidden: unknown, turnFor: (request: AskRequest) => DemoTalk) {
  await using closed = new AsyncDisposableStack()
  const sandbox: Kit['sandbox'] = async (spec) => {
    const box = await bubblewrap.open(spec, new AbortController().signal)
    if (box.ok) closed.use(box.value)
    return box
  }
  const roles = profile.roles?.judge ? { judge: { model: 'demo' } } : {}
  const judge = ({ messages }: AskRequest) => (answerFor(messages.at(-1)!.content) as { reply?: string }).reply
  const scripted = scriptedKit({ model: (request) => completionOf(turnFor(request)), judge }, roles)
  const solved = await task.solver(profile.id, {})(item, { ...scripted, sandbox, hidden: async () => ({ ok: true, value: hidden }) })
  if (!solved.ok) throw new Error(solved.failure.detail)
  return { outcome: task.score(item, solved.value, profile.id, noTables).outcome, evidence: solved.value }
}

test.for(exchanges)(
  '[CLI19] the demo model can answer every item drawn of %s rightly and wrongly, calling the tools that it is offered',
  { timeout: 120_000 },
  async (name, context) => {
    const task = await tasks[name]()
    context.skip(task.card.needs.sandbox !== null && unable !== false, String(unable))
    for (const profile of task.card.profiles) {
      const opened = await openDataset({ benchmark: name, identity: pinnedData(task.card), roles: profile.files }, env)
      if (!opened.ok) throw new Error(opened.failure.detail)
      const items = await openTask(task, { profile, texts: {}, rows: opened.value.rows })
      const played = positions(items.count, 3)
      let expectedRight = 0
      for (let index = 0; index < items.count; index += 1) {
        const item = await items.item(index, 0)
        const expected = demoDraw(item.item_hash, 'right') < demoRightShare ? 'right' : 'wrong'
        if (expected === 'right') expectedRight += 1
        if (!played.includes(index)) continue
        const [hidden, solution] = [await items.hidden!(index), await items.solution!(index)]
        const calls = task.demoCalls!(item, solution)
        const offered = (request: AskRequest) => (request.tools ?? []).map((tool) => tool.name)
        const right = await play(task, profile, item, hidden, (request) => {
          const again = request.messages.at(-1)!.role === 'tool'
          return {
            turn: { text: task.demo(item, true, solution), calls: again ? [] : calls.filter((one) => offered(request).includes(one.name)) },
          }
        })
        const wrong = await play(task, profile, item, hidden, () => ({ turn: { text: task.demo(item, false), calls: [] } }))
        const drawn = await play(task, profile, item, hidden, (request) => {
          const seen = request.messages.map(({ role, content, pictures = [] }) => {
            return { role, content, pictures: pictures.flatMap(({ data }) => data ?? []) }
          })
          return answerFor(seen.findLast(({ role }) => role === 'user')!.content, seen, offered(request)) as DemoTalk
        })
        expect([item.source_id, right.outcome, wrong.outcome, drawn.outcome]).toEqual([item.source_id, 'right', 'wrong', expected])
        if (!profile.id.startsWith('janus-v2') || calls.length === 0 || drawn.outcome === 'wrong') continue
        const made = drawn.evidence.kind === 'exchange' ? drawn.evidence.turns : []
        expect(made.map(({ tool_calls }) => tool_calls.map((call) => [call.name, call.is_error]))).toEqual([
          calls.map((call) => [call.name, false]),
          [],
        ])
      }
      // The share of other benchmarks: 0.7, within what chance does to so few.
      expect(Math.abs(expectedRight / items.count - demoRightShare)).toBeLessThan(3 * Math.sqrt(0.21 / items.count))
    }
  },
)
