import { expect, test } from 'vitest'
import { questionNeeds } from '../../contract/resources.ts'
import { initialHead } from '../apply.ts'
import { agent, all, at, part, pool, run, sandbox, total } from '../testing/test-fleet.ts'
import { testSpec } from '../testing/test-spec.ts'
import { matchFleet } from './match-fleet.ts'
import { matchRunOf, readMatchRun, sharesByItself } from './match-run.ts'

test('[LANE10] an agent is matched only for sandboxes it has, by cpus, memory and disk, and its calls are sized apart', () => {
  const code = run('code', { concurrency: 1000, parts: [part({ benchmarks: ['coded'], sandbox: sandbox() })] })
  const ask = run('ask', { concurrency: 256, owner_id: 'ben' })
  const boxes = agent('boxes', 256, { sandboxes: [pool(16, { memory_mb: 5 * 4096 })] })
  const plain = agent('plain', 256)
  const given = matchFleet([code, ask], [boxes, plain])
  expect([at(given, 'boxes', 'code'), at(given, 'plain', 'code'), all(given, 'ask')]).toEqual([5, 0, 256])
  expect(total(given, 'plain')).toBeGreaterThan(0)
  const small = agent('small', 9, { sandboxes: [pool(16, { disk_mb: 9_999 }), pool(64, { kinds: ['sandy'] })] })
  expect(matchFleet([code], [small]).get('small')).toEqual([])
})

test('[LANE10] 750 episodes in containers go beside questions 256 wide, each on the agents that have room for it', () => {
  const code = run('code', { concurrency: 750, parts: [part({ benchmarks: ['coded'], sandbox: sandbox({ cpus: 1, memory_mb: 2048 }) })] })
  const ask = [1, 2].map((n) => run(`ask-${n}`, { concurrency: 256, owner_id: 'ben' }))
  const boxes = [1, 2, 3].map((n) => agent(`boxes-${n}`, 64, { sandboxes: [pool(256)] }))
  const given = matchFleet([code, ...ask], [...boxes, agent('a', 256), agent('b', 256)])
  expect(all(given, 'code')).toBe(750)
  expect(all(given, 'ask-1') + all(given, 'ask-2')).toBe(512)
})

test('[LANE10] a run whose times are scored has one trial at once, and its other benchmarks go on beside it', () => {
  const timed = run('timed', { concurrency: 8, parts: [part(), part({ benchmarks: ['timed'], alone: true })] })
  const given = matchFleet([timed], [agent('a', 64)])
  expect(given.get('a')).toEqual([
    {
      run_id: 'timed',
      shares: [
        { benchmarks: ['alpha'], slots: 7 },
        { benchmarks: ['timed'], slots: 1 },
      ],
    },
  ])
})

test('[JANUS59] what a benchmark bounds is its own part of a run, never wider than that, and narrower where the run is', () => {
  const spec = testSpec({ benchmarks: ['alpha', 'beta', 'gamma', 'delta'].map((name) => ({ name, items: 40, epochs: 1 })) })
  const bounds: Record<string, number> = { beta: 3, gamma: 3 }
  const benchmarks = spec.benchmarks.map((one) => ({ ...one, needs: { ...questionNeeds, ...(bounds[one.name] && { at_once: 3 }) } }))
  const widths = (concurrency: number) => {
    const planned = { ...spec, benchmarks, concurrency }
    const matched = matchRunOf(planned, initialHead(planned))
    const agents = ['a', 'b'].map((name) => agent(name, 64, { capabilities: [...matched.needs] }))
    const given = matchFleet([matched], agents)
    const shares = [...given.values()].flat().flatMap((one) => one.shares)
    const of = (name: string) => shares.filter((one) => one.benchmarks.includes(name)).reduce((sum, { slots }) => sum + slots, 0)
    return { parts: new Set(shares.map((one) => one.benchmarks.join())), of }
  }
  const wide = widths(32)
  expect([...wide.parts].sort()).toEqual(['alpha,delta', 'beta', 'gamma'])
  expect([wide.of('alpha'), wide.of('beta'), wide.of('gamma')]).toEqual([26, 3, 3])
  const narrow = widths(2)
  expect(narrow.of('alpha') + narrow.of('beta') + narrow.of('gamma')).toBe(2)
})

test('[JANUS59] who works on a run by itself has the same bounds: one share for each bounded benchmark, one for all others', () => {
  const spec = testSpec({ benchmarks: ['alpha', 'beta', 'gamma', 'delta'].map((name) => ({ name, items: 40, epochs: 1 })) })
  const of = (name: string) => ({ ...questionNeeds, ...(name === 'beta' && { at_once: 5 }), timing_sensitive: name === 'gamma' })
  const bounded = spec.benchmarks.map((one) => ({ ...one, needs: of(one.name) }))
  expect(sharesByItself({ benchmarks: bounded, concurrency: 64 })).toEqual([
    { benchmarks: ['beta'], slots: 5 },
    { benchmarks: ['gamma'], slots: 1 },
    { benchmarks: ['alpha', 'delta'], slots: 64 },
  ])
  expect(sharesByItself({ benchmarks: bounded.slice(1, 2), concurrency: 2 })).toEqual([{ benchmarks: ['beta'], slots: 2 }])
  expect(sharesByItself(spec)).toEqual([])
})

test('[LANE11] a run is matched by what its benchmarks need; plans and rows from before that are of questions', () => {
  const spec = testSpec({
    benchmarks: [
      { name: 'alpha', items: 3, epochs: 1 },
      { name: 'beta', items: 4, epochs: 1 },
      { name: 'gamma', items: 5, epochs: 1 },
    ],
  })
  const needs = { ...questionNeeds, sandbox: sandbox(), typical_seconds: 900 }
  const planned = { ...spec, benchmarks: spec.benchmarks.map((one) => (one.name === 'beta' ? { ...one, needs } : one)) }
  const { parts } = matchRunOf(planned, initialHead(planned))
  expect(parts).toEqual([
    { benchmarks: ['alpha', 'gamma'], open: 8, sandbox: null, alone: false, typical_seconds: questionNeeds.typical_seconds },
    { benchmarks: ['beta'], open: 4, sandbox: sandbox(), alone: false, typical_seconds: 900 },
  ])
  const { parts: _parts, ...before } = run('r')
  const read = readMatchRun(JSON.stringify({ ...before, open: 12 }))
  expect(read).toEqual({ ...before, parts: [part({ benchmarks: [], open: 12, typical_seconds: questionNeeds.typical_seconds })] })
  expect(all(matchFleet([read], [agent('a', 20)]), 'r')).toBe(12)
  expect(readMatchRun(JSON.stringify(run('r')))).toEqual(run('r'))
})

test('[FLEET11] a run that is not worked on has nothing open for the fleet, whatever is left of it', () => {
  const spec = testSpec()
  const head = initialHead(spec)
  const openOf = (status: typeof head.status) => matchRunOf(spec, { ...head, status }).parts.reduce((sum, { open }) => sum + open, 0)
  expect([openOf('queued'), openOf('running')]).toEqual([10, 10])
  for (const status of ['paused', 'canceled', 'failed', 'incomplete', 'succeeded'] as const) expect(openOf(status)).toBe(0)
})
