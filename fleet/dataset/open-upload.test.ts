import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesOf, TaskRow } from '#shared/episode/task-row.ts'
import { writeTaskZip } from '#shared/harbor/write-task-zip.ts'
import { uploadData } from '#shared/run/upload-data.ts'
import type { TreeFile } from '#shared/solvers/machine.ts'
import { uploadsOfRun } from './fetch-upload.ts'
import { openLoopbackServer, openTestEnv, sha256Of } from './loopback-server.ts'
import { openDataset } from './open-dataset.ts'

const run_id = '11111111-1111-4111-8111-111111111111'
const file = (path: string, text: string | Uint8Array<ArrayBuffer>, mode = 0o644): TreeFile => ({
  path,
  mode,
  bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text,
})
const files: readonly TreeFile[] = [
  file('environment/Dockerfile', 'FROM a\n'),
  file('environment/picture.png', new Uint8Array([0xff, 0xd8, 0])),
  file('instruction.md', 'Do it.\n'),
  file('task.toml', 'version = "1.0"\n'),
  file('tests/test.sh', '#!/bin/bash\n', 0o755),
]

async function zipOf(given: readonly TreeFile[]): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of writeTaskZip(given.map((one) => ({ ...one, path: `a-task/${one.path}` })))) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** A service that gives these answers in turn, an agent's folder, and what opens the task there. Waits take no time and are kept. */
async function stage(...answers: (Buffer | number)[]) {
  const asked: Record<string, unknown>[] = []
  const server = await openLoopbackServer((path, response, request) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]!
    asked.push({ path, ...request.headers })
    if (typeof answer === 'number') response.writeHead(answer).end('no')
    else response.writeHead(200).end(answer)
  })
  const place = await openTestEnv(server.origin)
  const waits: number[] = []
  const clock = {
    now: () => 0,
    after(ms: number, run: () => void) {
      waits.push(ms)
      const soon = setImmediate(run)
      return () => clearImmediate(soon)
    },
  }
  const presence = () => ({ agent_id: 'box', session: 'session-1', pass: 'pass-1' })
  const uploads = uploadsOfRun(run_id, presence, { edgeUrl: server.origin, token: 'agent-token-1', clock })
  const env = { ...place.env, uploads }
  const open = (sha256: string) =>
    openDataset({ benchmark: 'terminal_tasks', identity: uploadData('a-task', sha256), roles: ['test'] }, env)
  return {
    asked,
    waits,
    open,
    place,
    uploads,
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

test('[TASK7] an agent fetches the archive once with its pass, and its row is that of the task’s folder', async () => {
  const zip = await zipOf(files)
  await using service = await stage(503, zip)
  const opened = await service.open(sha256Of(zip))
  if (!opened.ok) throw new Error(opened.failure.detail)
  const row = TaskRow.parse(await opened.value.rows.test!.read(0))
  expect([row.task, row.archive, opened.value.rows.test!.count]).toEqual(['a-task', undefined, 1])
  expect(filesOf(row).map(({ path, mode, bytes }) => [path, mode, Buffer.from(bytes).toString('hex')])).toEqual(
    files.map(({ path, mode, bytes }) => [path, mode, Buffer.from(bytes).toString('hex')]),
  )
  expect(opened.value.seen).toEqual([{ role: 'test', path: 'a-task.zip', sha256: sha256Of(zip), rows: 1 }])
  await opened.value.close()
  expect(service.waits).toEqual([500])
  expect(service.asked[1]).toMatchObject({
    ...{ path: `/api/runs/${run_id}/uploads/${sha256Of(zip)}`, authorization: 'Bearer agent-token-1' },
    ...{ 'x-bench-agent': 'box', 'x-bench-session': 'session-1', 'x-bench-pass': 'pass-1' },
  })
  const again = await service.open(sha256Of(zip))
  expect([again.ok, service.asked.length]).toEqual([true, 2])
  const folder = join(service.place.env.cacheDir, 'uploads', sha256Of(zip))
  expect(readdirSync(folder)).toEqual(['a-task.jsonl'])
  writeFileSync(join(folder, 'a-task.jsonl'), '{}\n')
  const healed = await service.open(sha256Of(zip))
  expect([healed.ok, service.asked.length]).toEqual([true, 3])
})

test('[TASK7] other bytes, an archive that is gone, one that holds no task, and an agent of no service are failures that say so', async () => {
  const zip = await zipOf(files)
  const reasonOf = async (opened: ReturnType<Awaited<ReturnType<typeof stage>>['open']>) => {
    const outcome = await opened
    return outcome.ok ? 'ok' : [outcome.failure.at, outcome.failure.reason, outcome.failure.retryable, outcome.failure.detail.slice(0, 40)]
  }
  await using other = await stage(zip)
  expect(await reasonOf(other.open('a'.repeat(64)))).toEqual(['dataset', 'mismatch', false, 'The service gave an archive with SHA-256'])
  await using gone = await stage(404)
  expect(await reasonOf(gone.open('a'.repeat(64)))).toEqual(['dataset', 'unavailable', false, 'The service does not keep the archive of'])
  await using away = await stage(503)
  expect(await reasonOf(away.open('a'.repeat(64)))).toEqual(['dataset', 'unavailable', true, 'The archive of the uploaded task could n'])
  expect(away.waits.reduce((sum, ms) => sum + ms, 0)).toBe(91_500)
  const noService = openDataset(
    { benchmark: 'terminal_tasks', identity: uploadData('a-task', 'a'.repeat(64)), roles: ['test'] },
    away.place.env,
  )
  expect(await reasonOf(noService)).toEqual(['dataset', 'unavailable', false, 'An uploaded task lies with the service i'])
  const empty = await zipOf(files.filter(({ path }) => path !== 'task.toml'))
  await using bad = await stage(empty)
  expect(await reasonOf(bad.open(sha256Of(empty)))).toEqual(['dataset', 'bad-record', false, 'a-task.zip: task.toml: there is none at '])
  expect(readdirSync(join(bad.place.env.cacheDir, 'uploads', sha256Of(empty)))).toEqual([])
})
