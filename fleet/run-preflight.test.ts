import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { Failure } from '#shared/contract/failure.ts'
import { noUsage } from '#shared/contract/usage.ts'
import type { Results } from '#shared/export/bundle-schema.ts'
import { runBench } from './cli/fixture-api.ts'
import { pinnedKey, verifyFile } from './cli/verify.ts'
import type { PreflightMade } from './preflight.ts'
import { settled, startWorker } from './testing/start-worker.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-preflight-'))
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})
afterAll(() => rmSync(folder, { recursive: true }))

const refused: Failure = { at: 'provider', reason: 'unauthorized', retryable: false, status: 401, detail: 'HTTP 401' }

const nothingFound = { calls: [], listed: null, context_length: null, spent: { usage: noUsage, cost_usd: null } }

/** A worker that is told to look first with its first leases; `end` ends the look under way. */
async function startLooking() {
  const looks: { end(made: PreflightMade): void; fail(error: Error): void; signal: AbortSignal }[] = []
  const look = (signal: AbortSignal) => new Promise<PreflightMade>((end, fail) => void looks.push({ end, fail, signal }))
  const base = startWorker(4, 2, undefined, undefined, look)
  const { worker, coordinator } = base
  const told: [number, boolean][] = []
  let round: number | undefined = 1
  await worker.start({
    ...coordinator,
    claim: async (count, ...more) => {
      const leases = await coordinator.claim(count, ...more)
      if (leases.length > 0 && round !== undefined) worker.events.onPreflight!(round)
      return leases
    },
    preflight: (which, _found, halt) => {
      told.push([which, halt !== null])
      round = undefined
    },
  })
  await settled()
  return { ...base, told, looks, ask: (next: number) => (round = next) }
}

test('[PROV6] a worker begins nothing of what it got before its look has been told', async () => {
  const { worker, asked, told, looks, claims } = await startLooking()
  expect([looks.length, asked, told, claims.length]).toEqual([1, [], [], 1])
  looks[0]!.end({ found: nothingFound, halt: null })
  await settled()
  expect([told, asked.length > 0]).toEqual([[[1, false]], true])
  await worker.stop(0)
})

test('[PROV8] a look that stops the run gives everything back and asks nothing, until the run goes on and is looked at again', async () => {
  const { worker, asked, told, looks, released, leases, ask } = await startLooking()
  looks[0]!.end({ found: nothingFound, halt: { failure: refused, until: null } })
  await settled()
  expect([told, asked, released.length]).toEqual([[[1, true]], [], 4])
  leases.push(...released.map((ordinal) => ({ ordinal, attempt: 2, benchmark: 'mmlu_pro', item_id: String(ordinal), epoch: 0 })))
  ask(2)
  worker.events.onState({ status: 'running', concurrency: 2, open: 4 })
  await settled()
  expect(looks).toHaveLength(2)
  looks[1]!.end({ found: nothingFound, halt: null })
  await settled()
  expect([told.at(-1), asked.length > 0]).toEqual([[2, false], true])
  await worker.stop(0)
})

test('[PROV6] a worker that is let go ends its look, and one that breaks in it parks the run', async () => {
  const left = await startLooking()
  await left.worker.stop(0)
  expect([left.looks[0]!.signal.aborted, left.told, left.asked]).toEqual([true, [], []])
  const broken = await startLooking()
  broken.looks[0]!.fail(new Error('half a thing'))
  await settled()
  expect(broken.told).toEqual([[1, true]])
  await broken.worker.stop(0)
})

/** An OpenAI-compatible server on loopback; `asked` are the contents of the questions it got. */
async function openServer(status = 200) {
  const asked: string[] = []
  const server = createServer((req, res) => {
    let text = ''
    req.on('data', (chunk) => (text += chunk))
    req.on('end', () => {
      if (req.url === '/v1/models') return void res.end(JSON.stringify({ data: [{ id: 'lab/m', max_model_len: 32_768 }] }))
      asked.push(JSON.parse(text).messages.at(-1).content)
      if (status !== 200) return void res.writeHead(status).end('{"detail":"Invalid token."}')
      const usage = { prompt_tokens: 10, completion_tokens: 1 }
      const chunk = { model: 'lab/m', choices: [{ delta: { content: 'The answer is (A).' }, finish_reason: 'stop' }], usage }
      res.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has an address record
  const nowhere = 'http://127.0.0.1:9'
  const env = {
    BENCH_DATA: join(folder, 'data'),
    HF_ENDPOINT: nowhere,
    GITHUB_RAW_ENDPOINT: nowhere,
    GITHUB_ARCHIVE_ENDPOINT: nowhere,
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
  }
  return { asked, env }
}
const sample = ['run', '--local', '-m', 'lab/m', '-b', 'mmlu_pro', '--limit', '5', '--profile', 'builtin', '--data', 'sample', '--json']

test('[PROV10] a run is looked at once, and what was found stands with its state and in its signed results', async () => {
  const { asked, env } = await openServer()
  const { code, out } = await runBench([...sample, '--out', mkdtempSync(join(folder, 'out-'))], env)
  const { head, bundle, dir } = JSON.parse(out.at(-1)!)
  expect({ code, asked: asked.length }).toEqual({ code: 0, asked: 6 })
  expect(asked.filter((content) => content === 'Reply with OK.')).toHaveLength(1)
  expect(head.usage.input_tokens).toBe(50)
  expect(head.preflight).toMatchObject({
    round: 1,
    found: { agent_id: 'local', listed: true, context_length: 32_768, calls: [{ failure: null, usage_told: true }] },
    spent: { usage: { input_tokens: 10, output_tokens: 1 }, cost_usd: null },
  })
  const files = unzipSync(readFileSync(bundle))
  const name = Object.keys(files).find((path) => path.endsWith('results.json'))!
  const results: Results = JSON.parse(strFromU8(files[name]!))
  const { agent_id: _, session: _s, ...shown } = head.preflight.found
  expect(results.preflight).toEqual(shown)
  const keys = [pinnedKey(readFileSync(join(dir, 'public_key.txt'), 'utf8'))]
  const { report } = await verifyFile(bundle, { keys, now: new Date() })
  expect([report.valid, report.errors]).toEqual([true, []])
})

test('[PROV12] a local run with a key that is refused stops after one question and says so', async () => {
  const { asked, env } = await openServer(401)
  const out = mkdtempSync(join(folder, 'out-'))
  const { code, out: printed } = await runBench([...sample.filter((word) => word !== '--json'), '--out', out], env)
  expect([code === 0, asked]).toEqual([false, ['Reply with OK.']])
  expect(printed.join('\n')).toContain('lab/m did not answer (provider/unauthorized).')
  expect(printed.join('\n')).toMatch(/parked \(provider\/unauthorized\): .*Invalid token/)
})
