import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
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
import { fetchKeys, notVerified, pinnedKey, verifyFile } from './verify.ts'

const folder = await mkdtemp(join(tmpdir(), 'bench-verify-'))
afterAll(() => rm(folder, { recursive: true }))
const path = join(folder, 'bundle.zip')
const recomputation = { tasks: sampleTasks, computeMetrics: sampleMetrics, plan: samplePlan }
const options = { keys: [pinnedKey(vectorKey.public_key)], now: exportedAt, recomputation }

test('[EXP23] a right bundle ends with 0 and says what was computed anew', async () => {
  await writeFile(path, await sampleBundle(sampleRun(3)))
  const { exitCode, lines, report } = await verifyFile(path, options)
  expect([exitCode, report.valid, lines.includes('verified')]).toEqual([0, true, true])
  expect(lines.join('\n')).toContain('ok   scores       6 of 6 scores computed anew from their evidence')
})

test('[EXP23] anything else ends with 3 and says which check failed', async () => {
  await writeFile(path, await sampleBundle(sampleRun(3), otherKey))
  const foreign = await verifyFile(path, options)
  expect([foreign.exitCode, foreign.lines.at(-1)]).toEqual([notVerified, 'NOT VERIFIED'])
  expect(foreign.lines.some((line) => line.includes('FAIL key'))).toBe(true)
  await writeFile(path, 'no archive')
  const strange = await verifyFile(path, options)
  expect([strange.exitCode, strange.lines.at(-1)]).toEqual([3, expect.stringContaining('bench import harbor')])
  await expect(verifyFile(join(folder, 'absent.zip'), options)).rejects.toThrow('ENOENT')
})

test('[EXP23] the scorers of this program are used when none are given', async () => {
  await writeFile(path, await sampleBundle(sampleRun(3)))
  const { report } = await verifyFile(path, { keys: options.keys, now: exportedAt })
  expect(report.checks.find((check) => check.name === 'scores')).toMatchObject({ ok: null, detail: 'no scorer here for letters' })
  // The sample's own plan takes items by row; the program's draws them by the seed.
  expect(report.checks.find((check) => check.name === 'completeness')?.ok).toBe(false)
})

test('[EXP23] keys come from a server or by hand', async () => {
  const keys = [{ fingerprint: 'f', public_key: 'p', valid_from: '2026-01-01T00:00:00Z', retired_at: null }]
  expect(await fetchKeys('http://127.0.0.1:1/x', async (url) => Response.json({ keys, url }))).toEqual(keys)
  await expect(fetchKeys('http://127.0.0.1:1', async () => new Response('', { status: 503 }))).rejects.toThrow('answered 503')
  expect(pinnedKey(`${vectorKey.public_key}\n`).fingerprint).toBe(vectorKey.fingerprint)
})

test('[EXP500] the folder of an unpacked bundle verifies; what is changed, missing, strange or a link is named', async () => {
  const unpacked = join(folder, 'unpacked')
  const artifacts = join(unpacked, 'artifacts')
  const texts = await unpack(await sampleBundle(sampleRun(3)))
  await mkdir(artifacts, { recursive: true })
  for (const [name, text] of Object.entries(texts)) await writeFile(join(unpacked, name), text)
  const right = await verifyFile(unpacked, options)
  expect([right.exitCode, right.report.errors]).toEqual([0, []])
  expect(right.lines.join('\n')).toContain('archive      contents as signed; packed anew')
  const told = async () => (await verifyFile(unpacked, options)).report.errors[0]

  const results = texts['results.json']!
  await writeFile(join(unpacked, 'results.json'), results.replace('"', "'"))
  expect(await told()).toMatch(/^hash: results\.json is [0-9a-f]{64}, the manifest names [0-9a-f]{64}$/)
  await writeFile(join(unpacked, 'results.json'), results)
  for (const name of ['items.jsonl', 'results.json']) {
    await writeFile(join(unpacked, name), `${texts[name]!.slice(0, -1)}x`)
    expect(await told()).toMatch(new RegExp(`^hash: ${name} is `))
    await rm(join(unpacked, name))
    expect(await told()).toBe(`structure: ${name} is missing`)
    await writeFile(join(unpacked, name), texts[name]!)
  }
  const strange = join(artifacts, '0'.repeat(64))
  await writeFile(strange, 'x')
  expect(await told()).toBe(`artifacts: no record names artifacts/${'0'.repeat(64)}; 1 are there, the records name 0`)
  await rm(strange)
  await rm(join(unpacked, 'results.json'))
  expect(await told()).toBe('structure: results.json is missing')
  await writeFile(join(folder, 'outside.json'), results)
  await symlink('../outside.json', join(unpacked, 'results.json'))
  expect(await told()).toBe('structure: results.json is a symbolic link')
  await rm(join(unpacked, 'results.json'))
  await writeFile(join(unpacked, 'results.json'), results)
  await writeFile(join(artifacts, 'notes.txt'), 'x')
  expect(await told()).toBe('structure: artifacts/notes.txt is no file of a bundle')
  await mkdir(join(artifacts, 'deeper'))
  expect(await told()).toBe('structure: artifacts/deeper is no folder of a bundle')
})
