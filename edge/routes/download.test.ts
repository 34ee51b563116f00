import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { DatabaseAway } from '#db/store.ts'
import { openApp } from '../testing/call-app.ts'
import { exampleEnded, exampleSpec, exampleTrials } from '../testing/example-records.ts'

const spec = exampleSpec({ owner_id: 'anna' })
const path = `/api/runs/${spec.run_id}/export`
const formats = ['csv', 'json', 'jsonl', 'zip', 'pdf']

function endedApp() {
  const app = openApp()
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  app.record.trials.set(spec.run_id, exampleTrials())
  app.deps.signer = { public_key: 'k', fingerprint: 'f', sign: async () => new Uint8Array(64) }
  return app
}
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('[API100] every export comes with its length, its SHA-256 and, where it lists them, its number of trials, and HEAD tells the same', async () => {
  const { call } = endedApp()
  for (const format of formats) {
    const response = await call('GET', `${path}?format=${format}`)
    const bytes = await bytesOf(response)
    const told = Object.fromEntries(['content-length', 'repr-digest', 'x-trials'].map((name) => [name, response.headers.get(name)]))
    const digest = createHash('sha256').update(bytes).digest('base64')
    expect(told).toEqual({
      'content-length': String(bytes.length),
      'repr-digest': `sha-256=:${digest}:`,
      'x-trials': format === 'pdf' ? null : '4',
    })
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
    const head = await call('HEAD', `${path}?format=${format}`)
    expect([await head.text(), ...Object.keys(told).map((name) => head.headers.get(name))]).toEqual(['', ...Object.values(told)])
  }
})

test('[API100] a record that goes away before the file is whole is 503, and the file is made once for HEAD and GET', async () => {
  const { call, deps } = endedApp()
  const { listTrials } = deps.store
  let reads = 0
  deps.store.listTrials = async () => Promise.reject(new DatabaseAway('away'))
  for (const format of formats) expect((await call('GET', `${path}?format=${format}`)).status).toBe(503)
  deps.store.listTrials = (...given) => {
    reads += 1
    return listTrials(...given)
  }
  for (const method of ['HEAD', 'GET', 'GET']) expect((await call(method, `${path}?format=json`)).status).toBe(200)
  expect(reads).toBe(1)
})

test('[API102] a range goes on with a download, of a file that is the same only', async () => {
  const { call } = endedApp()
  for (const format of formats) {
    const first = await call('GET', `${path}?format=${format}`)
    const whole = await bytesOf(first)
    const ask = async (range: string, etag = first.headers.get('etag')!) => {
      const response = await call('GET', `${path}?format=${format}`, { headers: { range, 'if-range': etag } })
      return { status: response.status, told: response.headers.get('content-range'), bytes: await bytesOf(response) }
    }
    const size = whole.length
    expect(await ask('bytes=10-')).toEqual({ status: 206, told: `bytes 10-${size - 1}/${size}`, bytes: whole.subarray(10) })
    expect(await ask('bytes=3-5')).toEqual({ status: 206, told: `bytes 3-5/${size}`, bytes: whole.subarray(3, 6) })
    expect(await ask('bytes=-7')).toEqual({ status: 206, told: `bytes ${size - 7}-${size - 1}/${size}`, bytes: whole.subarray(-7) })
    expect(await ask('bytes=10-', '"another"')).toEqual({ status: 200, told: null, bytes: whole })
    expect(await ask('lines=1-2')).toMatchObject({ status: 200, told: null })
    expect((await ask(`bytes=${size}-`)).status).toBe(416)
  }
})

test('[API102] a file too large to be kept is made again for its parts, the ZIP with the time of the first', async () => {
  const { call, deps, record } = endedApp()
  const [trial] = exampleTrials()
  const long = { ...trial!.record, item_metadata: { text: randomBytes(9_000_000).toString('base64') } }
  record.trials.set(
    spec.run_id,
    exampleTrials().map((one, at) => (at === 0 ? { ...one, record: { ...long, ordinal: 0 } } : one)),
  )
  const whole = await bytesOf(await call('GET', `${path}?format=json`))
  expect(whole.length).toBeGreaterThan(12_000_000)
  const part = await call('GET', `${path}?format=json`, { headers: { range: `bytes=${whole.length - 100}-` } })
  expect(await bytesOf(part)).toEqual(whole.subarray(-100))
  const zip = await bytesOf(await call('GET', `${path}?format=zip`))
  deps.now = () => new Date('2026-01-02T03:09:05.000Z')
  const later = await call('GET', `${path}?format=zip`, { headers: { range: 'bytes=100-' } })
  expect(await bytesOf(later)).toEqual(zip.subarray(100))
  deps.now = () => new Date('2026-01-02T04:00:00.000Z')
  expect(await bytesOf(await call('GET', `${path}?format=zip`))).not.toEqual(zip)
})
