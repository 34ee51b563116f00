import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openLoopbackServer } from '#fleet/dataset/loopback-server.ts'
import type { UploadedTask } from '#shared/contract/task-upload.ts'
import { bytesSource } from '#shared/export/byte-source.ts'
import { readTaskZip } from '#shared/harbor/read-task-zip.ts'
import { runBench } from './fixture-api.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-upload-'))
afterAll(() => rmSync(folder, { recursive: true }))
const examples = join(import.meta.dirname, '../../shared/benchmarks/terminal_tasks/tasks')
const run_id = '11111111-1111-4111-8111-111111111111'

async function formIn(request: IncomingMessage): Promise<FormData> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return new Response(Buffer.concat(pieces), { headers: { 'content-type': request.headers['content-type'] ?? '' } }).formData()
}

/** A service that takes tasks, and refuses a file called `bad.zip`. */
async function startService() {
  const taken: { path: string; fields: Record<string, string>; task: string | null; files: string[] }[] = []
  const server = await openLoopbackServer(async (path, response, request) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (path.endsWith('/execute-async')) {
      const executed = { message: '3 episodes queued', task_id: 'id', run_id, runs_queued: 3, status: 'running', poll_url: '/api/tasks/id' }
      taken.push({ path, fields: {}, task: null, files: [] })
      return void reply(202, executed)
    }
    const form = await formIn(request)
    const file = form.get('file') as File
    const read = await readTaskZip(bytesSource(new Uint8Array(await file.arrayBuffer())))
    const fields = Object.fromEntries([...form].filter(([name]) => name !== 'file')) as Record<string, string>
    taken.push({ path, fields, task: read.ok ? read.folder : null, files: read.ok ? read.files.map((one) => one.path) : [] })
    if (file.name === 'bad.zip') {
      const errors = [{ pointer: '/file', message: 'it is no ZIP' }]
      const problem = {
        type: 'x',
        code: 'validation',
        title: 'The request is not valid',
        status: 422,
        detail: 'No task. it is no ZIP',
        instance: '/',
        errors,
      }
      return void reply(422, problem)
    }
    const task: UploadedTask = {
      ...{
        id: `id-${taken.length}`,
        name: file.name,
        description: '',
        original_filename: file.name,
        file_size: file.size,
        model: null,
        agent: 'oracle',
      },
      ...{
        harness: 'harbor',
        num_runs: 3,
        status: 'pending',
        created_at: '2026-01-02T03:04:05.000Z',
        started_at: null,
        completed_at: null,
      },
      ...{ total_runs: 0, passed_runs: 0, failed_runs: 0, provider: null, mean_reward: null, sha256: 'a'.repeat(64), checksum: 'b' },
      ...{
        opening: '',
        runnable: true,
        latest: null,
        team: null,
        warnings: file.name === 'crlf.zip' ? ['tests/test.sh has line ends of Windows'] : [],
      },
    }
    reply(201, task)
  })
  return { ...server, taken, bench: (...args: string[]) => runBench(['upload', ...args], { BENCH_URL: server.origin }) }
}

test('[TASK12] folders of tasks are packed and ZIPs sent as they are, each by itself; with --execute each begins', async () => {
  await using service = await startService()
  const some = join(folder, 'checkout', 'tasks')
  for (const name of ['count-lines', 'chess-best-move']) cpSync(join(examples, name), join(some, name), { recursive: true })
  const done = await service.bench(join(folder, 'checkout'), '--agent', 'oracle', '-k', '3', '--execute')
  expect(done.code, done.err.join()).toBe(0)
  expect(service.taken.map(({ path, task }) => [path, task])).toEqual([
    ['/api/tasks', 'chess-best-move'],
    ['/api/tasks/id-1/execute-async', null],
    ['/api/tasks', 'count-lines'],
    ['/api/tasks/id-3/execute-async', null],
  ])
  expect(service.taken[2]).toMatchObject({
    fields: { agent: 'oracle', num_runs: '3' },
    files: expect.arrayContaining(['task.toml', 'tests/test.sh']),
  })
  expect(done.out).toEqual([
    `uploaded  id-1  chess-best-move.zip  run ${run_id}, 3 episodes queued`,
    `uploaded  id-3  count-lines.zip  run ${run_id}, 3 episodes queued`,
  ])
})

test('[TASK12] an archive that is refused is told, the others go on, and the exit code is 1', async () => {
  await using service = await startService()
  writeFileSync(join(folder, 'bad.zip'), 'no zip')
  const done = await service.bench(join(folder, 'bad.zip'), join(examples, 'count-lines'), '--json')
  expect(done.code).toBe(1)
  expect(done.out.map((line) => JSON.parse(line))).toMatchObject([
    { type: 'refused', file: 'bad.zip', code: 'validation', message: expect.stringContaining('it is no ZIP') },
    { type: 'uploaded', file: 'count-lines.zip', executed: null },
  ])
  expect((await service.bench(join(folder, 'absent.zip'))).code).toBe(1)
  expect((await service.bench(join(folder, 'bad.zip'), '-k', '101')).code).toBe(2)
})

test('[HARB370] what should be known of a task stands below the line of its upload', async () => {
  await using service = await startService()
  cpSync(join(examples, 'count-lines'), join(folder, 'some', 'crlf'), { recursive: true })
  const done = await service.bench(join(folder, 'some'))
  expect(done.out.join('\n').split('\n')).toEqual(['uploaded  id-1  crlf.zip', 'warning   tests/test.sh has line ends of Windows'])
})
