import { expect, test } from 'vitest'
import { agent, part, pool, run, sandbox } from '../testing/test-fleet.ts'
import { matchFleet } from './match-fleet.ts'
import { pendingReasons } from './pending-reasons.ts'

const coded = (open: number, more = {}) =>
  part({ benchmarks: ['code'], open, sandbox: sandbox({ cpus: 1, memory_mb: 512, disk_mb: 100 }), ...more })

test('[FLEET470] a run behind another on a full pool names the resource, the amounts and the holder', () => {
  const agents = [agent('a', 256, { sandboxes: [pool(2)] })]
  const first = run('first', { parts: [coded(31, { typical_seconds: 30 })] })
  const given = matchFleet([first], agents)
  const second = run('second', { created_at: '2026-01-02T00:00:00Z', owner_id: 'ben', parts: [coded(5)] })
  expect(pendingReasons('second', [first, second], agents, given)).toEqual([
    {
      kind: 'busy',
      benchmarks: ['code'],
      unit: 'cpus',
      needed: 1,
      held: 2,
      total: 2,
      holders: [{ run_id: 'first', held: 2, open: 31, about_s: 16 * 30 }],
    },
  ])
  expect(pendingReasons('second', [second], agents, new Map())).toEqual([]) // free slots are no reason
})

test('[FLEET470] each part of a run has a reason of its own: a missing capability, a missing sandbox, too small a machine', () => {
  const agents = [agent('a', 8), agent('b', 8, { capabilities: ['llm', 'far'], sandboxes: [pool(1)] })]
  const mixed = run('r', {
    needs: ['llm', 'far'],
    parts: [
      part(),
      coded(3, { sandbox: sandbox({ cpus: 4 }) }),
      coded(3, { benchmarks: ['vm'], sandbox: sandbox({ kinds: ['machine'] }) }),
    ],
  })
  expect(pendingReasons('r', [mixed], agents, new Map())).toEqual([
    { kind: 'too-large', benchmarks: ['code'], unit: 'cpus', needed: 4, largest: 1 },
    { kind: 'no-sandbox', benchmarks: ['vm'], sandboxes: ['machine'] },
  ])
  const keyless = run('r', { needs: ['llm', 'provider:lab', 'far'], parts: [part()] })
  expect(pendingReasons('r', [keyless], agents, new Map())).toEqual([
    { kind: 'no-capability', benchmarks: ['alpha'], capabilities: ['provider:lab'] },
  ])
  expect(pendingReasons('r', [mixed], [], new Map())).toEqual([]) // without agents the answer's counts say it
  expect(pendingReasons('gone', [mixed], agents, new Map())).toEqual([])
})
