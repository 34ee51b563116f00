import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FetchMeans, fetchPublic, NotFetched, publicMeans } from './fetch-public.ts'

const never = new AbortController().signal
const text = 'a file of the internet'
const seen: string[] = []
let folder = ''
let port = 0
const server = createServer(({ url = '', headers }, response) => {
  seen.push(`${headers.host} ${url}`)
  const [, way = '', rest = ''] = /^\/([a-z-]*)\/?(.*)$/.exec(url) ?? []
  if (way === 'to') response.writeHead(302, { location: decodeURIComponent(rest) }).end()
  else if (way === 'round') response.writeHead(301, { location: '/round' }).end()
  else if (way === 'cut') {
    response.writeHead(200, { 'content-length': 1000 })
    response.write('half', () => response.destroy())
  } else if (way === 'gone') response.writeHead(404).end()
  else response.end(text)
})

/** The server of this test stands for the public internet at 127.0.0.1; every other address is as closed as it is. */
const means: FetchMeans = {
  resolve: async (host) =>
    host === 'two.example'
      ? [
          { address: '127.0.0.1', family: 4 },
          { address: '169.254.169.254', family: 4 },
        ]
      : host === 'turned.example'
        ? [{ address: '10.0.0.1', family: 4 }]
        : host === 'nowhere.example'
          ? []
          : [{ address: '127.0.0.1', family: 4 }],
  problemOf: publicMeans.problemOf,
  mayReach: (address) => address === '127.0.0.1' || publicMeans.mayReach(address),
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-fetch-test-'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port // it listens on a port
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await rm(folder, { recursive: true, force: true })
})

const place = (changes: { most_bytes?: number; checksum?: string | null } = {}) => ({
  ...{ path: join(folder, 'file'), most_bytes: 1000, checksum: null },
  ...changes,
})
const at = (path: string, host = 'files.example') => `http://${host}:${port}/${path}`

test('[MACH392] a file is fetched from where its name was looked up, through redirects, with its checksum', async () => {
  const sum = `sha256:${createHash('sha256').update(text).digest('hex')}`
  expect(await fetchPublic(at(`to/${encodeURIComponent(at('x', 'other.example'))}`), place({ checksum: sum }), never, means)).toBe(
    text.length,
  )
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe(text)
  expect(seen.slice(-1)).toEqual([`other.example:${port} /x`])
})

test.each([
  ['a redirect to a closed address', 'to/http%3A%2F%2F127.0.0.1%2Fx', 'no address of the public internet'],
  ['a redirect to a closed spelling', 'to/http%3A%2F%2F2130706433%2Fx', 'no address of the public internet'],
  ['a redirect to a closed name', 'to/http%3A%2F%2Fmetadata.google.internal%2Fx', 'a name of a local network'],
  ['a redirect to a name at a closed address', 'to/http%3A%2F%2Fturned.example%2Fx', 'its host is at no address of the public internet'],
  ['a redirect to another scheme', 'to/file%3A%2F%2F%2Fetc%2Fpasswd', 'only http'],
  ['redirects without end', 'round', 'redirects more than 5 times'],
  ['an answer that is none', 'gone', 'HTTP 404'],
  ['an answer that breaks off', 'cut', 'the connection broke'],
])('[MACH392] %s is not followed', async (_what, path, why) => {
  await expect(fetchPublic(at(path), place(), never, means)).rejects.toThrow(why)
})

test('[MACH392] a name with one closed address is not connected to, nor one without any; size and checksum are kept', async () => {
  const asked = seen.length
  for (const host of ['two.example', 'turned.example', 'nowhere.example'])
    await expect(fetchPublic(at('x', host), place(), never, means)).rejects.toBeInstanceOf(NotFetched)
  expect(seen).toHaveLength(asked)
  await expect(fetchPublic(at('x'), place({ most_bytes: 5 }), never, means)).rejects.toThrow('a file has more than')
  await expect(fetchPublic(at('x'), place({ checksum: `sha256:${'0'.repeat(64)}` }), never, means)).rejects.toThrow(
    'its checksum is sha256:',
  )
  for (const url of [at('x', '127.0.0.1'), at('x', 'localhost'), at('x', '[::1]')])
    await expect(fetchPublic(url, place(), never)).rejects.toBeInstanceOf(NotFetched)
  const given = new AbortController()
  given.abort(new Error('given up'))
  await expect(fetchPublic(at('x'), place(), given.signal, means)).rejects.toThrow('given up')
})
