import { OpenAPIHono } from '@hono/zod-openapi'
import { sha256 } from '@noble/hashes/sha2.js'
import { expect, test } from 'vitest'
import type { SigningKeyRow, Store, StoredRun } from '#db/store.ts'
import { DatabaseAway } from '#db/store.ts'
import { unpack } from '#shared/export/testing/forge.ts'
import {
  exportedAt,
  otherKey,
  sampleBundle,
  sampleMetrics,
  samplePlan,
  sampleRun,
  sampleTasks,
  vectorKey,
} from '#shared/export/testing/sample-run.ts'
import { verifyBundle } from '#shared/export/verify.ts'
import type { VerifyReport } from '#shared/export/verify-report.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps, Principal } from '../deps.ts'
import { onError, Problem, validationProblem } from '../problem.ts'
import { answerDownload } from './download.ts'
import { measureFile } from './export-file.ts'
import { exportRoutes, uploadLimits } from './exports.ts'
import { openExport, type Reader } from './open-export.ts'
import { withheldBenchmarks } from './run-access.ts'
import { toRun } from './run-view.ts'
import { listKeys } from './signing-keys.ts'

const sample = sampleRun(3)
const recomputation = { tasks: sampleTasks, computeMetrics: sampleMetrics, plan: samplePlan }

function open({ signer = vectorKey as Deps['signer'], records = sample.records } = {}) {
  const keys = new Map<string, SigningKeyRow>()
  const reads: number[] = []
  const store: Pick<Store, 'listTrials' | 'listSigningKeys' | 'saveSigningKey'> = {
    async listTrials(_run_id, after, limit) {
      reads.push(after)
      const rest = records.filter((record) => record.ordinal > after)
      const page = rest.slice(0, limit)
      const trials = page.map((record) => ({ record, finished_at: '2026-03-04T05:00:30.999Z', seq: record.ordinal }))
      return { trials, next: page.length < rest.length ? page.at(-1)!.ordinal : null }
    },
    listSigningKeys: async () => [...keys.values()],
    saveSigningKey: async (key) => void keys.set(key.fingerprint, key),
  }
  const cards = [{ name: 'letters', metrics: ['accuracy'] }, { name: 'digits', metrics: ['accuracy'] }] // biome-ignore format: one line
  // Only these ports are reached by exports.
  const deps = {
    config: { version: '0.1.0', commit: null, providers: [], public_url: '' },
    cards,
    store,
    signer,
    now: () => exportedAt,
    openSha256: () => sha256.create(),
  } as unknown as Deps
  const app = new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) throw validationProblem(result.target, result.error)
    },
  })
  app.onError(onError)
  app.use(async (c, next) => {
    c.set('requestId', 'request-1')
    c.set('gate', { admit: async () => ({}), takeTurn: async () => ({ end: () => undefined }), keep: async () => undefined })
    await next()
  })
  app.route('/', exportRoutes(deps, recomputation))
  const verify = async (bytes: Uint8Array | string, name = 'file') => {
    const form = new FormData()
    form.set(name, typeof bytes === 'string' ? bytes : new File([new Uint8Array(bytes)], 'a.zip'))
    return app.request('/api/exports/verify', { method: 'POST', body: form })
  }
  return { app, deps, keys, reads, verify }
}
const storedRun = { ...sample.run, updated_at: '2026-03-04T05:02:00.000Z' } as StoredRun
const stranger: Principal = { owner_id: null, kind: 'anonymous', scopes: ['runs:read'], credential: null, teams: [] }
const exportZip = async (deps: Deps, run: StoredRun, withheld: Reader['withheld'] = withheldBenchmarks(run.spec, stranger)) => {
  const file = openExport(deps, run, { view: toRun(run, stranger, deps), withheld }, 'zip')
  return answerDownload(new Request('https://bench.example/'), await measureFile(file, deps))
}
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

test('[EXP21] the present key and the history are public; without a key the answer is 503', async () => {
  const { app, keys } = open()
  const expected = { algorithm: 'ed25519', public_key: vectorKey.public_key, public_key_fingerprint: vectorKey.fingerprint }
  expect(await (await app.request('/api/exports/public-key')).json()).toEqual(expected)
  const listed = (await (await app.request('/api/exports/keys')).json()) as { keys: SigningKeyRow[] }
  expect([listed.keys.map((key) => key.fingerprint), keys.size]).toEqual([[vectorKey.fingerprint], 1])
  const none = open({ signer: null })
  const refused = await none.app.request('/api/exports/public-key')
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([503, 'signing-not-configured'])
  expect(await (await none.app.request('/api/exports/keys')).json()).toEqual({ keys: [] })
})

test('[EXP21] an upload is verified with every known key, and bad ones are answered with 200', async () => {
  const { verify } = open()
  const good = await verify(await sampleBundle(sample))
  expect(good.status).toBe(200)
  expect((await good.json()) as VerifyReport).toMatchObject({ valid: true, rescored: 6, model_slug: 'example/tiny-model' })
  for (const bytes of [await sampleBundle(sample, otherKey), new Uint8Array(), new TextEncoder().encode('PK nothing')]) {
    const bad = await verify(bytes)
    expect([bad.status, ((await bad.json()) as VerifyReport).valid]).toEqual([200, false])
  }
})

test('[EXP21] an upload over 8 MiB is 413, one without a file 422', async () => {
  const { verify } = open()
  expect((await verify(new Uint8Array(uploadLimits.in_bytes + 1))).status).toBe(413)
  expect((await verify(new Uint8Array(uploadLimits.in_bytes + 2 ** 20))).status).toBe(413)
  expect((await verify(new Uint8Array(uploadLimits.in_bytes))).status).toBe(200)
  expect((await verify('text')).status).toBe(422)
  expect((await verify(new Uint8Array(3), 'other')).status).toBe(422)
})

test('[EXP22] the export of an ended run is the signed bundle, each trial read once', async () => {
  const { deps, keys, reads } = open()
  const response = await exportZip(deps, storedRun)
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="benchmark_results_0b7c2d4e-1f3a-4b5c-8d6e-7f8091a2b3c4_20260304_050607.zip"',
  )
  const bytes = await bytesOf(response)
  const report = await verifyBundle(bytes, { ...recomputation, trustedKeys: [...keys.values()] })
  expect([report.errors, report.valid, report.items]).toEqual([[], true, 7])
  expect(reads).toEqual([-1, 5])
  expect([...keys.values()]).toEqual([
    { fingerprint: vectorKey.fingerprint, public_key: vectorKey.public_key, valid_from: exportedAt.toISOString(), retired_at: null },
  ])
})

test('[EXP22] the present key is listed with one date, whenever it is asked for', async () => {
  const { deps } = open()
  let minute = 0
  const later = { ...deps, now: () => new Date(Date.UTC(2026, 2, 4, 5, minute++)) }
  const [first] = await listKeys(later)
  expect(first).toMatchObject({ fingerprint: vectorKey.fingerprint, retired_at: null })
  expect(await listKeys(later)).toEqual([first])
  await bytesOf(await exportZip(later, storedRun))
  expect(await listKeys(later)).toEqual([first])
})

test('[EXP22] a new key retires the one before, and a key taken back is valid again', async () => {
  const { deps, keys } = open()
  const retired = () =>
    Object.fromEntries(
      [...keys.values()].map((key) => [key.fingerprint === vectorKey.fingerprint ? 'first' : 'second', key.retired_at !== null]),
    )
  await bytesOf(await exportZip(deps, storedRun))
  await bytesOf(await exportZip({ ...deps, signer: otherKey }, storedRun))
  expect(retired()).toEqual({ first: true, second: false })
  await bytesOf(await exportZip(deps, storedRun))
  expect(retired()).toEqual({ first: false, second: true })
})

test('[EXP22] no export without an end, a key, a database or all trials', async () => {
  const { deps } = open()
  const running = { ...storedRun, head: { ...storedRun.head, status: 'running' as const } }
  await expect(exportZip(deps, running)).rejects.toThrow(Problem)
  await expect(exportZip(open({ signer: null }).deps, storedRun)).rejects.toMatchObject({ code: 'signing-not-configured' })
  const away = async () => {
    throw new DatabaseAway('away')
  }
  await expect(exportZip({ ...deps, store: { ...deps.store, listTrials: away } }, storedRun)).rejects.toThrow(DatabaseAway)
  await expect(exportZip(open({ records: sample.records.slice(1) }).deps, storedRun)).rejects.toThrow('6 trials are counted, 5 are stored')
})

test('[EXP101] a run larger than any bundle is a problem before the first byte', async () => {
  const { deps, reads } = open()
  const benchmarks = storedRun.spec.benchmarks.map((one) => ({ ...one, total_items: 3_000_000 }))
  const huge = { ...storedRun, spec: { ...storedRun.spec, benchmarks } }
  await expect(exportZip(deps, huge)).rejects.toMatchObject({ code: 'export-too-large', message: expect.stringContaining('6000000 items') })
  expect(reads).toEqual([])
})

test('[EXP20] who asks without owning the run gets no text of gated data', async () => {
  const { deps } = open()
  const benchmarks = storedRun.spec.benchmarks.map((one) => ({ ...one, gated: true, data: { ...one.data, source: 'pinned' as const } }))
  const gated = { ...storedRun, spec: { ...storedRun.spec, benchmarks } }
  const stranger = (await unpack(await bytesOf(await exportZip(deps, gated))))['items.jsonl']!
  const owner = (await unpack(await bytesOf(await exportZip(deps, gated, new Set()))))['items.jsonl']!
  expect([stranger.includes('Question'), owner.includes('Question')]).toEqual([false, true])
})
