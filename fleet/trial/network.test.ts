import { expect, test } from 'vitest'
import { cards } from '#shared/benchmarks/cards.ts'
import { card } from '#shared/benchmarks/code_tasks/card.ts'
import type { Needs } from '#shared/contract/resources.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import type { MachineSpec } from '#shared/solvers/machine.ts'
import type { SandboxSpec } from '#shared/solvers/sandbox.ts'
import { createKit } from './create-kit.ts'
import { noResources, type SandboxProvider } from './resources.ts'
import type { TrialModel } from './trial-model.ts'

/** A kit of a trial that needs this, and what its agent was asked to open. */
function open(needs: Needs | undefined) {
  const asked: SandboxSpec[] = []
  const box = { exec: () => Promise.reject(new Error('unused')), read: async () => null, write: async () => 'written' as const }
  const provider: SandboxProvider = {
    async open(spec) {
      asked.push(spec)
      return { ok: true, value: { ...box, [Symbol.asyncDispose]: async () => undefined } }
    },
  }
  const model: TrialModel = { resetAt: () => null, generate: () => Promise.reject(new Error('unused')) }
  const { kit } = createKit({
    ...{ lease: { ordinal: 0, attempt: 1, benchmark: 'alpha', item_id: '0', epoch: 0 }, helpers: {}, price: null, first: [], model },
    ...{ planned: { ...testSpec().benchmarks[0]!, ...(needs && { needs }) }, signal: new AbortController().signal },
    resources: { ...noResources, sandboxes: [{ kind: 'docker', lane: 'sandbox', provider }] },
  })
  return { kit, asked }
}
const spec: SandboxSpec = { image: null, cpus: 1, memory_mb: 64, disk_mb: 16, network: true }

const task: MachineSpec = {
  ...{ image: { type: 'named', name: 'x', pull_timeout_ms: 1 }, cpus: 1, memory_mb: 64, storage_mb: 16, network: 'public' },
  ...{ env: {}, workdir: null, healthcheck: null },
}

test('[KIT35] a sandbox or machine has a network only where the card of its benchmark asks for one; else asking is refused for good', async () => {
  const { network: _, ...without } = card.needs.sandbox!
  for (const needs of [{ ...card.needs, sandbox: without }, { ...card.needs, sandbox: { ...without, network: false } }, undefined]) {
    const { kit, asked } = open(needs)
    expect(await kit.sandbox(spec)).toMatchObject({ ok: false, failure: { at: 'sandbox', reason: 'denied', retryable: false } })
    const machines = [await kit.machine(task), await kit.machine({ ...task, network: 'none' })]
    expect(machines).toMatchObject([{ failure: { reason: 'denied' } }, { failure: { reason: 'unavailable' } }])
    expect([(await kit.sandbox({ ...spec, network: false })).ok, asked.length]).toEqual([true, 1])
  }
  const { kit, asked } = open(card.needs)
  expect([(await kit.sandbox(spec)).ok, asked]).toEqual([true, [spec]])
})

test('[KIT35] of all benchmarks code tasks and those at terminals alone may ask for a network', () => {
  expect(cards.filter(({ needs }) => needs.sandbox?.network).map(({ name }) => name)).toEqual([
    'code_tasks',
    'terminal_tasks',
    'terminal_bench_2_1',
    'terminal_bench_hard',
    'swe_bench_pro',
  ])
})
