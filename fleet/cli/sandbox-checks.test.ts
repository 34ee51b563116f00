import { expect, test } from 'vitest'
import { announceResources } from '#fleet/announce-resources.ts'
import { probesOf } from '#fleet/sandbox/open-sandboxes.ts'
import { sandboxContract } from '#fleet/sandbox/sandbox.contract.ts'
import type { SandboxHost } from '#fleet/sandbox/sandbox-host.ts'
import { sandboxHosts } from '#fleet/sandbox/sandbox-hosts.ts'
import type { Sandbox } from '#shared/solvers/sandbox.ts'
import { lookAt } from './checks.ts'
import { sandboxChecks, triedOnce } from './sandbox-checks.ts'

const never = new AbortController().signal
const bytes = new Uint8Array()

/** A kind of sandbox that denies whatever it is asked, and says how often it was opened and closed. */
function denying() {
  const seen = { opened: 0, closed: 0 }
  const box: Sandbox & AsyncDisposable = {
    exec: async () => ({ end: 'denied', exit_code: null, stdout: bytes, stderr: bytes }),
    read: async () => null,
    write: async () => 'denied',
    [Symbol.asyncDispose]: async () => undefined,
  }
  const host: SandboxHost = {
    ...{ kind: 'bwrap', fix: 'ask the operator', absence: () => null },
    probe: { kind: 'bwrap', probed: '', pool: null, probe: async () => '' },
    async create() {
      seen.opened++
      return { open: async () => ({ ok: true, value: box }), close: () => void seen.closed++ }
    },
  }
  return { host, seen }
}

test('[CLI120] a kind that breaks rules is told with the first of them and what to do, and is closed', async () => {
  const { host, seen } = denying()
  const [check, ...others] = sandboxChecks(triedOnce([host], never))
  expect(others).toEqual([])
  const found = await lookAt(check!)
  expect(found).toMatchObject({ name: 'sandbox bwrap', ok: false, needed_for: 'benchmarks that run code', fix: 'ask the operator' })
  const rules = sandboxContract.length
  expect(found.detail).toMatch(
    new RegExp(`^\\d of ${rules} rules of the contract hold, but not SBX1 \\(a command has its arguments .*\\), SBX\\d+`),
  )
  expect(seen).toEqual({ opened: 1, closed: 1 })
})

test('[CLI120] where no kind is there, it is said what would bring one', async () => {
  const checks = sandboxChecks(triedOnce(sandboxHosts({ PATH: '/no/such/folder' }), never))
  expect(checks).toHaveLength(1)
  expect(await lookAt(checks[0]!)).toMatchObject({
    name: 'sandbox',
    ok: false,
    detail: expect.stringContaining('bwrap is not installed'),
    fix: expect.stringContaining('apt-get install bubblewrap'),
  })
})

test('[CLI120] a kind that is there is tried with every rule of the contract', { timeout: 300_000 }, async (context) => {
  const hosts = sandboxHosts(process.env).filter(({ kind }) => kind === 'bwrap')
  const there = hosts.filter((host) => host.absence() === null)
  context.skip(there.length === 0, 'bwrap is not installed')
  const proof = await there[0]!.probe.probe().catch((error: Error) => error)
  context.skip(proof instanceof Error, `bwrap is not proved here: ${proof}`)
  const [check] = sandboxChecks(triedOnce(there, never))
  expect(await lookAt(check!)).toMatchObject({
    ok: true,
    detail: expect.stringContaining(
      `all ${sandboxContract.length} rules of the contract hold (${sandboxContract.map(({ rule }) => rule).join(', ')}); all held`,
    ),
  })
})

test('[SBX374] a kind is tried once for all lines of doctor, which say the same of it, also where a second try would hold', async () => {
  let tries = 0
  const { host } = denying()
  const probe = async () => (++tries < 3 ? Promise.reject(new Error('/dev/null is closed')) : 'held')
  const hosts = triedOnce([{ ...host, probe: { ...host.probe, probe } }], never)
  const [check] = sandboxChecks(hosts)
  expect(await lookAt(check!)).toMatchObject({ ok: false, detail: '/dev/null is closed' })
  expect((await announceResources('.', probesOf(hosts))).proofs).toMatchObject([{ ok: false, detail: '/dev/null is closed' }])
  expect(tries).toBe(2)
})
