import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { datasetEnv } from '#fleet/dataset/dataset-env.ts'
import { openDataset } from '#fleet/dataset/open-dataset.ts'
import { sampleIdentities } from '#fleet/dataset/sample-identities.ts'
import { createBubblewrap } from '#fleet/sandbox/bubblewrap/open-bubblewrap.ts'
import { findControlGroups } from '#fleet/sandbox/cgroup/control-groups.ts'
import { type CardName, cards } from '#shared/benchmarks/cards.ts'
import { scoreUnlessMissing } from '#shared/benchmarks/fingerprint.ts'
import { openTask } from '#shared/benchmarks/task.ts'
import { tasks } from '#shared/benchmarks/tasks.ts'
import type { Item } from '#shared/contract/item.ts'
import { noTables } from '#shared/scorers/tables.ts'
import type { AskRequest, Kit } from '#shared/solvers/kit.ts'
import { scriptedKit } from '#shared/solvers/testing/scripted-kit.ts'
import { positions } from '#shared/testing/draws.ts'
import { demoAnswers, sayTo } from './demo-answers.ts'

const benchmarksDir = resolve(import.meta.dirname, '..', '..', 'shared', 'benchmarks')
const cacheDir = mkdtempSync(join(tmpdir(), 'bench-demo-'))
const nowhere = 'http://127.0.0.1:9'
const env = datasetEnv(
  { HF_ENDPOINT: nowhere, GITHUB_RAW_ENDPOINT: nowhere, GITHUB_ARCHIVE_ENDPOINT: nowhere },
  { cacheDir, benchmarksDir },
)
let answerFor: Awaited<ReturnType<typeof demoAnswers>>
beforeAll(async () => {
  answerFor = await demoAnswers(env)
})
const groups = await findControlGroups()
const unable = spawnSync('bwrap', ['--version']).status !== 0 || 'missing' in groups ? 'programs are not tested without bubblewrap' : false
const bubblewrap = await createBubblewrap('bwrap', groups)
afterAll(() => {
  bubblewrap.close()
  rmSync(cacheDir, { recursive: true })
})

/** Their programs take long: `fleet/sandbox/scicode.test.ts` and `prove/cheats/code-tasks.test.ts` run some of them. */
const slow: readonly CardName[] = ['scicode', 'code_tasks']
/** What is done at a terminal shows in a machine only: `fleet/machine` has tests of that. */
const atTerminals = cards.filter(({ needs }) => needs.sandbox?.kinds.includes('machine')).map(({ name }) => name as CardName)
/** Dialogues are played through in `fleet/dialogue-run.test.ts`. */
const dialogues = cards.filter(({ evidence }) => evidence === 'dialogue').map(({ name }) => name as CardName)

/** Exchanges are played through in `demo-exchanges.test.ts`. */
const exchanges = cards.filter(({ evidence }) => evidence === 'exchange').map(({ name }) => name as CardName)

test.for(cards.map(({ name }) => name as CardName).filter((name) => ![...slow, ...atTerminals, ...dialogues, ...exchanges].includes(name)))(
  '[CLI19] the demo model can answer every item drawn of the sample of %s rightly and wrongly',
  { timeout: 120_000 },
  async (name, context) => {
    const task = await tasks[name]()
    context.skip(task.card.needs.sandbox !== null && unable !== false, String(unable))
    const profile = task.card.profiles.find((each) => each.id === 'builtin')!
    const identity = (await sampleIdentities(benchmarksDir))[name]!
    const opened = await openDataset({ benchmark: name, identity, roles: profile.files, columns: task.columns }, env)
    if (!opened.ok) throw new Error(opened.failure.detail)
    const items = await openTask(task, { profile, texts: {}, rows: opened.value.rows })
    const judge = ({ messages }: AskRequest) => {
      const said = answerFor(messages.at(-1)!.content)
      return said && 'reply' in said ? said.reply : undefined
    }
    const outcome = async (item: Item, text: string) => {
      await using closed = new AsyncDisposableStack()
      const sandbox: Kit['sandbox'] = async (spec) => {
        const box = await bubblewrap.open(spec, new AbortController().signal)
        if (box.ok) closed.use(box.value)
        return box
      }
      const hidden: Kit['hidden'] = async () => ({ ok: true, value: (await items.hidden?.(Number(item.item_id))) ?? null })
      const kit = { ...scriptedKit({ model: [text], judge }, { judge: { model: 'demo' } }), sandbox, hidden }
      const solved = await task.solver(profile.id, {})(item, kit)
      if (!solved.ok) return solved.failure.detail
      return scoreUnlessMissing(task, item, { evidence: solved.value, profile: profile.id }, noTables)?.outcome
    }
    for (const index of positions(items.count, 3)) {
      const item = await items.item(index, index % 4)
      const known = answerFor(item.messages.at(-1)!.content)
      const answers = known && 'right' in known ? known : undefined
      // Items that need a table are scored where the tables are (`fleet/dataset/scored-with-tables.test.ts`).
      const found = answers && [(await outcome(item, answers.right)) ?? 'right', (await outcome(item, answers.wrong)) ?? 'wrong']
      expect([index, found]).toEqual([index, ['right', 'wrong']])
    }
  },
)

test('[CLI19] a question in another wording is recognised, an unknown one is not', async () => {
  const identity = (await sampleIdentities(benchmarksDir)).mmlu_pro!
  const opened = await openDataset({ benchmark: 'mmlu_pro', identity, roles: ['test'] }, env)
  if (!opened.ok) throw new Error(opened.failure.detail)
  const { question } = (await opened.value.rows.test!.read(0)) as { question: string }
  expect(answerFor(`Please tell me: ${question} Think well.`)).toBeDefined()
  expect(answerFor('What is the airspeed of an unladen swallow?')).toBeUndefined()
  await opened.value.close()
})

test('[MODEL63] asked to judge an answer of its own, the demo model gives the verdict that belongs to it, word by word', () => {
  const task = {
    demo: (_item: unknown, right: boolean) => (right ? 'It is Beta.' : 'It is Alpha.'),
    demoVerdict: (_item: unknown, right: boolean) => `${right}`,
  }
  const item = { metadata: {} } as Item // neither of the two reads it
  expect(sayTo('Who? They said: It is Beta. Right?', { task, item })).toEqual({ reply: 'true' })
  expect(sayTo('Who? They said: It is Alpha. Right?', { task, item })).toEqual({ reply: 'false' })
  const answers = { right: 'It is Beta.', wrong: 'It is Alpha.' }
  expect(sayTo('Who?', { task, item })).toEqual(answers)
  expect(sayTo('It is Beta.', { task: { demo: task.demo }, item })).toEqual(answers)
})

test('[CLI19] no file stays open of what the answers were learned from', async () => {
  const cacheDir = mkdtempSync(join(tmpdir(), 'bench-demo-'))
  onTestFinished(() => rmSync(cacheDir, { recursive: true }))
  await demoAnswers({ ...env, cacheDir })
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    const path = join('/proc/self/fd', fd)
    return existsSync(path) ? [readlinkSync(path)] : []
  })
  expect(open.filter((path) => path.startsWith(cacheDir))).toEqual([])
})
