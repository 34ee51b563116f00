import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { CommandAgent } from '#shared/contract/command-agent.ts'
import { agentPresets } from '#shared/episode/agent-presets.ts'
import { agentIdOf, findTaskAgent, profileOf } from '#shared/episode/task-agents.ts'
import { workerOf } from '#shared/episode/worker-of.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-presets-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('[LINE14] each preset pins its version, checks every download before it is unpacked, and holds no key', () => {
  expect(agentPresets.map(({ id }) => id)).toEqual(['claude-code', 'codex', 'gemini-cli', 'openhands', 'goose'])
  for (const { id, version, agent } of agentPresets) {
    const { command, install } = CommandAgent.parse(agent)
    const lines = install!.split('\n')
    const downloads = lines.flatMap((line) => /url=(\S+) digest=([0-9a-f]+)/.exec(line)?.slice(1) ?? [])
    expect([id, downloads.length > 0]).toEqual([id, true])
    expect(
      downloads.filter((_, at) => at % 2 === 0).every((url) => /^https:\/\/(registry\.npmjs\.org|files\.pythonhosted\.org)\//.test(url)),
    ).toBe(true)
    expect(downloads.filter((_, at) => at % 2 === 1).every((digest) => digest.length === 64 || digest.length === 128)).toBe(true)
    expect([id, install!.includes(version)]).toEqual([id, true])
    const fetches = lines.filter((line) => line.startsWith('get "$url"')).length
    expect(lines.filter((line) => /sum -c -$/.test(line))).toHaveLength(fetches)
    expect(command).toContain('OPENAI_BASE_URL')
    expect(command).not.toMatch(/sk-|cpk_|https?:/)
    for (const script of [command, install!]) expect(spawnSync('bash', ['-n'], { input: script }).status).toBe(0)
  }
})

/** The install script of Goose with its home, its bin folder and its download replaced. */
function installed(name: string, digestOf: (bytes: Buffer) => string) {
  const dir = mkdtempSync(join(folder, 'home-'))
  writeFileSync(join(dir, 'goose'), '#!/bin/sh\necho ran\n', { mode: 0o755 })
  execFileSync('bash', ['-c', 'mkdir -p package/bin && mv goose package/bin/ && tar -czf it.tgz package && rm -r package'], { cwd: dir })
  const digest = digestOf(readFileSync(join(dir, 'it.tgz')))
  const script = agentPresets
    .find(({ id }) => id === 'goose')!
    .agent.install!.replace(/ {2}x86_64\) .*/, `  *) url=file://${dir}/it.tgz digest=${digest} ;;`)
    .replaceAll('/opt/bench-agent', `${dir}/${name}`)
    .replaceAll('/usr/local/bin', dir)
    .replace('goose --version', `${dir}/goose`)
  return { ...spawnSync('bash', ['-c', script], { encoding: 'utf8' }), unpacked: existsSync(join(dir, name, 'goose')) }
}

test('[LINE14] a download with another digest is refused and nothing of it is unpacked', () => {
  const sha512 = (bytes: Buffer) => createHash('sha512').update(bytes).digest('hex')
  const right = installed('right', sha512)
  expect([right.status, right.unpacked, right.stdout.trim().split('\n').at(-1)]).toEqual([0, true, 'ran'])
  const wrong = installed('wrong', () => sha512(Buffer.from('something else')))
  expect([wrong.status, wrong.unpacked]).toEqual([1, false])
})

test('[LINE14] a preset is an agent of uploads that runs as a command and keeps its name', () => {
  for (const { id, agent } of agentPresets) {
    expect(findTaskAgent(id)).toMatchObject({ id, asks: true })
    expect(profileOf(id)).toEqual({ profile: 'command', agent })
    expect(agentIdOf({ profile: 'command', agent: { ...agent, install: agent.install ?? null } })).toBe(id)
  }
  expect(profileOf('oracle')).toEqual({ profile: 'oracle' })
  expect(agentIdOf({ profile: 'command', agent: { command: 'true', install: null } })).toBe('command')
})

test('[LINE13] terminus-1 is an agent of uploads', () => {
  expect(findTaskAgent('terminus-1')).toMatchObject({ asks: true })
  const words = new Proxy({}, { get: () => 'text' }) as Record<string, string>
  expect(workerOf('terminus-1', words)).toMatchObject({ name: 'terminus-1', version: '0.2.18', asks: true })
})
