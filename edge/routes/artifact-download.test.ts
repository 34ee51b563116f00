import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import { RunItemDetail } from '#shared/contract/api.ts'
import type { ArtifactRef } from '#shared/contract/artifact.ts'
import type { ProblemBody } from '#shared/contract/problem.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { keyOf } from '../artifacts/bucket.ts'
import { bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleEnded, examplePlanned, exampleSpec, exampleTrial } from '../testing/example-records.ts'

const text = 'Ten bytes.'
const name = 'out/build log.txt'

/** An ended run whose trial 0 left `text` under `name`, with its bytes in the bucket. */
function openRun(media_type = 'text/plain', given: Parameters<typeof exampleSpec>[0] = {}) {
  const app = openApp()
  const bytes = Uint8Array.from(new TextEncoder().encode(text))
  const ref: ArtifactRef = { name, kind: 'log', media_type, bytes: bytes.length, sha256: bytesToHex(sha256(bytes)) }
  const spec: RunSpec = exampleSpec({ owner_id: 'anna', ...given })
  const { benchmarks, run_id } = spec
  app.record.runs.set(run_id, exampleEnded(spec))
  app.record.trials.set(run_id, [exampleTrial({ ordinal: 0, benchmark: benchmarks[0]!.name, artifacts: [ref] })])
  app.bucket.objects.set(keyOf(run_id, ref.sha256), { bytes, uploaded_at: app.deps.now() })
  const path = `/api/runs/${run_id}/artifacts/0/${encodeURIComponent(name)}`
  const get = (headers: Record<string, string> = {}, query = '', method = 'GET') => app.call(method, `${path}${query}`, { headers })
  const item = async (headers: Record<string, string> = {}) =>
    RunItemDetail.parse(await (await app.call('GET', `/api/runs/${run_id}/items/${benchmarks[0]!.name}/0`, { headers })).json())
  return { ...app, ref, spec, path, get, item }
}
const codeOf = async (response: Response) => [response.status, ((await response.json()) as ProblemBody).code]

test('[API163] an artifact is given whole, in parts, and not again to who has it', async () => {
  const { get, ref } = openRun()
  const whole = await get()
  expect([whole.status, await whole.text(), whole.headers.get('etag')]).toEqual([200, text, `"${ref.sha256}"`])
  expect(whole.headers.get('content-length')).toBe('10')
  for (const [range, part, told] of [
    ['bytes=4-8', 'bytes', 'bytes 4-8/10'],
    ['bytes=-6', 'bytes.', 'bytes 4-9/10'],
    ['bytes=4-99', 'bytes.', 'bytes 4-9/10'],
  ] as const) {
    const answer = await get({ range })
    expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([206, part, told])
    expect(answer.headers.get('content-length')).toBe(String(part.length))
  }
  expect(await codeOf(await get({ range: 'bytes=10-' }))).toEqual([416, 'range-not-satisfiable'])
  expect((await get({ range: 'bytes=4-8', 'if-range': '"another"' })).status).toBe(200)
  const had = await get({ 'if-none-match': `W/"x", "${ref.sha256}"` })
  expect([had.status, await had.text()]).toEqual([304, ''])
  const head = await get({}, '', 'HEAD')
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '10'])
})

test.each([
  ['text/plain; charset=utf-8', 'inline', 'text/plain; charset=utf-8'],
  ['image/png', 'inline', 'image/png'],
  ['application/x-ndjson', 'inline', 'application/x-ndjson'],
  ['text/csv', 'attachment', 'text/csv'],
  ['text/html', 'attachment', 'application/octet-stream'],
  ['image/svg+xml', 'attachment', 'application/octet-stream'],
  ['text/plain-x', 'attachment', 'application/octet-stream'],
])('[API163] an artifact that calls itself %s is given %s, as %s', async (media_type, disposition, type) => {
  const { headers } = await openRun(media_type).get()
  expect(headers.get('content-type')).toBe(type)
  expect(headers.get('content-disposition')).toBe(`${disposition}; filename="build log.txt"`)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
})

test('[API164] an item lists what its trial left, each with the address of exactly these bytes', async () => {
  const { item, call, get, ref, path, record, spec, deps } = openRun()
  const { artifacts } = await item()
  expect(artifacts).toEqual([{ ...ref, url: `${path}?sha256=${ref.sha256}` }])
  const pinned = await call('GET', artifacts[0]!.url!)
  expect([pinned.status, pinned.headers.get('cache-control')]).toEqual([200, 'private, no-transform, max-age=31536000, immutable'])
  expect((await get()).headers.get('cache-control')).toBe('private, no-transform, no-cache')
  const later = { ...ref, sha256: 'b'.repeat(64) }
  record.trials.set(spec.run_id, [exampleTrial({ ordinal: 0, attempt: 2, artifacts: [later] })])
  expect(await codeOf(await call('GET', artifacts[0]!.url!))).toEqual([404, 'artifact-not-found'])
  expect(await codeOf(await get())).toEqual([404, 'artifact-not-found']) // named, but its bytes are not there
  Object.assign(deps, { artifacts: null })
  expect((await item()).artifacts[0]!.url).toBeNull()
  expect(await codeOf(await get())).toEqual([501, 'no-artifact-store'])
})

test('[API164] what a trial left is there for those who may read its item: none of a private run, none of gated data', async () => {
  const gated = openRun('text/plain', { benchmarks: [examplePlanned({ name: 'gpqa_diamond', gated: true })] })
  const anna = bearer(await giveKey(gated, 'anna'))
  expect([(await gated.get(anna)).status, (await gated.item(anna)).artifacts.length]).toEqual([200, 1])
  const bob = bearer(await giveKey(gated, 'bob'))
  expect(await codeOf(await gated.get(bob))).toEqual([404, 'artifact-not-found'])
  expect(await codeOf(await gated.get())).toEqual([404, 'artifact-not-found'])
  expect((await gated.item(bob)).artifacts).toEqual([])
  const own = openRun('text/plain', { visibility: 'private' })
  expect(await codeOf(await own.get())).toEqual([404, 'run-not-found'])
  expect((await own.get(bearer(await giveKey(own, 'anna')))).status).toBe(200)
})

test('[API164] what was not left is not found, wherever it is looked for', async () => {
  const { call, spec, get, bucket } = openRun()
  const at = async (place: string) => codeOf(await call('GET', `/api/runs/${spec.run_id}/artifacts/${place}`))
  for (const place of ['0/other', '1/out%2Fbuild%20log.txt', '2147483647/x', '0/..%2F0'])
    expect([place, await at(place)]).toEqual([place, [404, 'artifact-not-found']])
  expect(await at('x/y')).toEqual([422, 'validation'])
  expect(await codeOf(await get({}, '?sha256=x'))).toEqual([404, 'artifact-not-found'])
  bucket.away = true
  expect(await codeOf(await get())).toEqual([503, 'unavailable'])
})
