import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { card } from '#shared/benchmarks/terminal_tasks/card.ts'
import { HarborImported } from '#shared/contract/harbor-import.ts'
import type { ProblemBody } from '#shared/contract/problem.ts'
import { keyOf } from '../artifacts/bucket.ts'
import { liveImports } from '../run/testing/live-imports.ts'
import { bearer, giveKey, openApp } from '../testing/call-app.ts'
import { jobFiles, jobZip, wholeJob } from '../testing/example-job.ts'
import { formOf } from '../testing/example-task.ts'

async function stage() {
  const app = openApp({ cards: [card] })
  const live = liveImports(app)
  const headers = bearer(await giveKey(app, 'owner'))
  const send = (body: BodyInit, query = '', keyed: Record<string, string> = headers) =>
    app.app.request(`https://bench.example/api/import/harbor${query}`, {
      method: 'POST',
      headers: { 'cf-connecting-ip': '127.0.0.1', ...keyed },
      body,
    })
  const imported = async (zip: Uint8Array<ArrayBuffer>, keyed = headers) => {
    const response = await send(formOf(zip, {}, 'job.zip'), '', keyed)
    return { status: response.status, ...HarborImported.parse(await response.json()) }
  }
  return { ...app, ...live, headers, send, imported }
}

test('[API210] a job becomes a run for each agent and model, in the record with results, times and artifacts, and nobody works on it', async () => {
  const { imported, record, bucket, told, ring } = await stage()
  const files = jobFiles({ ...wholeJob, episodes: [...wholeJob.episodes, { ...wholeJob.episodes[0]!, name: 'other__1', model: null }] })
  const { status, runs, left_out, job, sha256 } = await imported(jobZip(files))
  expect([status, job, left_out]).toEqual([201, 'job', []])
  expect(runs).toMatchObject([
    { agent: 'terminus-2', model: 'maker/model', status: 'succeeded', trials: 4, planned: 4, artifacts: 3, made: true },
    { agent: 'terminus-2', model: 'terminus-2', status: 'succeeded', trials: 1, planned: 1, artifacts: 0, made: true },
  ])
  const { run_id, url } = runs[0]!
  expect(url).toBe(`https://bench.example/runs/${run_id}`)
  const run = record.runs.get(run_id)!
  expect(run).toMatchObject({
    label: { name: 'job', tags: [] },
    spec: { owner_id: 'owner', visibility: 'private', imported: { from: 'harbor', job: 'job', sha256 } },
    head: { status: 'succeeded', done: 4, leased: 0, started_at: '2026-11-24T10:00:00.000Z', completed_at: '2026-11-24T10:01:00.000Z' },
    metrics: { terminal_tasks: { accuracy: { value: 0.5, n: 2 }, pass_at_k: { value: 0.5 } } },
  })
  const trials = record.trials.get(run_id)!
  expect(trials.map(({ record: { source_id, score }, finished_at }) => [source_id, score, finished_at])).toEqual([
    ['org/0', 0, '2026-11-24T10:00:10.000Z'],
    ['org/1', 1, '2026-11-24T10:00:11.000Z'],
    ['org/0', 0, '2026-11-24T10:00:12.000Z'],
    ['org/1', 1, '2026-11-24T10:00:13.000Z'],
  ])
  expect(trials[0]!.record.messages).toEqual([{ role: 'user', content: 'Write hello.' }])
  const left = trials[0]!.record.artifacts!
  expect(left.map(({ name, kind }) => [name, kind])).toEqual([
    ['agent/recording.cast', 'recording'],
    ['agent/trajectory.json', 'file'],
    ['verifier/test-stdout.txt', 'log'],
  ])
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  expect(left[0]!.sha256).toBe(hash(files['job/task__1/agent/recording.cast']!))
  expect(new Set(bucket.objects.keys())).toEqual(new Set(left.map((one) => keyOf(run_id, one.sha256))))
  expect(record.events.get(run_id)!.map(({ event_type }) => event_type)).toEqual([
    'run_created',
    'run_started',
    'benchmark_started',
    ...Array.from({ length: 4 }, () => 'benchmark_progress'),
    'benchmark_completed',
    'run_completed',
  ])
  await ring(run_id)
  expect(told).toEqual([])
})

test('[API211] the same archive gives its owner the same runs, whoever packs it; another owner gets his own', async () => {
  const { imported, record, headers, send, ...app } = await stage()
  const first = await imported(jobZip())
  const turned = Object.fromEntries(Object.entries(jobFiles()).toReversed())
  const again = await imported(jobZip(turned))
  expect([first.status, again.status]).toEqual([201, 200])
  expect(again.runs).toEqual(first.runs.map((run) => ({ ...run, made: false })))
  const raw = await send(jobZip(), '?visibility=public', { ...headers, 'content-type': 'application/zip' })
  expect([raw.status, raw.headers.get('idempotent-replayed'), record.runs.size]).toEqual([200, 'true', 1])
  expect(record.trials.get(first.runs[0]!.run_id)).toHaveLength(4)
  const other = await imported(jobZip(), bearer(await giveKey({ ...app, record }, 'other')))
  expect([other.status, other.runs[0]!.run_id === first.runs[0]!.run_id, record.runs.size]).toEqual([201, false, 2])
  const more = { ...jobFiles(), 'job/task__2/agent/notes.txt': new TextEncoder().encode('more') }
  expect((await imported(jobZip(more))).runs[0]!.made).toBe(true)
})

test('[API212] what is no archive of one job is refused with the entry that is wrong, and nothing is kept', async () => {
  const { send, record, bucket } = await stage()
  const files = jobFiles()
  const renamed = (name: string) => {
    const bytes = Buffer.from(jobZip({ 'job/evil.txt': new Uint8Array(3), ...files }))
    for (let at = bytes.indexOf('job/evil.txt'); at >= 0; at = bytes.indexOf('job/evil.txt', at + 1)) bytes.write(name, at)
    return new Uint8Array(bytes)
  }
  const linked = () => {
    const bytes = Buffer.from(jobZip({ 'job/evil.txt': new Uint8Array(3), ...files }))
    const at = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    bytes[at + 5] = 3 // made on Unix
    bytes.writeUInt32LE((0o120777 << 16) >>> 0, at + 38)
    return new Uint8Array(bytes)
  }
  const without = (path: string) => Object.fromEntries(Object.entries(files).filter(([name]) => !name.endsWith(path)))
  const other = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path.replace('job/', 'zob/'), bytes]))
  const cases: [string, Uint8Array<ArrayBuffer>, string][] = [
    ['no zip', new Uint8Array(Buffer.from('not a zip')), 'it is no ZIP archive'],
    ['traversal', renamed('../evil.text'), '../evil.text: it leads out'],
    ['link', linked(), 'job/evil.txt: '],
    ['bomb', jobZip({ ...files, 'job/task__1/agent/zeros.log': new Uint8Array(4 * 2 ** 20) }), 'job/task__1/agent/zeros.log: it expands'],
    ['no job', jobZip(without('result.json')), 'result.json: there is none'],
    ['two jobs', jobZip({ ...files, ...other }), 'zob/result.json: there is another one in job/'],
    ['bad result', jobZip({ ...files, 'job/result.json': new TextEncoder().encode('{}') }), 'result.json: id'],
    [
      'no episodes',
      jobZip(Object.fromEntries(Object.entries(files).filter(([path]) => !path.includes('task__')))),
      'the job has no episode',
    ],
    ['large result', jobZip({ ...files, 'job/task__1/result.json': Buffer.alloc(4 * 2 ** 20 + 1, 'ab cd ef 01') }), 'job/task__1/result.json: results may have'], // biome-ignore format: one case
  ]
  for (const [name, zip, told] of cases) {
    const response = await send(formOf(zip))
    const { code, errors, detail } = (await response.json()) as ProblemBody
    expect([response.status, code, errors?.[0]?.pointer], `${name}: ${detail}`).toEqual([422, 'validation', '/file'])
    expect(errors![0]!.message.startsWith(told), `${name}: ${errors![0]!.message}`).toBe(true)
  }
  expect([(await send(formOf(null))).status, (await send('x')).status, (await send(formOf(jobZip()), '?visibility=all')).status]).toEqual([
    422, 415, 422,
  ])
  expect([record.runs.size, bucket.objects.size]).toEqual([0, 0])
})

test('[API213] an episode that cannot be read and a file that a trial may not leave are told and left out; missing attempts make the run canceled', async () => {
  const { imported, record } = await stage()
  const files = {
    ...jobFiles(),
    'job/task__4/result.json': new TextEncoder().encode('{'),
    'job/task__1/agent/a*b.txt': new TextEncoder().encode('x'),
  }
  const { status, runs, left_out, left_out_total } = await imported(jobZip(files))
  expect([status, runs[0]!.status, runs[0]!.trials, runs[0]!.planned, left_out_total]).toEqual([201, 'canceled', 3, 4, 2])
  expect(left_out.map(({ entry }) => entry).toSorted()).toEqual(['task__1/agent/a*b.txt', 'task__4/result.json'])
  expect(record.runs.get(runs[0]!.run_id)!.head).toMatchObject({ status: 'canceled', done: 3, completed_at: '2026-11-24T10:01:00.000Z' })
})

test('[API214] an import that breaks off shows nothing and is sent again; what nobody sends again is forgotten after a day', async () => {
  const { imported, send, deps, own, record, kill, clock, alarmOf, ring } = await stage()
  const zip = jobZip()
  const seen: string[] = []
  const broken = (step: 'takeIn' | 'createRun') => {
    const store = deps.store
    Object.assign(deps.runs, own, {
      takeIn: async (...given: Parameters<typeof own.takeIn>) => {
        const [spec, batch] = given
        seen.push(spec.run_id)
        // The first half arrives, then everything that is in memory is lost.
        await own.takeIn(spec, step === 'takeIn' ? { ...batch, results: batch.results.slice(0, 2), ended_ms: null } : batch)
        if (step === 'takeIn') throw new TypeError('gone')
      },
    })
    if (step === 'createRun') Object.assign(deps, { store: { ...store, createRun: () => Promise.reject(new TypeError('gone')) } })
    return () => Object.assign(deps, { store }) && Object.assign(deps.runs, own)
  }
  for (const step of ['takeIn', 'createRun'] as const) {
    const mend = broken(step)
    expect((await send(formOf(zip))).status).toBe(500)
    mend()
    kill()
    expect([record.runs.size, record.trials.size]).toEqual([0, 0])
  }
  const run_id = seen[0]!
  expect(alarmOf(run_id)).not.toBeNull()
  const made = await imported(zip)
  expect([made.status, made.runs[0]!.run_id, record.trials.get(run_id)!.length]).toEqual([201, run_id, 4])
  expect(record.runs.get(run_id)!.head).toMatchObject({ status: 'succeeded', done: 4 })

  const mend = broken('takeIn')
  expect((await send(formOf(jobZip({ ...jobFiles(), 'job/task__2/a.txt': new Uint8Array(1) })))).status).toBe(500)
  mend()
  const forgotten = seen.at(-1)!
  expect([forgotten === run_id, alarmOf(forgotten)]).toEqual([false, clock.now() + 24 * 60 * 60_000])
  await ring(forgotten)
  expect((await own.head(forgotten))?.done).toBe(2)
  await clock.to(clock.now() + 24 * 60 * 60_000)
  await ring(forgotten)
  expect([await own.head(forgotten), alarmOf(forgotten)]).toEqual([undefined, null])
})

test('[API215] no command changes an imported run', async () => {
  const { imported, call, headers } = await stage()
  const { run_id } = (await imported(jobZip())).runs[0]!
  for (const command of ['cancel', 'retry-failed']) {
    const response = await call('POST', `/api/runs/${run_id}/${command}`, { headers })
    const { code, detail } = (await response.json()) as ProblemBody
    expect([response.status, code, detail]).toEqual([400, 'wrong-state', expect.stringContaining('was imported')])
  }
})
