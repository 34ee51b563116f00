import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sha256Hex } from '#sha256'
import { openTask } from '#shared/benchmarks/task.ts'
import { card } from '#shared/benchmarks/tau2_bench_telecom/card.ts'
import { domainOf } from '#shared/benchmarks/tau2_bench_telecom/domain-of.ts'
import telecom from '#shared/benchmarks/tau2_bench_telecom/task.ts'
import type { Turn } from '#shared/contract/evidence/dialogue.ts'
import type { Item } from '#shared/contract/item.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { demoDialogue } from '#shared/tau2/demo-dialogue.ts'
import { evaluate } from '#shared/tau2/evaluate.ts'
import { dialogueFacts, factsIn } from '#shared/tau2/facts.ts'
import { officialUser } from '#shared/tau2/prompts.ts'
import { scoreDialogue } from '#shared/tau2/score-dialogue.ts'
import { TauTask } from '#shared/tau2/tau-task.ts'
import type { Domain } from '#shared/tau2/world.ts'
import { runBench } from '../cli/fixture-api.ts'
import { startDemoModel } from '../model/demo-server.ts'
import { datasetEnv } from './dataset-env.ts'
import { openDataset } from './open-dataset.ts'
import { openTexts } from './open-texts.ts'

/** A checkout of tau2-bench at the pinned revision, and hashes of prompts that its code rendered. */
const checkout = process.env.BENCH_TAU2
const hashes = join(process.env.BENCH_SHARED ?? resolve(import.meta.dirname, '../../../shared'), 'golden/tau2/prompt_hashes.json')
const absent = (!checkout || !existsSync(hashes)) && `BENCH_TAU2 names no checkout of tau2-bench, or there is no ${hashes}`
if (absent) console.info(`skipped: ${absent}`)

const folder = mkdtempSync(join(tmpdir(), 'bench-tau2-'))
afterAll(() => rmSync(folder, { recursive: true }))
const nowhere = 'http://127.0.0.1:9'
const surroundings = { BENCH_DATA_DIR: join(folder, 'mirror'), HF_ENDPOINT: nowhere, GITHUB_RAW_ENDPOINT: nowhere }
const profile = card.profiles[0]!
let texts: Record<string, string>
let items: Item[]
let domain: Domain

/** The pinned files as a mirror has them: of the checkout only those that the card names. */
function layMirror(): void {
  const paths = [...card.data.files, ...profile.texts].map(({ path }) => path)
  for (const path of new Set(paths)) {
    const to = join(surroundings.BENCH_DATA_DIR, card.data.repo, path)
    mkdirSync(join(to, '..'), { recursive: true })
    writeFileSync(to, readFileSync(join(checkout!, path)))
  }
}

beforeAll(async () => {
  if (absent) return
  layMirror()
  const env = datasetEnv(surroundings, {
    cacheDir: join(folder, 'cache'),
    benchmarksDir: resolve(import.meta.dirname, '../../shared/benchmarks'),
  })
  const [opened, read] = await Promise.all([
    openDataset({ benchmark: card.name, identity: { source: 'pinned', ...card.data }, roles: profile.files }, env),
    openTexts(profile, env),
  ])
  if (!opened.ok || !read.ok) throw new Error(JSON.stringify([opened, read]))
  texts = read.value
  const source = await openTask(telecom, { profile, texts, rows: opened.value.rows })
  items = await Promise.all(Array.from({ length: source.count }, (_, index) => source.item(index, 0)))
  domain = domainOf(profile.id, texts)(await source.hidden?.(0))
  await opened.value.close()
}, 60_000)

test.skipIf(absent)('[TAU37] the pinned files give the 114 tasks of the split, and every official prompt to the byte', () => {
  const golden = JSON.parse(readFileSync(hashes, 'utf8'))
  expect([items.length, new Set(items.map(({ group }) => group)).size]).toEqual([114, 3])
  expect(items.map(({ group }) => group).filter((group) => group === 'mms')).toHaveLength(49)
  expect(new Set(items.map(({ messages }) => sha256Hex(messages[0]!.content)))).toEqual(new Set([golden.agent_system_prompt_sha256]))
  const prompts = items.map((item) => [item.source_id, sha256Hex(officialUser(texts, factsIn(item).scenario))])
  expect(prompts).toEqual(items.map(({ source_id }) => [source_id, golden.user[source_id!].sha256]))
})

test.skipIf(absent)(
  '[TAU37] the official calls of all 114 tasks earn a reward of 1 from the evaluation, and no call earns it where none was made',
  () => {
    const rewards = items.map((item) => {
      const facts = factsIn(item)
      const world = domain.open()
      world.prepare(facts.begins)
      const turns = facts.actions.flatMap(({ party, name, args }, at): Turn[] => {
        const answer = world.respond({ party, name, arguments: args })
        const call = { id: String(at), name, arguments: args }
        return [
          { type: 'said', party, text: '', calls: [call] },
          { type: 'result', party, call_id: call.id, name, ...answer, changes: [] },
        ]
      })
      const scored = (played: Turn[]) => {
        const assertions = evaluate(domain.open(), facts, played)
        const answer = { text: '', reasoning: null, finish_reason: 'stop', scoring_input: null, truncated_reasoning: false }
        const told = { steps: played.length, errors: 0, most: { steps: 200, errors: 10 }, broken: [] }
        return scoreDialogue(item, { kind: 'dialogue', ...answer, ...told, turns: played, end: 'user-stop', assertions }).value
      }
      return [scored(turns), scored([])]
    })
    expect(rewards).toEqual(Array(114).fill([1, 0]))
  },
)

/** The tasks of the split with a number in what the user knows, by which a stub tells them apart: many begin with the same words. */
function numberedTasks(): { path: string; facts: ReturnType<typeof dialogueFacts>[] } {
  const tasks: TauTask[] = JSON.parse(readFileSync(join(checkout!, card.data.files[0]!.path), 'utf8'))
  const wanted = new Set(items.map(({ source_id }) => source_id))
  const own = tasks.filter(({ id }) => wanted.has(id))
  own.forEach(({ user_scenario: { instructions } }, at) => {
    instructions.known_info = `${instructions.known_info} Your case is ${at}.`
  })
  const path = join(folder, 'tasks.json')
  writeFileSync(path, JSON.stringify(own))
  return { path, facts: own.map((one) => dialogueFacts(TauTask.parse(one), 626729)) }
}

async function runAll(right: boolean): Promise<{ head: unknown; records: TrialRecord[] }> {
  const { path, facts } = numberedTasks()
  const answerFor = (_prompt: string, messages: readonly { role: string; content: string }[]) => {
    const [, number] = /Your case is (\d+)\./.exec(messages.map(({ content }) => content).join('\n')) ?? []
    const turn = demoDialogue(facts[Number(number)]!, right, messages as Parameters<typeof demoDialogue>[2])
    return turn && { turn }
  }
  const server = await startDemoModel({ port: 0, answerFor, latencyMs: 0 })
  try {
    const [, ...others] = card.data.files
    const files = [{ role: 'test', path }, ...others.map(({ role, path: own }) => ({ role, path: join(checkout!, own) }))]
    const env = {
      ...surroundings,
      BENCH_DATA: join(folder, 'data'),
      OPENAI_BASE_URL: server.url,
      OPENAI_MODELS: 'stub,gpt-4.1-2025-04-14',
      BENCH_DATA_OVERRIDES: JSON.stringify({ [card.name]: { files } }),
    }
    const asked = ['run', '--local', '-b', card.name, '-m', 'stub', '--data', 'override', '--epochs', '1', '--json', '--concurrency', '8']
    const { code, out, err } = await runBench([...asked, '--out', join(folder, `out-${right}`)], env)
    if (code !== 0) throw new Error(err.join('\n'))
    const { head, dir } = JSON.parse(out.at(-1)!)
    const lines = readFileSync(join(dir, 'records.jsonl'), 'utf8').split('\n').filter(Boolean)
    return { head, records: lines.map((line) => JSON.parse(line)) } // the agent wrote it as such lines
  } finally {
    await server.close()
  }
}

test.skipIf(absent).each([
  [true, 'that solves every task is rewarded for each of them'],
  [false, 'that gives up is rewarded for none'],
])('[TAU37] 114 official dialogues with stubs, through the agent and over HTTP (%s): a model %s', { timeout: 240_000 }, async (right) => {
  const { head, records } = await runAll(right)
  expect(head).toMatchObject({ status: 'succeeded', done: 114, failures: {} })
  expect(records.map(({ score, evidence }) => [score, evidence?.kind === 'dialogue' && evidence.end])).toEqual(
    Array(114).fill([right ? 1 : 0, 'user-stop']),
  )
  const played = records.map(({ roles, calls }) => [roles?.user?.model, calls > 0, (roles?.user?.calls ?? 0) > 1])
  expect(played).toEqual(Array(114).fill(['gpt-4.1-2025-04-14', true, true]))
})
