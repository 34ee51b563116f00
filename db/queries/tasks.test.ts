import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunHead, RunStatus } from '#shared/contract/run.ts'
import type { TaskFacts } from '#shared/contract/task-upload.ts'
import { taskStanding } from '#shared/run/task-standing.ts'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { exampleHead, exampleSpec } from '../example-run.ts'
import type { StoredTask } from '../store.ts'
import { selectRegrades } from './runs.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const facts: TaskFacts = {
  ...{ harbor_name: 'word', schema_version: '1.0', description: 'With a NUL\0', category: null, difficulty: null, keywords: [] },
  ...{ instruction: `Write a word. ${'x'.repeat(1000)}`, instruction_cut: false, image: null, compose: false, build_timeout_s: 600 },
  ...{ cpus: null, memory_mb: null, storage_mb: null, network: 'public', reward_strategy: null, files: 5, unpacked_bytes: 400 },
  steps: [{ name: null, agent_timeout_s: null, verifier_timeout_s: 60, has_solution: true, verifier: 'shared' }],
  ...{ not_runnable: [], warnings: [] },
}
const taskOf = (at: number, changes: Partial<StoredTask> = {}): StoredTask => ({
  ...{ id: crypto.randomUUID(), owner_id: 'one', name: `Task ${at}`, archive_name: 'word', original_filename: 'word.zip', size_bytes: 5e9 },
  ...{ sha256: String(at).padStart(64, '0'), checksum: 'd'.repeat(64), facts, model: null, provider: null, agent: 'oracle', num_runs: 3 },
  created_at: new Date(Date.parse('2026-01-02T00:00:00.000Z') + at * 1000).toISOString(),
  ...changes,
})

async function runOf(
  task: StoredTask,
  status: RunStatus,
  minute: number,
  [right, wrong, failed, score_sum]: [number, number, number, number],
) {
  const { store } = database
  const created_at = new Date(Date.parse('2026-01-03T00:00:00.000Z') + minute * 60_000).toISOString()
  const spec = exampleSpec({ created_at }, ['terminal_tasks'])
  const tally = { total: 10, flags: {}, status: 'running' as const, started_at: null, completed_at: null, right, wrong, failed, score_sum }
  const ended = !['queued', 'running', 'paused'].includes(status)
  const head: RunHead = exampleHead(spec, {
    ...{ status, total: 10, benchmarks: { terminal_tasks: tally }, started_at: created_at },
    completed_at: ended ? new Date(Date.parse(created_at) + 30_000).toISOString() : null,
  })
  await store.createRun(spec, head, null, null, undefined, undefined, null, task.id)
  return { spec, head }
}

test('[TASK5] the record counts a task’s runs as the service does, and lists tasks of an owner by where they stand', async () => {
  const { store } = database
  const [none, open, done, failed] = [taskOf(1), taskOf(2), taskOf(3, { owner_id: 'two' }), taskOf(4)]
  for (const task of [none, open, done, failed]) await store.createTask(task)
  const runs = {
    [open.id]: [await runOf(open, 'succeeded', 0, [6, 4, 0, 7.5]), await runOf(open, 'running', 1, [1, 0, 1, 1])],
    [done.id]: [await runOf(done, 'failed', 2, [0, 0, 10, 0]), await runOf(done, 'incomplete', 3, [8, 1, 1, 8])],
    [failed.id]: [await runOf(failed, 'failed', 4, [0, 0, 10, 0])],
  }
  for (const task of [none, open, done, failed]) {
    const found = (await store.findTask(task.id))!
    expect(found.task).toEqual({ ...task, facts: { ...facts, description: found.task.facts.description } })
    const heads = (runs[task.id] ?? []).map(({ head }) => head).toReversed()
    expect(found.standing).toEqual(taskStanding(heads))
    expect((await store.listTaskRuns(task.id, 100)).map(({ spec }) => spec.run_id)).toEqual(heads.map(({ run_id }) => run_id))
  }
  const listed = async (owner_id: string | null, status?: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled') => {
    const { tasks, total } = await store.listTasks({ owners: owner_id === null ? null : [owner_id], status, skip: 0, limit: 10 })
    return [total, ...tasks.map(({ task }) => task.name)]
  }
  expect(await listed('one')).toEqual([3, 'Task 4', 'Task 2', 'Task 1'])
  expect(await listed(null)).toEqual([4, 'Task 4', 'Task 3', 'Task 2', 'Task 1'])
  expect([await listed('one', 'running'), await listed(null, 'completed'), await listed('two', 'pending')]).toEqual([
    [1, 'Task 2'],
    [1, 'Task 3'],
    [0],
  ])
  const second = await store.listTasks({ owners: null, skip: 1, limit: 1 })
  expect([second.total, second.tasks[0]!.task.name, second.tasks[0]!.task.facts.instruction.length]).toEqual([4, 'Task 3', 400])
  expect(await store.countTasks(['one'])).toEqual({
    tasks: { pending: 1, running: 1, completed: 0, failed: 1, cancelled: 0 },
    episodes: { total: 30, passed: 7, failed: 4, errors: 11 },
  })
})

test('[TASK8] a task with an open run stays; else it goes and its runs stay, and its bytes are nobody’s only when no other task has them', async () => {
  const { store } = database
  const [task, twin] = [taskOf(10, { owner_id: 'three' }), taskOf(11, { owner_id: 'four', sha256: taskOf(10).sha256 })]
  for (const one of [task, twin]) await store.createTask(one)
  const open = await runOf(task, 'running', 10, [0, 0, 0, 0])
  expect(await store.deleteTask(task.id)).toBe(false)
  const ended: RunHead = { ...open.head, seq: 2, status: 'canceled', completed_at: '2026-01-03T05:00:00.000Z' }
  await store.drain({ run_id: open.spec.run_id, trials: [], openings: [], events: [], head: ended })
  expect((await store.findTask(task.id))!.standing.status).toBe('cancelled')
  expect([await store.deleteTask(task.id), await store.deleteTask(task.id), await store.findTask(task.id)]).toEqual([
    true,
    false,
    undefined,
  ])
  expect((await store.findRun(open.spec.run_id))!.head.status).toBe('canceled')
  expect(await store.listUnnamedArchives([task.sha256, 'f'.repeat(64)])).toEqual(['f'.repeat(64)])
  await store.deleteTask(twin.id)
  expect(await store.listUnnamedArchives([task.sha256])).toEqual([task.sha256])
  expect([await store.findTask('no id'), await store.deleteTask('no id'), await store.listTaskRuns('x', 1)]).toEqual([undefined, false, []])
})

test('[API203] the newest run of each task is read at once, and the newest task of an owner under a name', async () => {
  const { store } = database
  const [none, two, one] = [taskOf(20), taskOf(21, { archive_name: 'other' }), taskOf(22, { archive_name: 'other', owner_id: 'third' })]
  for (const task of [none, two, one]) await store.createTask(task)
  await runOf(two, 'succeeded', 20, [6, 4, 0, 7.5])
  const newest = await runOf(two, 'running', 21, [1, 0, 1, 1])
  const only = await runOf(one, 'failed', 22, [0, 0, 10, 0])
  const latest = await store.listLatestRuns([none.id, two.id, one.id])
  expect(new Map(latest.map(({ task_id, spec, head }) => [task_id, [spec.run_id, head.status]]))).toEqual(
    new Map([
      [two.id, [newest.spec.run_id, 'running']],
      [one.id, [only.spec.run_id, 'failed']],
    ]),
  )
  const later = taskOf(23, { archive_name: 'other' })
  await store.createTask(later)
  expect((await store.findNewestTask('one', 'other'))?.id).toBe(later.id)
  expect((await store.findNewestTask('third', 'other'))?.id).toBe(one.id)
  expect(await store.findNewestTask('third', 'word')).toBeUndefined()
})

test('[API200] runs that grade the episodes of one again are found by its owner, newest first', async () => {
  const { store } = database
  const graded = exampleSpec({}, ['terminal_tasks'])
  const again = (minute: number, owner_id = graded.owner_id) => {
    const created_at = new Date(Date.parse('2026-01-04T00:00:00.000Z') + minute * 60_000).toISOString()
    const regrade = { run_id: graded.run_id, provider: 'p', trials: 2 }
    return { ...exampleSpec({ created_at, owner_id }, ['terminal_tasks']), regrade }
  }
  const specs = [graded, again(0), again(1), again(2, 'stranger')]
  for (const spec of specs) await store.createRun(spec, exampleHead(spec, {}), null)
  const found = await store.listRegrades(graded, 50)
  expect(found.map(({ spec }) => spec.run_id)).toEqual([specs[2]!.run_id, specs[1]!.run_id])
  expect((await store.listRegrades(graded, 1)).length).toBe(1)
})

test('[DB131] runs that grade another again are found by an index, however many runs their owner has', async () => {
  const { db, store } = database
  const graded = exampleSpec({ owner_id: 'busy' }, ['terminal_tasks'])
  const again = { ...exampleSpec({ owner_id: 'busy' }, ['terminal_tasks']), regrade: { run_id: graded.run_id, provider: 'p', trials: 2 } }
  for (const spec of [graded, again]) await store.createRun(spec, exampleHead(spec, {}), null)
  await db.execute(sql`
    insert into runs (id, owner_id, visibility, status, model_id, model_slug, provider, seq, created_at, spec, head)
    select gen_random_uuid(), owner_id, visibility, status, model_id, model_slug, provider, seq, created_at, spec, head
    from runs, generate_series(1, 2000) where id = ${graded.run_id}`)
  await db.execute(sql`analyze runs`)
  const { rows } = await db.execute(sql`explain ${selectRegrades(db, graded, 50).getSQL()}`)
  expect(JSON.stringify(rows)).toContain('runs_regrades')
  expect((await store.listRegrades(graded, 50)).map(({ spec }) => spec.run_id)).toEqual([again.run_id])
})
