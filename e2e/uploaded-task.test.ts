import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runBench } from '#fleet/cli/fixture-api.ts'
import { ensureMachineImage, machineImage } from '#fleet/machine/testing/machine-image.ts'
import type { Run } from '#shared/contract/api.ts'
import { type EpisodeLogs, TaskExecuted, UploadedTask, UploadedTaskDetail } from '#shared/contract/task-upload.ts'
import { filesOf, TaskRow } from '#shared/episode/task-row.ts'
import { writeTaskZip } from '#shared/harbor/write-task-zip.ts'
import { call, untilEnded, untilRecorded } from './call-api.ts'
import { type SharedStack, sharedStack } from './shared-stack.ts'
import { newDataDir, root } from './stack.ts'

const absent = existsSync('/var/run/docker.sock') ? await ensureMachineImage() : 'Docker does not run here'
const dir = newDataDir()
let stack: SharedStack

afterAll(() => dir.remove())
beforeAll(async () => {
  if (absent === null) stack = await sharedStack()
})

/** An example of the program as its author would pack it, on an image that needs no registry. */
async function packed(name: string): Promise<Blob> {
  const lines = readFileSync(join(root, 'shared/benchmarks/terminal_tasks/tasks.jsonl'), 'utf8').trim().split('\n')
  const row = lines.map((line) => TaskRow.parse(JSON.parse(line))).find(({ task }) => task === name)!
  const files = filesOf(row).map((file) => {
    const text = new TextDecoder().decode(file.bytes)
    const bytes = new TextEncoder().encode(
      text.replace(/^FROM .*/, `FROM ${machineImage}`).replace('network_mode = "public"', 'network_mode = "no-network"'),
    )
    const own = file.path === 'environment/Dockerfile' || file.path === 'task.toml'
    return { ...file, path: `${name}/${file.path}`, bytes: own ? bytes : file.bytes }
  })
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of writeTaskZip(files)) pieces.push(piece)
  return new Blob(pieces)
}

test('[TASK11] a task that is uploaded runs in machines of an agent: its solution gets 1, doing nothing 0, and the export verifies', async (context) => {
  context.skip(absent !== null, String(absent))
  const form = new FormData()
  form.set('file', await packed('count-lines'), 'count-lines.zip')
  form.set('agent', 'oracle')
  form.set('num_runs', '2')
  const made = await fetch(`${stack.url}/api/tasks`, { method: 'POST', body: form })
  const task = UploadedTask.parse(await made.json())
  expect([made.status, task.status, task.runnable]).toEqual([200, 'pending', true])
  const runs: Run[] = []
  for (const body of [undefined, { agent: 'nop', num_runs: 1 }]) {
    const { run_id } = TaskExecuted.parse(await (await call(stack.url, 'POST', `/api/tasks/${task.id}/execute-async`, { body })).json())
    runs.push(await untilRecorded(stack.url, (await untilEnded(stack.url, run_id)).id))
  }
  expect(runs.map(({ status, head }) => [status, head.benchmarks.terminal_tasks!.right, head.benchmarks.terminal_tasks!.wrong])).toEqual([
    ['succeeded', 2, 0],
    ['succeeded', 0, 1],
  ])
  const detail = await vi.waitFor(
    async () => {
      const read = UploadedTaskDetail.parse(await (await call(stack.url, 'GET', `/api/tasks/${task.id}`)).json())
      expect(read.status).toBe('completed')
      return read
    },
    { timeout: 30_000, interval: 200 },
  )
  expect(detail.runs.map(({ run_number, status, reward, agent }) => [run_number, status, reward, agent])).toEqual([
    [1, 'passed', 1, 'oracle'],
    [2, 'passed', 1, 'oracle'],
    [3, 'failed', 0, 'nop'],
  ])
  expect(detail).toMatchObject({ total_runs: 3, passed_runs: 2, failed_runs: 1 })
  const logs = (await (await call(stack.url, 'GET', `/api/tasks/${task.id}/runs/${detail.runs[0]!.id}/logs`)).json()) as EpisodeLogs
  expect(logs.artifacts.length).toBeGreaterThan(0)
  expect((await fetch(stack.url + logs.artifacts[0]!.url!)).status).toBe(200)
  const zip = join(dir.path, 'task.zip')
  writeFileSync(zip, new Uint8Array(await (await call(stack.url, 'GET', `/api/runs/${runs[0]!.id}/export?format=zip`)).arrayBuffer()))
  const { public_key } = (await (await call(stack.url, 'GET', '/api/exports/public-key')).json()) as { public_key: string }
  const verified = await runBench(['verify', zip, '--key', public_key, '--json'])
  expect(verified.code, verified.err.join()).toBe(0)
  expect(JSON.parse(verified.out.at(-1)!)).toMatchObject({ labels: ['replay', 'upload'], rescored: 2 })
  const rescored = await call(stack.url, 'POST', `/api/runs/${runs[0]!.id}/rescore`, { body: {} })
  expect(rescored.status).toBe(201)
  expect((await call(stack.url, 'DELETE', `/api/tasks/${task.id}`)).status).toBe(200)
})
