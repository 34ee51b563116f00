import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someOf } from '#shared/testing/draws.ts'
import { startHost } from './host.ts'

// The real export routes in workerd behind the local host's socket, over a record that breaks off while the file is on its way.
const root = resolve(import.meta.dirname, '..', '..')
const path = '/api/runs/11111111-1111-4111-8111-111111111111/export'
let dir: string
let host: Awaited<ReturnType<typeof startHost>>

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bench-break-'))
  const server = join(dir, 'dist', 'server')
  mkdirSync(server, { recursive: true })
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      ssr: join(root, 'edge', 'testing', 'export-worker.ts'),
      outDir: server,
      target: 'es2024',
      rolldownOptions: { output: { entryFileNames: 'index.js' } },
    },
  })
  const config = { main: 'index.js', compatibility_date: '2026-09-01', compatibility_flags: ['nodejs_compat'] }
  writeFileSync(join(server, 'wrangler.json'), JSON.stringify(config))
  host = await startHost({ server_dir: server, data_dir: dir, port: 0, bindings: {} }, () => undefined)
})
afterAll(async () => {
  await host.stop()
  rmSync(dir, { recursive: true, force: true })
})

/** What a client has at the end: the length it was told, the bytes it got, and whether the message was complete. */
async function download(format: string, headers: Record<string, string>) {
  const ended = Promise.withResolvers<{ status: number | undefined; told: number; got: number; complete: boolean }>()
  const asked = request(`${host.url}${path}?format=${format}`, { headers, agent: false }, (response) => {
    let got = 0
    response.on('data', (chunk: Buffer) => (got += chunk.length))
    response.on('error', () => undefined) // what broke is read from `complete`
    response.on('close', () => {
      ended.resolve({ status: response.statusCode, told: Number(response.headers['content-length']), got, complete: response.complete })
    })
  })
  asked.on('error', ended.reject).end()
  return ended.promise
}

const formats = someOf(['csv', 'json', 'jsonl', 'zip'], 2)

test('[API101] an export that breaks on its way breaks the connection, in any format and with every encoding', async () => {
  for (const format of formats) {
    const { status } = await fetch(`${host.url}${path}?format=${format}`, { method: 'HEAD' })
    expect([format, status]).toEqual([format, 200])
  }
  await fetch(`${host.url}/break`)
  for (const format of formats) {
    for (const encoding of ['identity', 'gzip, deflate, br']) {
      const { status, told, got, complete } = await download(format, { 'accept-encoding': encoding })
      expect({ format, encoding, status, complete }).toEqual({ format, encoding, status: 200, complete: false })
      expect(got).toBeGreaterThan(0)
      expect(got).toBeLessThan(told)
    }
  }
}, 240_000)
