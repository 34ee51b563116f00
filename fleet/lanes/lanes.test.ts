import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '#shared/testing/draws.ts'
import { BeyondPool, createLane, type Release } from './lane.ts'
import { createLanes, plainCall } from './lanes.ts'

const never = new AbortController().signal
/** Lets everything happen that waits for nothing but its turn. */
const settle = async (): Promise<void> => {
  for (let n = 0; n < 20; n++) await Promise.resolve()
}

type Visit = { who: string; cpus: number; memory_mb: number; at: number; lasts: number; gives_up: number | null }
type Entered = Visit & { entered: number }

/** Visits in virtual time, one moment after the other; what was taken is checked after every step. */
async function play(
  visits: Visit[],
  pool: { cpus: number; memory_mb: number },
): Promise<{ entered: Entered[]; gone: Visit[]; end: number }> {
  const lane = createLane(pool)
  const entered: Entered[] = []
  const gone: Visit[] = []
  const due = visits.map((visit) => ({ at: visit.at, run: () => begin(visit) }))
  let now = 0
  const begin = (visit: Visit): void => {
    const abort = new AbortController()
    if (visit.gives_up !== null) due.push({ at: visit.at + visit.gives_up, run: () => abort.abort(new Error('dropped')) })
    lane.enter(visit.who, { cpus: visit.cpus, memory_mb: visit.memory_mb }, abort.signal).then(
      (release) => {
        entered.push({ ...visit, entered: now })
        due.push({ at: now + visit.lasts, run: release })
      },
      () => void gone.push(visit),
    )
  }
  while (due.length > 0) {
    due.sort((a, b) => a.at - b.at)
    const next = due.shift()!
    now = next.at
    next.run()
    await settle()
    const { used } = lane.load()
    expect(used.cpus ?? 0).toBeLessThanOrEqual(pool.cpus)
    expect(used.memory_mb ?? 0).toBeLessThanOrEqual(pool.memory_mb)
  }
  expect(lane.load()).toMatchObject({ waiting: 0 })
  for (const left of Object.values(lane.load().used)) expect(left).toBe(0)
  return { entered, gone, end: now }
}

const visit = fc.record({
  who: fc.constantFrom('ann', 'ben', 'cid'),
  cpus: fc.integer({ min: 1, max: 4 }),
  memory_mb: fc.integer({ min: 0, max: 8 }),
  at: fc.nat(50),
  lasts: fc.integer({ min: 1, max: 30 }),
  gives_up: fc.option(fc.nat(40), { nil: null }),
})

test('[LANE1] a lane is never overfilled in any unit, everybody enters or gives up, and those of one run in the order of their asking', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(visit, { maxLength: 40 }), async (visits) => {
      const { entered, gone } = await play(visits, { cpus: 4, memory_mb: 8 })
      expect(entered.length + gone.length).toBe(visits.length)
      expect(gone.every(({ gives_up }) => gives_up !== null)).toBe(true)
      for (const who of ['ann', 'ben', 'cid']) {
        const asked = entered.filter((one) => one.who === who).map(({ at }) => at)
        expect(asked).toEqual([...asked].sort((a, b) => a - b))
      }
    }),
    draws(200),
  )
})

test('[LANE1] runs take turns: one that asks for much delays one that asks for little by one turn only', async () => {
  const many = Array.from({ length: 50 }, () => ({ who: 'ann', cpus: 1, memory_mb: 0, at: 0, lasts: 10, gives_up: null }))
  const one = { who: 'ben', cpus: 1, memory_mb: 0, at: 1, lasts: 10, gives_up: null }
  const { entered } = await play([...many, one], { cpus: 4, memory_mb: 8 })
  expect(entered.find(({ who }) => who === 'ben')!.entered).toBe(10)
})

test('[LANE1] what is large is not passed by for ever by what is small', async () => {
  const small = Array.from({ length: 60 }, (_, n) => ({
    who: n % 2 ? 'ann' : 'ben',
    cpus: 1,
    memory_mb: 0,
    at: n,
    lasts: 8,
    gives_up: null,
  }))
  const large = { who: 'cid', cpus: 4, memory_mb: 0, at: 5, lasts: 5, gives_up: null }
  const { entered } = await play([...small, large], { cpus: 4, memory_mb: 8 })
  expect(entered.find(({ who }) => who === 'cid')!.entered).toBeLessThanOrEqual(5 + 2 * 8)
})

test('[LANE2] who gives up while waiting leaves its turn to others, a release counts once, and what is beyond the pool is refused at once', async () => {
  const lane = createLane({ cpus: 2 })
  const first = await lane.enter('ann', { cpus: 2 }, never)
  const abort = new AbortController()
  const large = lane.enter('ann', { cpus: 2 }, abort.signal)
  const small: Release[] = []
  for (const who of ['ann', 'ben']) void lane.enter(who, { cpus: 1 }, never).then((release) => small.push(release))
  abort.abort(new Error('the trial was dropped'))
  await expect(large).rejects.toThrow('the trial was dropped')
  first()
  first()
  await settle()
  expect(small).toHaveLength(2)
  expect(lane.load()).toEqual({ used: { cpus: 2 }, waiting: 0 })
  await expect(lane.enter('ann', { cpus: 3 }, never)).rejects.toThrow(BeyondPool)
  await expect(lane.enter('ann', { gpus: 1 }, never)).rejects.toThrow(BeyondPool)
  await expect(lane.enter('ann', { cpus: Number.NaN }, never)).rejects.toThrow(BeyondPool)
  await expect(lane.enter('ann', { cpus: 1 }, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
  expect(lane.load().waiting).toBe(0)
})

test('[LANE3] trials that wait for a sandbox hold no call, and those that wait for a call hold no sandbox that others could have', async () => {
  const lanes = createLanes({ calls: 2, sandbox: { cpus: 1 } })
  const [coder, asker] = [lanes.of('coder'), lanes.of('asker')]
  const box = await coder.enter('sandbox', { cpus: 1 }, never)
  let waiting = true
  const second = coder.enter('sandbox', { cpus: 1 }, never).then((release) => {
    waiting = false
    return release
  })
  const calls = [await asker.call('chutes', plainCall, never), await asker.call('chutes', plainCall, never)]
  expect(lanes.load()).toMatchObject({ model: { used: { calls: 2 }, waiting: 0 }, sandbox: { used: { cpus: 1 }, waiting: 1 } })
  expect(waiting).toBe(true)
  const late = coder.call('chutes', plainCall, never)
  await settle()
  expect(lanes.load().model.waiting).toBe(1)
  box()
  ;(await second)()
  for (const release of calls) release()
  ;(await late)()
  expect(lanes.load()).toMatchObject({ model: { used: { calls: 0 }, waiting: 0 }, sandbox: { used: { cpus: 0 }, waiting: 0 } })
})

test('[LANE4] a timed call has its endpoint alone, others elsewhere go on, and a call that gives up leaves no trace', async () => {
  const lanes = createLanes({ calls: 3, sandbox: {} })
  const [timed, plain] = [lanes.of('timed'), lanes.of('plain')]
  const running = await plain.call('chutes', plainCall, never)
  const order: string[] = []
  const alone = timed.call('chutes', { ...plainCall, alone: true }, never).then((release) => {
    order.push('alone')
    return release
  })
  const behind = plain.call('chutes', plainCall, never).then((release) => {
    order.push('behind')
    return release
  })
  ;(await plain.call('local', plainCall, never))()
  expect(order).toEqual([])
  running()
  await settle()
  expect(order).toEqual(['alone'])
  ;(await alone)()
  ;(await behind)()
  expect(order).toEqual(['alone', 'behind'])
  const three = await Promise.all([1, 2, 3].map(() => plain.call('local', plainCall, never)))
  const abort = new AbortController()
  const dropped = timed.call('chutes', { ...plainCall, alone: true }, abort.signal) // has the endpoint, waits for the lane
  await settle()
  abort.abort(new Error('dropped'))
  await expect(dropped).rejects.toThrow('dropped')
  for (const release of three) release()
  ;(await plain.call('chutes', plainCall, never))()
  expect(lanes.load().model).toEqual({ used: { calls: 0 }, waiting: 0 })
})

test('[JANUS59] calls of one name are no more at once at an endpoint than their bound, of whichever runs they are; other calls go on', async () => {
  const lanes = createLanes({ calls: 9, sandbox: {} })
  const [mine, other] = [lanes.of('mine'), lanes.of('other')]
  const few = { ...plainCall, bound: { name: 'few', most: 3 } }
  const three = [mine.callNow('chutes', few)!, await other.call('chutes', few, never), mine.callNow('chutes', few)!]
  expect(mine.callNow('chutes', few)).toBeNull()
  let begun = false
  const fourth = mine.call('chutes', few, never).then((release) => {
    begun = true
    return release
  })
  const elsewhere = mine.callNow('local', few)!
  const plain = other.callNow('chutes', plainCall)!
  const named = other.callNow('chutes', { ...plainCall, bound: { name: 'more', most: 3 } })!
  await settle()
  expect([begun, lanes.load().model.used.calls]).toEqual([false, 6])
  three[0]!()
  await settle()
  expect([begun, lanes.load().model.used.calls]).toEqual([true, 6])
  for (const release of [...three, await fourth, elsewhere, plain, named]) release()
  expect(lanes.load().model).toEqual({ used: { calls: 0 }, waiting: 0 })
})

test('[JANUS59] a bounded call that finds no room or gives up takes nothing with it', async () => {
  const lanes = createLanes({ calls: 1, sandbox: {} })
  const run = lanes.of('mine')
  const few = { ...plainCall, bound: { name: 'few', most: 1 } }
  const running = await run.call('chutes', plainCall, never)
  expect(run.callNow('chutes', few)).toBeNull()
  const abort = new AbortController()
  const dropped = run.call('chutes', few, abort.signal)
  await settle()
  abort.abort(new Error('dropped'))
  await expect(dropped).rejects.toThrow('dropped')
  running()
  run.callNow('chutes', few)!()
  expect(lanes.load().model).toEqual({ used: { calls: 0 }, waiting: 0 })
})

test('[LANE18] who holds some of a lane gets more at once or not at all, past those who wait, and never beyond the pool', async () => {
  const lanes = createLanes({ calls: 1, sandbox: { cpus: 3 } })
  const mine = lanes.of('coder')
  const first = await mine.enter('sandbox', { cpus: 1 }, never)
  const waiting = lanes.of('other').enter('sandbox', { cpus: 3 }, never)
  const second = mine.more('sandbox', { cpus: 2 })
  expect([second !== null, mine.more('sandbox', { cpus: 1 })]).toEqual([true, null])
  expect(() => mine.more('sandbox', { cpus: 4 })).toThrow(BeyondPool)
  second!()
  first()
  ;(await waiting)()
  expect(lanes.load().sandbox).toEqual({ used: { cpus: 0 }, waiting: 0 })
})
