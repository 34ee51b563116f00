import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { someOf } from '#shared/testing/draws.ts'
import { ownerLabel } from '../../docker/owner.ts'
import { allAttacks } from '../all-attacks.ts'
import { isContained } from '../attacks.ts'
import type { Architecture } from '../bubblewrap/syscalls.ts'
import { contractSpec, type OpenForContract, sandboxContract } from '../sandbox.contract.ts'
import { openCanary } from '../testing/canary.ts'
import { trialName } from '../trial-name.ts'
import { createDocker } from './open-docker.ts'
import { dockerProbe, tryDocker } from './probe-docker.ts'
import { ensureTestImage, testImage } from './testing/base-image.ts'

const absent = await ensureTestImage()
if (absent !== null) console.info(`skipped: ${absent}`)
const sandboxes = await createDocker({ image: testImage, owner: `test-${process.pid}`, warm: 1 })
const { canary, reached, ...opened } = await openCanary()
const patience = 90_000
const home = new URL('./open-docker.ts', import.meta.url).href
const open: OpenForContract = (changes = {}, signal = new AbortController().signal) =>
  sandboxes.open({ ...contractSpec, ...changes }, signal)
const box = async () => {
  const outcome = await open()
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  return outcome.value
}
const limits = { timeout_ms: 40_000, output_bytes: 65_536 }
/** Containers with this label, running or not. */
const labelled = (label: string): string[] =>
  spawnSync('docker', ['ps', '--all', '--quiet', '--filter', `label=${label}`])
    .stdout.toString()
    .split('\n')
    .filter(Boolean)
/** An agent that opens a sandbox and begins a command in it that hears no signal. */
const agentProgram = `const { createDocker } = await import(process.argv[1])
const sandboxes = await createDocker({ image: process.argv[2], owner: process.argv[3], warm: 0 })
const opened = await sandboxes.open(${JSON.stringify(contractSpec)}, new AbortController().signal)
if (!opened.ok) throw new Error(opened.failure.detail)
void opened.value.exec({ argv: ['sh', '-c', "trap '' TERM HUP INT; sleep 99; :"], timeout_ms: 99999, output_bytes: 9 })
console.log('began')`

afterAll(async () => {
  await sandboxes.close()
  await opened[Symbol.asyncDispose]()
})

for (const { rule, name, check } of someOf(sandboxContract, 8))
  test(`[${rule}] Docker: ${name}`, { timeout: patience }, async (context) => {
    context.skip(absent !== null, String(absent))
    await check(open)
  })

for (const attack of someOf(allAttacks, 12))
  test(`[SBX20] Docker: attack ${attack.row} is contained: ${attack.name}`, { timeout: patience }, async (context) => {
    context.skip(absent !== null, String(absent))
    await using one = await box()
    const argv = attack.program(canary, process.arch as Architecture, 'docker')
    const became = await one.exec({ argv, ...limits, timeout_ms: attack.timeout_ms ?? limits.timeout_ms })
    const text = [became.stdout, became.stderr].map((bytes) => new TextDecoder().decode(bytes.subarray(0, 2000)))
    expect(isContained(attack, became), `${became.end} ${became.exit_code}\n${text.join('\n')}`).toBe(true)
    expect(reached).toEqual([])
  })

test('[SBX21] Docker: every property is proved by trying it, and versions are told, within what a proof may say', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  const said = await tryDocker(sandboxes)
  expect(await tryDocker({ ...sandboxes, holdsSockets: () => false })).toMatch(/; connections are in no limit of memory \(.*\)$/)
  expect(said).toMatch(/^all held; Linux \S+, Docker \S+, \S+ \S+/)
  expect(said.length).toBeLessThanOrEqual(300)
  expect(dockerProbe.probed.length).toBeLessThanOrEqual(200)
})

test('[SBX41] an image that is not there is named and never fetched, and where none is chosen it is said how to get one', async (context) => {
  const nowhere = await createDocker({ socketPath: '/no/such/socket' })
  await expect(tryDocker(nowhere)).rejects.toThrow(/^Docker does not answer .*: install docker.io, /)
  context.skip(absent !== null, String(absent))
  const failureOf = async (image: string | null, by = sandboxes) => {
    const outcome = await by.open({ ...contractSpec, image }, new AbortController().signal)
    return outcome.ok ? null : [outcome.failure.at, outcome.failure.reason, outcome.failure.detail]
  }
  expect(await failureOf('example.invalid/none:1')).toEqual([
    'sandbox',
    'unavailable',
    'Docker has no image example.invalid/none:1 here: docker pull example.invalid/none:1',
  ])
  const none = await createDocker({ image: '' })
  expect(await failureOf(null, none)).toEqual(['sandbox', 'unavailable', expect.stringContaining('set BENCH_SANDBOX_IMAGE')])
  await expect(tryDocker(none)).rejects.toThrow('set BENCH_SANDBOX_IMAGE')
  await expect(tryDocker(await createDocker({ image: testImage, runtime: 'no-such-runtime' }))).rejects.toThrow(
    'Docker has no runtime no-such-runtime: install it',
  )
})

test('[SBX40] no sandbox that asks for a network is given the machine’s own', async () => {
  for (const network of ['host', 'container:other']) {
    const outcome = await (await createDocker({ image: testImage, network })).open(
      { ...contractSpec, network: true },
      new AbortController().signal,
    )
    expect(outcome.ok ? null : outcome.failure.reason).toBe('denied')
  }
})

test('[SBX22] Docker: a closed sandbox leaves no container and no descriptor', { timeout: patience }, async (context) => {
  context.skip(absent !== null, String(absent))
  const owner = `closing-${process.pid}`
  const own = await createDocker({ image: testImage, owner, warm: 1 })
  const descriptors = () => readdirSync('/proc/self/fd').filter((one) => Number(one) > 2).length
  const use = async () => {
    const outcome = await own.open(contractSpec, new AbortController().signal)
    if (!outcome.ok) throw new Error(outcome.failure.detail)
    await using one = outcome.value
    await Promise.all([1, 2].map(() => one.exec({ argv: ['sh', '-c', 'sleep 99 & setsid sleep 99 &'], ...limits })))
    expect(labelled(`${ownerLabel}=${owner}`).length).toBeGreaterThanOrEqual(1)
  }
  await use()
  const before = descriptors()
  for (let round = 0; round < 2; round++) await use()
  expect(descriptors()).toBeLessThanOrEqual(before + 2) // the one that is kept ready, when it was not yet before
  await own.close()
  expect(labelled(`${ownerLabel}=${owner}`)).toEqual([])
})

test('[SBX42] an agent that is killed takes its containers with it, and what it left all the same is removed by the next', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  await using living = await box()
  const owner = `killed-${process.pid}`
  const agent = spawn(process.execPath, ['--input-type=module', '-e', agentProgram, home, testImage, owner], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(agent.stdout!, 'data')
  expect(labelled(`${ownerLabel}=${owner}`).length).toBe(1)
  agent.kill('SIGKILL')
  await once(agent, 'close')
  await expect.poll(() => labelled(`${ownerLabel}=${owner}`), { timeout: 20_000 }).toEqual([])
  const label = `${ownerLabel}=${owner}`
  const place = spawnSync('docker', [
    'ps',
    '--filter',
    `label=${ownerLabel}=test-${process.pid}`,
    '--format',
    '{{.Label "chutes-bench.place"}}',
  ])
  const ours = place.stdout.toString().split('\n')[0]!
  const left = ['create', '--label', label, '--label', `chutes-bench.place=${ours}`, '--label', `chutes-bench.process=${agent.pid} 1`]
  expect(spawnSync('docker', [...left, testImage, 'true']).status).toBe(0)
  await (await createDocker({ image: testImage, warm: 0 })).close()
  expect(labelled(label)).toEqual([])
  expect((await living.exec({ argv: ['true'], ...limits })).end).toBe('exited')
  expect(labelled(`${ownerLabel}=test-${process.pid}`).length).toBeGreaterThanOrEqual(1)
})

/** What Docker says of the containers of this owner, as an operator sees them. */
const shown = (owner: string, format: string): string[] =>
  spawnSync('docker', ['ps', '--all', '--no-trunc', '--filter', `label=${ownerLabel}=${owner}`, '--format', format])
    .stdout.toString()
    .split('\n')
    .filter(Boolean)
const trial = { run_id: '0a1b2c3d-1111-4111-8111-111111111111', ordinal: 17, attempt: 2, benchmark: 'alpha', item_id: '142', epoch: 1 }

test('[SBX72] docker ps says of every container whose it is, also of one that was ready before; inside nothing says so', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  const owner = `named-${process.pid}`
  const own = await createDocker({ image: testImage, owner, warm: 1 })
  const openFor = async (...whose: [] | [typeof trial]) => {
    const outcome = await own.open(contractSpec, new AbortController().signal, ...whose)
    if (!outcome.ok) throw new Error(outcome.failure.detail)
    return outcome.value
  }
  const ready = () => expect.poll(() => shown(owner, '{{.Names}}').filter((name) => /^bench-ready-[0-9a-f]{8}$/.test(name)).length).toBe(1)
  try {
    await using first = await openFor(trial)
    await ready()
    const told = shown(owner, '{{.Names}} {{.Labels}}').find((line) => line.includes(trialName(trial)))!
    expect(told).toMatch(/^bench-0a1b2c3d-t17-a2-alpha-i142-e1-[0-9a-f]{8} /)
    const labels = { run: trial.run_id, benchmark: 'alpha', item: '142', epoch: '1', trial: '17', attempt: '2' }
    for (const [label, value] of Object.entries(labels)) expect(told).toContain(`chutes-bench.${label}=${value}`)
    await using second = await openFor({ ...trial, ordinal: 18, attempt: 1 })
    const names = shown(owner, '{{.Names}}')
    expect(names.filter((name) => name.startsWith('bench-0a1b2c3d-t18-a1-alpha-i142-e1-'))).toHaveLength(1)
    for (const box of [first, second]) {
      const seen = await box.exec({ argv: ['sh', '-c', 'hostname; env; cat /etc/hosts /proc/self/cgroup /proc/self/mountinfo'], ...limits })
      expect(new TextDecoder().decode(seen.stdout)).not.toMatch(/0a1b2c3d|alpha|i142/)
    }
    await ready()
    await using _third = await openFor()
    expect(shown(owner, '{{.Names}}').filter((name) => name.startsWith('bench-check-'))).toHaveLength(1)
  } finally {
    await own.close()
  }
  expect(shown(owner, '{{.Names}}')).toEqual([])
})

test('[SBX43] a program that ends all that may be ended, or multiplies without end, is itself ended and its sandbox goes on', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  await using one = await box()
  const daemon = `perl -e 'use Fcntl ":flock"; use POSIX; open(L, ">", "lock"); flock(L, LOCK_EX); exit if fork; POSIX::setsid(); exit if fork;
    open($_, "+<", "/dev/null") for (*STDIN, *STDOUT, *STDERR); sleep 999'`
  const free = `perl -e 'use Fcntl ":flock"; open(L, ">", "lock"); print flock(L, LOCK_EX | LOCK_NB) ? "free" : "held"'`
  const said = async (script: string, timeout_ms = limits.timeout_ms) => {
    const { end, exit_code, stdout } = await one.exec({ argv: ['sh', '-c', script], ...limits, timeout_ms })
    return [end, exit_code, new TextDecoder().decode(stdout)]
  }
  expect(await said(`kill -9 -1; ${daemon}; kill -9 $PPID; sleep 99`)).toEqual(['exited', 137, ''])
  expect(await said(free)).toEqual(['exited', 0, 'free'])
  expect(await said(`perl -e 'fork while 1'`, 800)).toEqual(['timeout', null, ''])
  expect(await said(free)).toEqual(['exited', 0, 'free'])
})

test('[SBX43] commands that run beside one that ends go on, with what they began', { timeout: patience }, async (context) => {
  context.skip(absent !== null, String(absent))
  await using one = await box()
  const long = one.exec({
    argv: ['sh', '-c', 'mkfifo gate; sleep 98 & echo > began; read line < gate; kill -0 $! && echo alive'],
    ...limits,
  })
  await one.exec({ argv: ['sh', '-c', 'while [ ! -e began ]; do sleep 0.01; done'], ...limits })
  const cut = await one.exec({ argv: ['sh', '-c', 'setsid sleep 97 & sleep 97'], ...limits, timeout_ms: 500 })
  const seen = await one.exec({
    argv: ['sh', '-c', 'cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -c "^sleep 9[7]\\|[^0-9]sleep 9[7] "'],
    ...limits,
  })
  await one.exec({ argv: ['sh', '-c', 'echo > gate'], ...limits })
  const became = await long
  expect([cut.end, new TextDecoder().decode(seen.stdout).trim()]).toEqual(['timeout', '0'])
  expect([became.end, became.exit_code, new TextDecoder().decode(became.stdout)]).toEqual(['exited', 0, 'alive\n'])
})

test('[SBX47] [SBX72] a place that an image wants kept on the machine’s disk cannot be written to; no volume and no network is made', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  const image = `bench-sandbox-test:volume-${process.pid}`
  const build = spawnSync('docker', ['build', '--quiet', '--tag', image, '-'], {
    input: `FROM ${testImage}\nRUN mkdir -p /data && chmod 1777 /data\nVOLUME /data\n`,
    env: { ...process.env, DOCKER_BUILDKIT: '0' },
  })
  expect(build.status, build.stderr.toString()).toBe(0)
  try {
    const outcome = await open({ image })
    if (!outcome.ok) throw new Error(outcome.failure.detail)
    await using one = outcome.value
    const { stdout } = await one.exec({ argv: ['sh', '-c', 'echo x > /data/f || echo refused'], ...limits })
    expect(new TextDecoder().decode(stdout)).toBe('refused\n')
    expect(shown(`test-${process.pid}`, '{{.Mounts}} {{.Networks}}')).toContain(' none')
    expect(shown(`test-${process.pid}`, '{{.Mounts}} {{.Networks}}').filter((line) => line !== ' none')).toEqual([])
  } finally {
    spawnSync('docker', ['image', 'rm', '--force', image])
  }
})
