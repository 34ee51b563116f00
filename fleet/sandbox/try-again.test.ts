import { expect, test } from 'vitest'
import { announceResources } from '../announce-resources.ts'
import { openSandboxes } from './open-sandboxes.ts'
import type { SandboxHost } from './sandbox-host.ts'
import { firstWait_ms, keepTrying, longestWait_ms } from './try-again.ts'

/** A clock that does what is due when it is told to, and says after which waits. */
function handClock() {
  const due: { ms: number; run: () => void }[] = []
  const waits: number[] = []
  return {
    waits,
    clock: {
      now: () => 0,
      after: (ms: number, run: () => void) => {
        const one = { ms, run }
        waits.push(ms)
        due.push(one)
        return () => void due.splice(due.indexOf(one), 1)
      },
    },
    next: () => due.shift()?.run(),
    due: () => due.length,
  }
}

/** A kind that holds from the n-th try on. */
function host(kind: SandboxHost['kind'], holdsAt: number) {
  const seen = { tried: 0, opened: 0, closed: 0 }
  const one: SandboxHost = {
    ...{ kind, fix: '', absence: () => null },
    probe: {
      ...{ kind, probed: 'start', pool: null },
      probe: async () => {
        if (++seen.tried < holdsAt) throw new Error('/dev/null cannot be written to')
        return `held at try ${seen.tried}`
      },
    },
    create: async () => {
      seen.opened++
      return { open: () => Promise.reject(new Error('unused')), close: () => void seen.closed++ }
    },
  }
  return { host: one, seen }
}

test('[SBX373] what does not hold when an agent starts is tried again with growing waits, and announced once it holds', async () => {
  const [well, late] = [host('bwrap', 1), host('docker', 5)]
  const { clock, waits, next, due } = handClock()
  const found: string[][] = []
  const living = keepTrying(openSandboxes([well.host, late.host], '.'), clock)
  living.onFound(({ resources }) => found.push(resources.proofs.filter(({ ok }) => ok).map(({ detail }) => detail)))
  expect((await living.latest()).sandboxes.map(({ kind }) => kind)).toEqual(['bwrap'])
  for (let round = 0; round < 2; round++) {
    next()
    await living.latest()
  }
  expect(found).toEqual([['held at try 1'], ['held at try 1', 'held at try 5']])
  expect([waits, due()]).toEqual([[firstWait_ms, 2 * firstWait_ms], 0])
  const { sandboxes, resources } = await living.latest()
  expect(sandboxes.map(({ kind }) => kind)).toEqual(['bwrap', 'docker'])
  expect(resources.sandboxes).toMatchObject([{ kinds: ['bwrap', 'docker'] }])
  await living.close()
  expect([well.seen, late.seen]).toEqual([
    { tried: 1, opened: 1, closed: 1 },
    { tried: 5, opened: 1, closed: 1 },
  ])
})

test('[SBX373] waits grow to half an hour, and a closed agent tries nothing more', async () => {
  const never = host('bwrap', 1000)
  const { clock, waits, next, due } = handClock()
  const living = keepTrying(openSandboxes([never.host], '.'), clock)
  await living.latest()
  for (let round = 0; round < 7; round++) {
    next()
    await living.latest()
  }
  expect(waits.at(-1)).toBe(longestWait_ms)
  await living.close()
  expect(due()).toBe(0)
})

test('[SBX374] a proof that fails once and then holds is one, and says so; one that fails twice says what came of it last', async () => {
  const { host: flaky } = host('bwrap', 2)
  const { host: broken } = host('docker', 1000)
  const { proofs } = await announceResources('.', [flaky.probe, broken.probe])
  expect(proofs).toMatchObject([
    { ok: true, detail: 'held at try 2; the first try failed: /dev/null cannot be written to' },
    { ok: false, detail: '/dev/null cannot be written to' },
  ])
})
