import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { drainMs } from '#shared/run/patience.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8')

/** Instructions of the Dockerfile's last stage, the image itself; continued lines are joined. */
function imageInstructions(): { word: string; rest: string }[] {
  const lines = read('fleet', 'Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ word: line.split(' ')[0]!, rest: line.slice(line.indexOf(' ') + 1) }))
  return lines.slice(lines.findLastIndex(({ word }) => word === 'FROM'))
}

const restOf = (word: string): string[] => imageInstructions().flatMap((one) => (one.word === word ? [one.rest] : []))

test('[AGENT80] the image holds what its build stage made and nothing else, and runs it without a shell and without root', () => {
  expect(restOf('FROM')).toEqual(['scratch'])
  expect(restOf('RUN').concat(restOf('ADD'))).toEqual([])
  for (const copy of restOf('COPY')) expect(copy).toMatch(/^--from=build /)
  expect(restOf('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)])
  const health = restOf('HEALTHCHECK').map((rest) => rest.slice(rest.indexOf('CMD ') + 4))
  const commands = [...restOf('ENTRYPOINT'), ...restOf('CMD'), ...health].map((json) => JSON.parse(json) as string[])
  expect(commands).toEqual([['/usr/bin/node', '/app/bench.mjs'], ['agent'], ['/usr/bin/node', '/app/bench.mjs', 'agent', '--health']])
})

test('[AGENT80] only the sources that the program is made of reach the build', () => {
  const rules = read('fleet', 'Dockerfile.dockerignore').trim().split('\n')
  expect(rules[0]).toBe('*')
  expect(rules.filter((rule) => rule.startsWith('!'))).toEqual(['!package.json', '!package-lock.json', '!shared', '!fleet'])
})

test('[AGENT353] compose passes every variable of .env on to the agent, whose data stays in its volume', () => {
  const [service = ''] = read('fleet.compose.yml').split(/\n {2}(?=scaler:)/)
  const compose = parse(`${service}\n`) as {
    services: { agent: { env_file: unknown; environment: Record<string, unknown>; volumes: string[] } }
  }
  const { env_file, environment, volumes } = compose.services.agent
  expect(env_file).toEqual([{ path: '.env', required: false }])
  // What is written in the file goes before .env; a name alone takes the shell's value or that of .env.
  expect([environment.BENCH_DATA, volumes]).toEqual(['/data', ['data:/data']])
  const named = Object.keys(environment).filter((name) => environment[name] === null)
  expect(named).toEqual(expect.arrayContaining(['BENCH_PROVIDERS', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']))
})

test('[AGENT81] compose gives an agent no right it does not need, and more time to stop than it takes', () => {
  const [service = '', scaler = ''] = read('fleet.compose.yml').split(/\n {2}(?=scaler:)/)
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'security_opt: ["no-new-privileges:true"]'])
    expect(service).toContain(`\n    ${line}\n`)
  expect(service).not.toMatch(/ports:|privileged: true|docker\.sock/)
  const graceSeconds = Number(/stop_grace_period: (\d+)s/.exec(service)?.[1])
  expect(graceSeconds * 1000).toBeGreaterThanOrEqual(drainMs + 10_000)
  // What starts agents has the engine's socket, starts only when it is asked for, and gives its agents nothing.
  expect(scaler).toMatch(/\n {4}profiles: \[scale\]\n/)
  expect(scaler).not.toMatch(/ports:|privileged: true/)
})
