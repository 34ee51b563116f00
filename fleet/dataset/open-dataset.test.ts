import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { DataIdentity } from '#shared/contract/run.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { openFileServer, openTestEnv, sha256Of } from './loopback-server.ts'
import { type DatasetRequest, openDataset } from './open-dataset.ts'
import { describeOverrides } from './overrides.ts'
import { sampleIdentities } from './sample-identities.ts'
import { allRows } from './testing/all-rows.ts'

const revision = 'a'.repeat(40)
const testRows = '{"n":1}\n{"n":2}\n'
const validationRows = '{"n":9}\n'
const file = (role: string, path: string, text: string, rows: number) => ({ role, path, sha256: sha256Of(text), rows })
const pinned: DataIdentity = {
  source: 'pinned',
  repo: 'acme/set',
  revision,
  files: [
    file('test', 'a.jsonl', testRows, 2),
    file('validation', 'v.jsonl', validationRows, 1),
    file('test', 'b.jsonl', validationRows, 1),
  ],
}
const at = (path: string) => `/datasets/acme/set/resolve/${revision}/${path}`
const hubFiles = { [at('a.jsonl')]: testRows, [at('v.jsonl')]: validationRows, [at('b.jsonl')]: validationRows }

/** What a data set holds and what was seen of it, or the failure. */
async function listed(request: DatasetRequest, env: DatasetEnv) {
  const opened = await openDataset(request, env)
  if (!opened.ok) return opened
  const { rows, seen, close } = opened.value
  const lists = await Promise.all(Object.entries(rows).map(async ([role, each]) => [role, await allRows(each)] as const))
  await close()
  return { ok: true, value: { rows: Object.fromEntries(lists), seen } }
}

test('[DATA16] rows come by role, files of one role joined in the order of the identity, with what was seen of each', async () => {
  await using hub = await openFileServer(hubFiles)
  await using place = await openTestEnv(hub.origin)
  const identity = { ...pinned, files: pinned.files.map((one) => (one.path === 'v.jsonl' ? { ...one, sha256: null } : one)) }
  expect(await listed({ benchmark: 'acme', identity, roles: ['test', 'validation', 'test'] }, place.env)).toEqual({
    ok: true,
    value: {
      rows: { test: [{ n: 1 }, { n: 2 }, { n: 9 }], validation: [{ n: 9 }] },
      seen: [
        file('test', 'a.jsonl', testRows, 2),
        file('test', 'b.jsonl', validationRows, 1),
        file('validation', 'v.jsonl', validationRows, 1),
      ],
    },
  })
})

test('[DATA16] only files of the wanted roles are fetched, and a role that the identity lacks is refused', async () => {
  await using hub = await openFileServer(hubFiles)
  await using place = await openTestEnv(hub.origin)
  expect((await openDataset({ benchmark: 'acme', identity: pinned, roles: ['validation'] }, place.env)).ok).toBe(true)
  expect(hub.asked.map((one) => one.path)).toEqual([at('v.jsonl')])
  const outcome = await openDataset({ benchmark: 'acme', identity: pinned, roles: ['train'] }, place.env)
  expect(outcome).toMatchObject({ ok: false, failure: { at: 'dataset', reason: 'unavailable' } })
})

test('[DATA17] another number of rows than the identity says is a mismatch', async () => {
  await using hub = await openFileServer(hubFiles)
  await using place = await openTestEnv(hub.origin)
  const identity = { ...pinned, files: [{ ...file('test', 'a.jsonl', testRows, 3), sha256: null }] }
  const outcome = await openDataset({ benchmark: 'acme', identity, roles: ['test'] }, place.env)
  expect(outcome).toMatchObject({ ok: false, failure: { at: 'dataset', reason: 'mismatch' } })
  expect(outcome.ok === false && outcome.failure.detail).toContain('2 rows; 3 are expected')
})

test('[DATA18] the sample of a benchmark has an identity made of its bytes and is refused when the checkout holds another', async () => {
  await using place = await openTestEnv('http://127.0.0.1:1')
  const folder = join(place.env.benchmarksDir, 'acme')
  await mkdir(folder, { recursive: true })
  await mkdir(join(place.env.benchmarksDir, 'without'))
  await writeFile(join(folder, 'sample.jsonl'), testRows)
  await writeFile(join(folder, 'sample.validation.jsonl'), validationRows)
  await writeFile(join(folder, 'golden.jsonl'), '{}')
  const identities = await sampleIdentities(place.env.benchmarksDir)
  expect(Object.keys(identities)).toEqual(['acme'])
  const identity = DataIdentity.parse(identities.acme)
  expect(identity).toMatchObject({ source: 'sample', repo: 'sample', revision: expect.stringMatching(/^[0-9a-f]{40}$/) })
  expect(identity.files).toEqual([
    file('test', 'sample.jsonl', testRows, 2),
    file('validation', 'sample.validation.jsonl', validationRows, 1),
  ])

  const request = { benchmark: 'acme', identity, roles: ['test', 'validation'] }
  expect(await listed(request, place.env)).toMatchObject({
    ok: true,
    value: { rows: { test: [{ n: 1 }, { n: 2 }], validation: [{ n: 9 }] } },
  })
  await writeFile(join(folder, 'sample.jsonl'), '{"n":1}\n{"n":3}\n')
  expect((await sampleIdentities(place.env.benchmarksDir)).acme?.revision).not.toBe(identity.revision)
  expect(await openDataset(request, place.env)).toMatchObject({ ok: false, failure: { reason: 'mismatch' } })
  expect(await openDataset({ ...request, benchmark: 'without' }, place.env)).toMatchObject({
    ok: false,
    failure: { reason: 'unavailable' },
  })
})

test('[DATA18] a sample identity cannot name any other file of the checkout', async () => {
  await using place = await openTestEnv('http://127.0.0.1:1')
  await mkdir(join(place.env.benchmarksDir, 'acme'), { recursive: true })
  await writeFile(join(place.env.benchmarksDir, 'acme', 'golden.jsonl'), testRows)
  for (const path of ['golden.jsonl', '../acme/golden.jsonl', 'sample/../golden.jsonl']) {
    const identity: DataIdentity = { source: 'sample', repo: 'sample', revision, files: [file('test', path, testRows, 2)] }
    expect(await openDataset({ benchmark: 'acme', identity, roles: ['test'] }, place.env)).toMatchObject({
      ok: false,
      failure: { reason: 'unavailable' },
    })
  }
})

test('[DATA19] overrides are described with the hash and rows the operator left out, from inline JSON and from a file beside the data', async () => {
  await using place = await openTestEnv('http://127.0.0.1:1')
  const packed = gzipSync(testRows)
  await writeFile(join(place.root, 'own.jsonl.gz'), packed)
  const inline = { acme: { files: [{ role: 'test', path: join(place.root, 'own.jsonl.gz') }] } }
  const expected = { role: 'test', path: 'own.jsonl.gz', sha256: sha256Of(packed), rows: 2 }
  const described = await describeOverrides({ ...place.env, overrides: JSON.stringify(inline) })
  expect(described).toMatchObject({ ok: true, value: { acme: { source: 'override', repo: 'override', files: [expected] } } })
  expect(described.ok && DataIdentity.parse(described.value.acme).revision).toMatch(/^[0-9a-f]{40}$/)

  await writeFile(
    join(place.root, 'overrides.json'),
    JSON.stringify({ acme: { files: [{ role: 'test', path: 'own.jsonl.gz', rows: 7 }] } }),
  )
  const fromFile = await describeOverrides({ ...place.env, overrides: join(place.root, 'overrides.json') })
  expect(fromFile).toMatchObject({ ok: true, value: { acme: { files: [{ ...expected, rows: 7 }] } } })
  expect(await describeOverrides(place.env)).toEqual({ ok: true, value: {} })
})

test('[DATA19] overrides that do not fit, name no file or the wrong hash are refused with the reason', async () => {
  await using place = await openTestEnv('http://127.0.0.1:1')
  await writeFile(join(place.root, 'own.jsonl'), testRows)
  const own = { role: 'test', path: join(place.root, 'own.jsonl') }
  const wrong = [
    ['{"acme":', 'unavailable'],
    ['/no/such/overrides.json', 'unavailable'],
    [JSON.stringify({ Acme: { files: [own] } }), 'unavailable'],
    [JSON.stringify({ acme: { files: [] } }), 'unavailable'],
    [JSON.stringify({ acme: { files: [{ ...own, path: join(place.root, 'gone.jsonl') }] } }), 'unavailable'],
    [JSON.stringify({ acme: { files: [{ ...own, sha256: 'd'.repeat(64) }] } }), 'mismatch'],
  ] as const
  for (const [overrides, reason] of wrong) {
    expect(await describeOverrides({ ...place.env, overrides }), overrides).toMatchObject({ ok: false, failure: { at: 'dataset', reason } })
  }
})

test('[DATA20] an agent opens only overrides that its own operator declared, and only with the bytes the run names', async () => {
  await using place = await openTestEnv('http://127.0.0.1:1')
  await writeFile(join(place.root, 'own.jsonl'), testRows)
  const overrides = JSON.stringify({ acme: { files: [{ role: 'test', path: join(place.root, 'own.jsonl') }] } })
  const env = { ...place.env, overrides }
  const described = await describeOverrides(env)
  const identity = described.ok ? described.value.acme : undefined
  if (identity === undefined) throw new Error('no identity')
  const request = { benchmark: 'acme', identity, roles: ['test'] }
  expect(await listed(request, env)).toMatchObject({ ok: true, value: { rows: { test: [{ n: 1 }, { n: 2 }] } } })
  expect(await openDataset(request, place.env)).toMatchObject({ ok: false, failure: { reason: 'unavailable' } })
  await writeFile(join(place.root, 'own.jsonl'), validationRows)
  expect(await openDataset(request, env)).toMatchObject({ ok: false, failure: { reason: 'mismatch' } })
  const foreign: DataIdentity = { ...identity, files: [file('test', '/etc/hosts.jsonl', 'x', 1)] }
  expect(await openDataset({ ...request, identity: foreign }, env)).toMatchObject({ ok: false, failure: { reason: 'mismatch' } })
})
