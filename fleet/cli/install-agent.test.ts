import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { drainMs } from '#shared/run/patience.ts'
import { environmentText, groupsOf, servicePlace, unitText, writeService } from './agent-service.ts'
import { runBench } from './fixture-api.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bench-install-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const system = () => servicePlace({ isRoot: true, home: '/root', root })
const own = () => servicePlace({ isRoot: process.getuid?.() === 0, home: homedir(), root })
const token = { BENCH_AGENT_TOKEN: 'agt_12345678' }
const install = (env: Record<string, string>, ...more: string[]) =>
  runBench(['agent', 'install', '--edge', 'https://bench.example.org/', '--root', root, ...more], env)

test('[FLEETUP5] install writes a unit and an environment that only its owner reads, and prints the commands that start it', async () => {
  const { code, out } = await install({ ...token, CHUTES_API_KEY: 'cpk_secret', UNRELATED: 'x' }, '--slots', '64', '--name', 'box-7')
  expect(code).toBe(0)
  const { unit, environment } = own()
  expect(statSync(environment).mode & 0o777).toBe(0o600)
  expect(readFileSync(environment, 'utf8').split('\n').filter(Boolean)).toEqual([
    'BENCH_EDGE_URL="https://bench.example.org"',
    'BENCH_AGENT_TOKEN="agt_12345678"',
    'BENCH_AGENT_ID="box-7"',
    'BENCH_SLOTS="64"',
    'CHUTES_API_KEY="cpk_secret"',
  ])
  const text = readFileSync(unit, 'utf8')
  expect(text).toMatch(/^ExecStart=.+ agent$/m)
  expect(text).toMatch(new RegExp(`^EnvironmentFile=${environment.slice(root.length)}$`, 'm'))
  expect(out.join('\n')).toMatch(/systemctl (--user )?enable --now bench-agent/)
  expect(out.join('\n') + text).not.toMatch(/cpk_secret|agt_12345678/)
})

test('[FLEETUP5] an environment that is there is replaced, and closed where it was open', () => {
  const place = system()
  mkdirSync(join(root, 'etc/bench-agent'), { recursive: true })
  writeFileSync(place.environment, 'OLD=1\n', { mode: 0o644 })
  writeService(place, { unit: 'u', environment: 'NEW="1"\n' })
  expect([readFileSync(place.environment, 'utf8'), statSync(place.environment).mode & 0o777]).toEqual(['NEW="1"\n', 0o600])
})

test('[FLEETUP5] --dry-run writes nothing, and uninstall removes what install wrote', async () => {
  const { unit, environment } = own()
  const dry = await install(token, '--dry-run')
  expect([dry.code, existsSync(unit), existsSync(environment)]).toEqual([0, false, false])
  expect(dry.out.join('\n')).toContain('ExecStart=')
  await install(token)
  const still = await runBench(['agent', 'uninstall', '--root', root, '--dry-run'])
  expect([still.out[0], existsSync(unit)]).toEqual([`Would remove ${unit}`, true])
  const gone = await runBench(['agent', 'uninstall', '--root', root])
  expect([gone.code, existsSync(unit), existsSync(environment)]).toEqual([0, false, false])
  expect((await runBench(['agent', 'uninstall', '--root', root])).out).toEqual(['No agent is installed here.'])
})

test.each([
  ['no service', ['agent', 'install'], token, 'Say which service to join'],
  ['no token', ['agent', 'install', '--edge', 'https://x'], {}, 'Give the agent token'],
  ['a data directory', ['agent', 'install', '--edge', 'https://x', '--data-dir', '/srv'], token, 'leave --data-dir out'],
  ['nothing to install', ['agent', '--dry-run'], token, 'go with install or uninstall'],
])('[FLEETUP5] %s is a usage error', async (_, args, env, sentence) => {
  const { code, err } = await runBench(args, env)
  expect(code).toBe(2)
  expect(err.join('\n')).toContain(sentence)
})

test('[FLEETUP5] values stay what they are in the environment file, keys that BENCH_PROVIDERS names among them', () => {
  const env = {
    BENCH_PROVIDERS: '[{"id":"lab","base_url":"http://x/v1","api_key_env":"OWN_KEY","headers":{"X-A":{"env":"PASS"}}}]',
    OWN_KEY: 'a"b\\c$d`e',
    PASS: 'p',
    OTHER: 'o',
  }
  const text = environmentText(env)
  expect(text).toContain('OWN_KEY="a\\"b\\\\c\\$d\\`e"\n')
  const read = spawnSync('sh', ['-c', `${text.replaceAll('\n', ';')} printf %s "$OWN_KEY"`], { encoding: 'utf8' })
  expect(read.stdout).toBe(env.OWN_KEY)
  expect([text.includes('PASS="p"'), text.includes('OTHER')]).toEqual([true, false])
})

test("[FLEETUP5] the unit leaves an agent time to drain, gives it control groups and Docker's group where there is one", () => {
  const unit = (groups: string[]) => unitText(system(), { program: ['/usr/bin/node', '/opt/a b/50%/bench.mjs'], groups, root })
  const text = unit(groupsOf('root:x:0:\ndocker:x:999:\n'))
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]) * 1000).toBeGreaterThanOrEqual(drainMs + 10_000)
  for (const line of ['Delegate=yes', 'DynamicUser=yes', 'KillMode=mixed', 'SupplementaryGroups=docker'])
    expect(text).toContain(`\n${line}\n`)
  expect(text).toContain('ExecStart=/usr/bin/node "/opt/a b/50%%/bench.mjs" agent\n')
  expect(unit(groupsOf('root:x:0:\n'))).not.toContain('SupplementaryGroups')
})

test('[FLEETUP5] systemd reads the unit without a complaint', async (context) => {
  const analyze = (path: string) => spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
  context.skip(analyze('--help').error !== undefined, 'there is no systemd-analyze here')
  await install(token)
  const { unit } = own()
  expect(analyze(unit)).toMatchObject({ status: 0, stderr: '' })
  writeFileSync(unit, readFileSync(unit, 'utf8').replace('Delegate=', 'Delegatt='))
  expect(analyze(unit).stderr).toContain('Delegatt')
})
