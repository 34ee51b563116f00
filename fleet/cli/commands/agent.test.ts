import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { closeCodes } from '#shared/contract/frame.ts'
import { runBench } from '../fixture-api.ts'

const dir = mkdtempSync(join(tmpdir(), 'bench-agent-cli-'))
afterAll(() => rmSync(dir, { recursive: true }))

test.each([
  ['nowhere to join', ['agent'], {}, 'Say which service to join: --edge URL or BENCH_EDGE_URL.'],
  ['no token', ['agent', '--edge', 'http://127.0.0.1:9'], {}, 'Give the agent token in BENCH_AGENT_TOKEN'],
  ['no slots', ['agent', '--slots', '0'], {}, '--slots: must be at least 1'],
  ['too many slots', ['agent', '--slots', '10001'], {}, '--slots: must be at most 10000'],
])('[CLI5] an agent with %s is a usage error', async (_, args, env, sentence) => {
  const { code, out, err } = await runBench(args, env)
  expect({ code, out }).toEqual({ code: 2, out: [] })
  expect(err.join('\n')).toContain(sentence)
})

test('[AGENT33] where no agent of a name runs, its health says so, to people and to programs', async () => {
  const health = (...more: string[]) => runBench(['agent', '--health', '--name', 'nobody', '--data-dir', dir, ...more])
  expect(await health()).toMatchObject({ code: 1, out: ['not ok: no agent of this name runs here'] })
  expect((await health('--json')).out.map((line) => JSON.parse(line))).toEqual([{ ok: false, detail: 'no agent of this name runs here' }])
})

test('[AGENT60] an agent comes under the name and with the slots that it was given', async () => {
  const http = createServer()
  const edge = new WebSocketServer({ server: http })
  const heard: unknown[] = []
  edge.on('connection', (socket) =>
    socket.once('message', (data) => {
      heard.push(JSON.parse(String(data)))
      socket.close(closeCodes.replaced)
    }),
  )
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const given = ['--name', 'box-7', '--slots', '10000', '--data-dir', dir]
  const { code } = await runBench(['agent', '--edge', `${url}/`, ...given], { BENCH_AGENT_TOKEN: 'agt_12345678' })
  expect(code).toBe(1)
  expect(heard).toMatchObject([{ type: 'hello', agent_id: 'box-7', slots: 10_000 }])
  edge.close()
  http.close()
})
