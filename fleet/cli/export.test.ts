import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sampleBundle, sampleRun } from '#shared/export/testing/sample-run.ts'
import { exampleRunId, type FixtureApi, openFixtureApi, problem, runBench } from './fixture-api.ts'

const route = `GET /api/runs/${exampleRunId}/export`
let api: FixtureApi
let dir: string
beforeAll(async () => {
  api = await openFixtureApi()
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bench-export-'))
  return () => rmSync(dir, { recursive: true })
})

const headersOf = (body: Buffer, trials: number | null, told: Buffer = body) => ({
  'content-length': String(body.length),
  'content-encoding': 'identity',
  'repr-digest': `sha-256=:${createHash('sha256').update(told).digest('base64')}:`,
  etag: `"${body.length}"`,
  ...(trials !== null && { 'x-trials': String(trials) }),
})
const lines = (count: number) => Buffer.from(Array.from({ length: count }, (_, at) => `{"ordinal":${at},"text":"a\u2028b"}\n`).join(''))
const bench = async (format: string) => {
  const path = join(dir, `run.${format}`)
  const { code, err } = await runBench(['export', exampleRunId, '-f', format, '-o', path], { BENCH_URL: api.url })
  return { code, err: err.join('\n'), files: readdirSync(dir), path }
}
/** Sends so many bytes of what was told, then cuts the connection. */
const cutAfter = (response: ServerResponse, bytes: Buffer) => response.write(bytes, () => response.destroy())

test('[CLI110] a file that is what the service told gets its name', async () => {
  const bundle = Buffer.from(await sampleBundle(sampleRun(3)))
  const csv = Buffer.from('item_id,prompt\r\n1,"two\r\nlines"\r\n2,x\r\n')
  const json = Buffer.from('{"run":{},"trials":[\n{"id":1},\n{"id":2}\n]}\n')
  for (const [format, body, trials] of [
    ['zip', bundle, 7],
    ['csv', csv, 2],
    ['json', json, 2],
    ['jsonl', lines(3), 3],
    ['pdf', Buffer.from('%PDF-1.7 a report'), null],
  ] as const) {
    api.on(route, ({ query }, response) => {
      expect(query.get('format')).toBe(format)
      response.writeHead(200, headersOf(body, trials)).end(body)
    })
    expect(await bench(format)).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(join(dir, `run.${format}`))).toEqual(body)
  }
})

test('[CLI110] another hash, too few trials, an archive that does not hold: exit code 1 and no file', async () => {
  const bundle = Buffer.from(await sampleBundle(sampleRun(3)))
  const changed = Buffer.from(bundle)
  changed[100]! ^= 1
  for (const [format, body, trials, told, sentence] of [
    ['jsonl', lines(3), 3, lines(4), 'SHA-256 differs'],
    ['jsonl', lines(3), 4, lines(3), '3 of 4 trials'],
    ['json', Buffer.from('{"run":{},"trials":[\n{"id":1}'), 1, undefined, 'of 1 trials'],
    ['zip', changed, 7, undefined, 'does not hold'],
    ['pdf', Buffer.from('%PDF-1.7 a report'), null, Buffer.from('another'), 'SHA-256 differs'],
  ] as const) {
    api.on(route, (_, response) => void response.writeHead(200, headersOf(body, trials, told)).end(body))
    const { code, err, files } = await bench(format)
    expect({ code, files }).toEqual({ code: 1, files: [] })
    expect(err).toContain(sentence)
  }
})

test('[CLI111] a download that breaks goes on where it ended, also when the service is away in between', async () => {
  const body = lines(50_000)
  const asked: (string | undefined)[] = []
  api.on(route, (given, response) => {
    const { headers } = given
    const count = asked.push(headers.range)
    if (count === 2) return problem(503, 'unavailable', 'Away.')(given, response, count)
    const from = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0)
    const rest = body.subarray(from)
    const told = { ...headersOf(body, 50_000), 'content-length': String(rest.length), 'content-range': `bytes ${from}-/${body.length}` }
    response.writeHead(from > 0 ? 206 : 200, told)
    if (count < 4) cutAfter(response, rest.subarray(0, 200_000))
    else response.end(rest)
  })
  const { code, err, path } = await bench('jsonl')
  expect(code).toBe(0)
  expect(readFileSync(path)).toEqual(body)
  expect(err).toContain('The download broke off after')
  expect([asked[0], asked.length]).toEqual([undefined, 4])
  expect(asked.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true)
})

test('[CLI111] a file that is another one by now begins anew', async () => {
  const [before, after] = [lines(30_000), lines(20_000)]
  let count = 0
  api.on(route, (_, response) => {
    count += 1
    const body = count === 1 ? before : after
    response.writeHead(200, headersOf(body, count === 1 ? 30_000 : 20_000))
    if (count === 1) cutAfter(response, body.subarray(0, 200_000))
    else response.end(body)
  })
  const { code, path } = await bench('jsonl')
  expect([code, readFileSync(path).length]).toEqual([0, after.length])
})

test('[CLI111] a download that breaks again and again ends with exit code 1 and no file; a refusal is told at once', async () => {
  const body = lines(1000)
  api.on(route, (_, response) => {
    response.writeHead(200, headersOf(body, 1000))
    cutAfter(response, body.subarray(0, 100))
  })
  const broken = await bench('jsonl')
  expect({ code: broken.code, files: broken.files }).toEqual({ code: 1, files: [] })
  expect(broken.err).toMatch(/broke off after 0\.0 MiB of 0\.0 MiB/)
  let asked = 0
  api.on(route, (given, response, count) => {
    asked += 1
    problem(503, 'unavailable', 'Away.')(given, response, count)
  })
  expect((await bench('csv')).code).toBe(1)
  expect([asked, existsSync(join(dir, 'run.csv.part'))]).toEqual([1, false])
})
