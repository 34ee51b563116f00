import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const script = join(root, 'docs/autoscaling/follow-demand.sh')
const amount = (cpus: number, calls: number) => ({ trials: 1, calls, cpus, memory_mb: 0, disk_mb: 0 })

/** One look of the script at a service that says this, or nothing; gives what it told Docker. */
async function look(said: unknown, env: Record<string, string> = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'follow-demand-'))
  const told = join(folder, 'told')
  const docker = join(folder, 'docker')
  writeFileSync(told, '')
  writeFileSync(docker, `#!/bin/sh\necho "$@" >> ${told}\n`)
  chmodSync(docker, 0o755)
  const server = createServer((request, response) => {
    if (request.headers.authorization !== 'Bearer key') return void response.writeHead(401).end()
    response.writeHead(said === null ? 503 : 200).end(JSON.stringify(said))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = { BENCH_EDGE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, BENCH_METRICS_KEY: 'key', ONCE: '1' }
  try {
    await promisify(execFile)('sh', [script], { env: { PATH: `${folder}:${process.env.PATH}`, ...own, ...env } })
    return readFileSync(told, 'utf8').trim()
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
}
const scaled = (agents: number) => `compose -f fleet.compose.yml up -d --no-recreate --scale agent=${agents} agent`
const demand = (cpus: number, calls: number) => ({ runs: 1, open: 1, wanted: amount(cpus, calls), waiting: amount(1, 1), oldest_wait_s: 0 })

test('[OBS14] so many agents that processors and calls have room, within the bounds', async () => {
  expect(await look(demand(20.5, 0))).toBe(scaled(3))
  expect(await look(demand(4, 1000))).toBe(scaled(4))
  expect(await look(demand(0, 0))).toBe(scaled(1))
  expect(await look(demand(4000, 0), { MOST_AGENTS: '7' })).toBe(scaled(7))
  expect(await look(demand(64, 0), { AGENT_CPUS: '2' })).toBe(scaled(20))
})

test('[FLEETUP8] SCALE_COMMAND gets the number of agents in WANTED_AGENTS, and Docker is told nothing', async () => {
  const command = (text: string) => ({ SCALE_COMMAND: text, LEAST_AGENTS: '0', AGENT_CPUS: '16', MOST_AGENTS: '10' })
  const told = 'docker tofu apply -var servers=$WANTED_AGENTS' // the stand-in for Docker writes what it is told
  expect(await look(demand(40, 0), command(told))).toBe('tofu apply -var servers=3')
  expect(await look(demand(0, 0), command(told))).toBe('tofu apply -var servers=0')
  expect(await look(demand(4000, 0), command(told))).toBe('tofu apply -var servers=10')
  expect(await look(demand(40, 0), command('false'))).toBe('')
})

test('[OBS14] a service that does not answer, or refuses the key, changes nothing', async () => {
  expect([await look(null), await look(demand(64, 0), { BENCH_METRICS_KEY: 'other' })]).toEqual(['', ''])
  expect(() => execFileSync('sh', [script], { env: { PATH: process.env.PATH ?? '' }, stdio: 'pipe' })).toThrow('address of the service')
})
