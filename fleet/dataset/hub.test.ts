import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { DatasetEnv } from './dataset-env.ts'
import { outcomeOf } from './dataset-error.ts'
import { type HubFile, openHubFile } from './hub.ts'
import { openFileServer, openLoopbackServer, openTestEnv, sha256Of } from './loopback-server.ts'

const revision = 'b'.repeat(40)
const body = '{"question":"How many legs does a spider have?"}\n'
const urlPath = `/datasets/acme/spiders/resolve/${revision}/data/test file.jsonl`
const file: HubFile = { repo: 'acme/spiders', revision, path: 'data/test file.jsonl', sha256: sha256Of(body) }
const fetchFile = (wanted: HubFile, env: DatasetEnv) => outcomeOf(() => openHubFile(wanted, env))
const cachedPath = (env: DatasetEnv) => join(env.cacheDir, 'datasets', file.repo, revision, file.path)

async function leftovers(env: DatasetEnv): Promise<string[]> {
  const folder = dirname(cachedPath(env))
  return existsSync(folder) ? readdir(folder) : []
}

test('[DATA1] a pinned file is fetched once from its resolve address and kept below its repository and revision', async () => {
  await using hub = await openFileServer({ [urlPath]: body })
  await using place = await openTestEnv(hub.origin)
  const first = await fetchFile(file, place.env)
  expect(first).toEqual({ ok: true, value: { path: cachedPath(place.env), sha256: file.sha256 } })
  expect(await readFile(cachedPath(place.env), 'utf8')).toBe(body)
  expect(await fetchFile(file, place.env)).toEqual(first)
  expect(hub.asked).toEqual([{ path: urlPath, authorization: null }])
  expect(await leftovers(place.env)).toEqual(['test file.jsonl'])
})

test('[DATA2] other bytes than the pinned ones are refused and not kept', async () => {
  await using hub = await openFileServer({ [urlPath]: `${body}x` })
  await using place = await openTestEnv(hub.origin)
  const outcome = await fetchFile(file, place.env)
  expect(outcome).toMatchObject({ ok: false, failure: { at: 'dataset', reason: 'mismatch', retryable: false } })
  expect(outcome.ok === false && outcome.failure.detail).toContain(sha256Of(`${body}x`))
  expect(await leftovers(place.env)).toEqual([])
})

test('[DATA3] without a pinned hash the one that was seen is returned and holds for later opens', async () => {
  await using hub = await openFileServer({ [urlPath]: body })
  await using place = await openTestEnv(hub.origin)
  const unpinned = { ...file, sha256: null }
  expect(await fetchFile(unpinned, place.env)).toMatchObject({ ok: true, value: { sha256: sha256Of(body) } })
  await writeFile(cachedPath(place.env), 'tampered')
  expect(await fetchFile(unpinned, place.env)).toMatchObject({ ok: true, value: { sha256: sha256Of(body) } })
  expect(await readFile(cachedPath(place.env), 'utf8')).toBe(body)
  expect(hub.asked).toHaveLength(2)
})

test('[DATA4] the token goes to the first host and its own redirects, never to another origin, not even when that one leads back', async () => {
  await using cdn = await openLoopbackServer((path, response) => {
    if (path === '/blob') response.writeHead(302, { location: `${hub.origin}/back` }).end()
    else response.writeHead(404).end()
  })
  await using hub = await openLoopbackServer((path, response) => {
    if (path === urlPath) response.writeHead(307, { location: '/renamed' }).end()
    else if (path === '/renamed') response.writeHead(302, { location: `${cdn.origin}/blob` }).end()
    else response.writeHead(200).end(body)
  })
  await using place = await openTestEnv(hub.origin, { HF_TOKEN: 'hf_secret' })
  expect((await fetchFile(file, place.env)).ok).toBe(true)
  const bearer = 'Bearer hf_secret'
  expect(hub.asked.map((one) => [one.path, one.authorization])).toEqual([
    [urlPath, bearer],
    ['/renamed', bearer],
    ['/back', null],
  ])
  expect(cdn.asked).toEqual([{ path: '/blob', authorization: null }])
})

test('[DATA4] redirects are counted, and only web addresses are followed', async () => {
  for (const location of ['/again', 'file:///etc/passwd', 'http://']) {
    await using hub = await openLoopbackServer((_path, response) => void response.writeHead(302, { location }).end())
    await using place = await openTestEnv(hub.origin)
    expect(await fetchFile(file, place.env)).toMatchObject({ ok: false, failure: { reason: 'unavailable' } })
    expect(hub.asked.length).toBeLessThanOrEqual(6)
  }
})

test('[DATA5] a gated data set says where to accept its terms and which variable to set', async () => {
  for (const status of [401, 403]) {
    await using hub = await openLoopbackServer((_path, response) => void response.writeHead(status, { 'x-error-code': 'GatedRepo' }).end())
    await using place = await openTestEnv(hub.origin)
    const outcome = await fetchFile(file, place.env)
    expect(outcome).toMatchObject({ ok: false, failure: { at: 'dataset', reason: 'gated', retryable: false, status } })
    expect(outcome.ok === false && outcome.failure.detail).toContain(`${hub.origin}/datasets/acme/spiders`)
    expect(outcome.ok === false && outcome.failure.detail).toContain('HF_TOKEN')
  }
})

test('[DATA5] an unknown repository and a refusal by the CDN are not called gated', async () => {
  await using hub = await openLoopbackServer((_path, response) => void response.writeHead(401, { 'x-error-code': 'RepoNotFound' }).end())
  await using place = await openTestEnv(hub.origin)
  expect(await fetchFile(file, place.env)).toMatchObject({ ok: false, failure: { reason: 'unavailable', status: 401, retryable: false } })

  await using cdn = await openLoopbackServer((_path, response) => void response.writeHead(403).end())
  await using front = await openLoopbackServer((_path, response) => void response.writeHead(302, { location: cdn.origin }).end())
  await using other = await openTestEnv(front.origin)
  expect(await fetchFile(file, other.env)).toMatchObject({ ok: false, failure: { reason: 'unavailable', status: 403, retryable: true } })
})

test('[DATA6] a missing file is final, a server error, a dead host, silence and a cut body may be tried again, and all say what to do', async () => {
  const answers = [
    { retryable: false, status: 404, answer: 404 },
    { retryable: true, status: 503, answer: 503 },
    { retryable: true, status: null, answer: 'cut' },
    { retryable: true, status: null, answer: 'silent' },
  ] as const
  for (const { retryable, status, answer } of answers) {
    await using hub = await openLoopbackServer((_path, response) => {
      if (typeof answer === 'number') response.writeHead(answer).end()
      else if (answer === 'cut') response.writeHead(200, { 'content-length': 1000 }).write(body, () => response.destroy())
    })
    await using place = await openTestEnv(hub.origin)
    const outcome = await fetchFile(file, { ...place.env, idleTimeoutMs: answer === 'silent' ? 30 : 60_000 })
    expect(outcome, String(answer)).toMatchObject({ ok: false, failure: { at: 'dataset', reason: 'unavailable', retryable, status } })
    for (const word of ['HF_ENDPOINT', 'BENCH_DATA_DIR', 'sample']) expect(outcome.ok === false && outcome.failure.detail).toContain(word)
    expect(await leftovers(place.env)).toEqual([])
  }
  await using gone = await openTestEnv('http://127.0.0.1:1')
  expect(await fetchFile(file, gone.env)).toMatchObject({ ok: false, failure: { reason: 'unavailable', retryable: true, status: null } })
})

test('[DATA6] an aborted download throws the reason of its signal and leaves nothing', async () => {
  const stop = new AbortController()
  await using hub = await openLoopbackServer(
    (_path, response) => void response.writeHead(200).write('part', () => stop.abort(new Error('closing'))),
  )
  await using place = await openTestEnv(hub.origin)
  await expect(fetchFile(file, { ...place.env, signal: stop.signal })).rejects.toThrow('closing')
  expect(await leftovers(place.env)).toEqual([])
})

test('[DATA7] a cached file that changed on the disk is fetched again, also when size and modification time are as before', async () => {
  await using hub = await openFileServer({ [urlPath]: body })
  await using place = await openTestEnv(hub.origin)
  await fetchFile(file, place.env)
  const { atime, mtime } = await stat(cachedPath(place.env))
  await writeFile(cachedPath(place.env), body.replace('spider', 'beetle'))
  await utimes(cachedPath(place.env), atime, mtime)
  expect((await fetchFile(file, place.env)).ok).toBe(true)
  expect(await readFile(cachedPath(place.env), 'utf8')).toBe(body)
  expect(hub.asked).toHaveLength(2)
})

test('[DATA7] a file that was verified and did not change is not read again', async () => {
  await using hub = await openFileServer({ [urlPath]: body })
  await using place = await openTestEnv(hub.origin)
  await fetchFile(file, place.env)
  const folder = join(place.env.cacheDir, 'verified')
  const name = (await readdir(folder))[0] ?? ''
  const mark = JSON.parse(await readFile(join(folder, name), 'utf8'))
  await writeFile(join(folder, name), JSON.stringify({ ...mark, sha256: 'c'.repeat(64) }))
  expect(await fetchFile({ ...file, sha256: 'c'.repeat(64) }, place.env)).toMatchObject({ ok: true, value: { sha256: 'c'.repeat(64) } })
  expect(hub.asked).toHaveLength(1)
})

test('[DATA8] many who want one file at once cause one download', async () => {
  await using hub = await openFileServer({ [urlPath]: body })
  await using place = await openTestEnv(hub.origin)
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => fetchFile(file, place.env)))
  expect(outcomes.every((outcome) => outcome.ok)).toBe(true)
  expect(hub.asked).toHaveLength(1)
  expect(await leftovers(place.env)).toEqual(['test file.jsonl'])
})

test('[DATA8] what a killed process left behind, its lock and its partial file, does not hinder the next one', async () => {
  await using hub = await openFileServer({ [urlPath]: body })
  await using place = await openTestEnv(hub.origin)
  await mkdir(dirname(cachedPath(place.env)), { recursive: true })
  await writeFile(`${cachedPath(place.env)}.lock`, JSON.stringify({ pid: 2 ** 30, host: hostname() }))
  await writeFile(`${cachedPath(place.env)}.0000.part`, 'half a fi')
  expect((await fetchFile(file, place.env)).ok).toBe(true)
  const old = new Date(Date.now() - 3_600_000)
  await writeFile(cachedPath(place.env), 'spoiled')
  await writeFile(`${cachedPath(place.env)}.lock`, JSON.stringify({ pid: 1, host: 'another-host' }))
  await utimes(`${cachedPath(place.env)}.lock`, old, old)
  expect((await fetchFile(file, place.env)).ok).toBe(true)
  expect(await leftovers(place.env)).toEqual(['test file.jsonl'])
})

test('[DATA9] BENCH_DATA_DIR is looked into first, its files are checked too, and what it lacks is fetched', async () => {
  await using hub = await openFileServer({ [urlPath]: body })
  await using place = await openTestEnv(hub.origin)
  const env = { ...place.env, dataDir: join(place.root, 'mirror') }
  const own = join(env.dataDir, file.repo, file.path)
  await mkdir(dirname(own), { recursive: true })
  await writeFile(own, body)
  expect(await fetchFile(file, env)).toEqual({ ok: true, value: { path: own, sha256: file.sha256 } })
  expect(hub.asked).toEqual([])
  await writeFile(own, 'something else')
  expect(await fetchFile(file, env)).toMatchObject({ ok: false, failure: { reason: 'mismatch' } })
  expect(await fetchFile(file, { ...env, dataDir: join(place.root, 'empty') })).toMatchObject({
    ok: true,
    value: { path: cachedPath(env) },
  })
})

test('[DATA10] a name that would leave its folder is refused before anything is asked or written', async () => {
  await using hub = await openFileServer({})
  await using place = await openTestEnv(hub.origin)
  const names = ['../x', 'a/../../x', '/etc/passwd', 'a//b', 'a\\..\\b', 'c:x', '']
  for (const wanted of names.flatMap((name) => [
    { ...file, path: name },
    { ...file, repo: name },
    { ...file, revision: name },
  ])) {
    expect(await fetchFile(wanted, place.env)).toMatchObject({ ok: false, failure: { reason: 'unavailable', retryable: false } })
  }
  expect(hub.asked).toEqual([])
  expect(existsSync(place.env.cacheDir)).toBe(false)
})
