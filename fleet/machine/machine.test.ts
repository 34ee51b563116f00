import { spawnSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import type { MachineSpec } from '#shared/solvers/machine.ts'
import { someOf } from '#shared/testing/draws.ts'
import { contractMachine, machineContract } from './machine.contract.ts'
import { machineFilesContract } from './machine-files.contract.ts'
import { machineSystemContract } from './machine-system.contract.ts'
import { createMachines, type Machines } from './open-machines.ts'
import { ensureMachineImage } from './testing/machine-image.ts'

const absent = await ensureMachineImage()
if (absent !== null) console.info(`skipped: ${absent}`)
const patience = 120_000
const owner = `machine-test-${process.pid}`
const roomy = { cpus: 64, memory_mb: 65_536 }
const machines = await createMachines({ owner, room: roomy })
const never = new AbortController().signal
afterAll(() => machines.close())

const openIn = async (by: Machines, changes: Partial<MachineSpec> = {}, ...more: [] | [Parameters<Machines['open']>[2]]) => {
  const outcome = await by.open({ ...contractMachine, ...changes }, never, ...more)
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  return outcome.value
}
const limits = { timeout_ms: 30_000, head_bytes: 10_000, tail_bytes: 1000 }
const shown = (format: string, by = owner): string[] =>
  spawnSync('docker', ['ps', '--all', '--filter', `label=chutes-bench.owner=${by}`, '--format', format])
    .stdout.toString()
    .split('\n')
    .filter(Boolean)
const textOf = ({ head, tail }: { head: Uint8Array; tail: Uint8Array }): string => Buffer.concat([head, tail]).toString()

for (const { rule, name, check } of someOf([...machineContract, ...machineFilesContract, ...machineSystemContract], 10))
  test(`[${rule}] ${name}`, { timeout: patience }, async (context) => {
    context.skip(absent !== null, String(absent))
    await check((changes = {}, signal = never) => machines.open({ ...contractMachine, ...changes }, signal))
  })

test('[MACH8] who only gives a trial up has its machine removed and its room free for another', { timeout: patience }, async (context) => {
  context.skip(absent !== null, String(absent))
  const one = await createMachines({ owner: `${owner}-given-up`, room: { cpus: 1, memory_mb: 256 } })
  try {
    const giveUp = new AbortController()
    expect((await one.open(contractMachine, giveUp.signal)).ok).toBe(true)
    giveUp.abort()
    await using _next = await openIn(one) // waits for the room
    expect(shown('{{.ID}}', `${owner}-given-up`)).toHaveLength(1)
  } finally {
    await one.close()
  }
})

test('[MACH11] a machine is given out when its health check holds; one that never does fails with what it said last', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  const often = { interval_ms: 20, timeout_ms: 2000, start_period_ms: 0, start_interval_ms: 20, retries: 3 }
  await using third = await openIn(machines, {
    healthcheck: { ...often, command: 'echo x >> /tries; [ $(wc -l < /tries) = 3 ]' },
  })
  expect(textOf(await third.exec({ argv: ['wc', '-l', '/tries'], ...limits }))).toBe('3 /tries\n')
  const before = shown('{{.ID}}').length
  const outcome = await machines.open({ ...contractMachine, healthcheck: { ...often, command: 'echo not yet, $GREETING; exit 4' } }, never)
  expect(outcome).toMatchObject({ ok: false, failure: { at: 'sandbox', reason: 'unhealthy', retryable: false } })
  expect(outcome.ok || outcome.failure.detail).toContain('exit code 4: not yet, hello world')
  expect(shown('{{.ID}}')).toHaveLength(before)
})

test('[MACH12] a machine that holds more than its storage has its processes ended, and what ran in it ended as disk-full', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  await using box = await openIn(machines, { storage_mb: 20 })
  expect(await box.upload('/big', [{ path: 'f', mode: 0o644, bytes: new Uint8Array(21 * 1024 ** 2) }])).toBe('disk-full')
  const said = await box.exec({
    argv: ['bash', '-c', 'head -c 30000000 /dev/zero > /work/f; echo written; sleep 99'],
    ...limits,
    timeout_ms: 60_000,
  })
  expect([said.end, textOf(said)]).toEqual(['disk-full', 'written\n'])
  expect((await box.exec({ argv: ['rm', '/work/f'], ...limits })).exit_code).toBe(0)
})

test('[MACH13] what no machine can be is refused before anything is made: sizes, variables, a directory, the network of the host', async () => {
  const bad: Partial<MachineSpec>[] = [
    ...[0, Number.NaN, -1, Number.POSITIVE_INFINITY].flatMap((size) => [{ cpus: size }, { memory_mb: size }, { storage_mb: size }]),
    { workdir: 'relative' },
    { env: { 'A=B': 'c' } },
    { env: { A: '\0' } },
  ]
  for (const changes of bad) {
    const outcome = await machines.open({ ...contractMachine, ...changes }, never)
    expect([changes, outcome.ok || outcome.failure.reason]).toEqual([changes, 'denied'])
  }
  for (const network of ['host', 'container:other']) {
    const other = await createMachines({ network, engines: ['unix:///no/such/socket'] })
    expect(await other.open({ ...contractMachine, network: 'public' }, never)).toMatchObject({
      failure: { reason: 'denied', retryable: false },
    })
    await other.close()
  }
})

test('[MACH14] a machine with a network is on the one that the agent names, and sends no raw packets there', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  const network = `bench-machine-test-${process.pid}`
  const made = spawnSync('docker', ['network', 'create', network])
  context.skip(made.status !== 0, `no network can be made here: ${made.stderr}`)
  const other = await createMachines({ owner, network, room: roomy })
  try {
    await using box = await openIn(other, { network: 'public' })
    const ask = `cut -d: -f1 /proc/net/dev | grep -c eth0
      perl -e 'use Socket; socket(my $s, PF_INET, SOCK_RAW, 1) or print "refused: $!\\n"'`
    expect(textOf(await box.exec({ argv: ['bash', '-c', ask], ...limits }))).toBe('1\nrefused: Operation not permitted\n')
  } finally {
    await other.close()
    spawnSync('docker', ['network', 'rm', network])
  }
})

test('[MACH15] whoever looks at an engine sees whose a machine is; inside nothing of it is seen', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  const trial = { run_id: '0a1b2c3d-0000', benchmark: 'alpha', item_id: '142', epoch: 1, ordinal: 17, attempt: 2 }
  await using box = await openIn(machines, {}, trial as Parameters<Machines['open']>[2])
  const told = shown('{{.Names}} {{.Labels}}').find((line) => line.includes('alpha'))!
  expect(told).toMatch(/^bench-0a1b2c3d-t17-a2-alpha-i142-e1-[0-9a-f]{8} /)
  expect(told).toContain('chutes-bench.attempt=2')
  const seen = textOf(
    await box.exec({ argv: ['bash', '-c', 'hostname; env; cat /etc/hosts /proc/self/cgroup /proc/self/mountinfo'], ...limits }),
  )
  expect(seen).not.toMatch(/0a1b2c3d|alpha|i142/)
})

test('[MACH30] machines together take no more than there is; who waits comes in order, and what is too large for all is refused', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== null, String(absent))
  const small = await createMachines({ owner, room: { cpus: 2, memory_mb: 512 } })
  try {
    const beyond = await small.open({ ...contractMachine, memory_mb: 513 }, never)
    expect(beyond.ok || beyond.failure).toMatchObject({ retryable: false, detail: expect.stringContaining('more than this agent has') })
    await using first = await openIn(small)
    const second = await openIn(small)
    const order: number[] = []
    const giveUp = new AbortController()
    const third = openIn(small).then((box) => {
      order.push(3)
      return box
    })
    const never4 = small.open(contractMachine, giveUp.signal)
    const fifth = openIn(small).then((box) => {
      order.push(5)
      return box
    })
    await expect.poll(() => small.load().waiting).toBe(3)
    giveUp.abort(new Error('given up'))
    await expect(never4).rejects.toThrow('given up')
    expect(small.load()).toEqual({ pool: { cpus: 2, memory_mb: 512 }, used: { cpus: 2, memory_mb: 512 }, waiting: 2 })
    await second.stop()
    await (await third)[Symbol.asyncDispose]()
    await using _fifth = await fifth
    expect(order).toEqual([3, 5])
    expect((await first.exec({ argv: ['true'], ...limits })).exit_code).toBe(0)
  } finally {
    await small.close()
  }
  expect(small.load()).toMatchObject({ used: { cpus: 0, memory_mb: 0 }, waiting: 0 })
})
