import { expect, test } from 'vitest'
import type { FleetDown, FleetUp } from '#shared/contract/frame.ts'
import type { ItemList, ListedData } from '#shared/contract/item-list.ts'
import { openSqliteStorage } from '../objects/testing/sqlite-storage.ts'
import { listPatienceMs, listWaitMs, mostLists, openItemLists } from './item-lists.ts'
import type { Member } from './roster.ts'

const of = (name: string): ListedData => ({
  ...{ name: name as ListedData['name'], version: 1, profile: 'official', total_items: 3 },
  data: { source: 'pinned', repo: 'r', revision: 'a'.repeat(40), files: [] },
})
const list: ItemList = { keys: ['a', 'b', null], groups: ['g'], group_of: [0, null, 0] }

/** Lists over rows that outlive them, with agents that hear what they are asked. */
function open() {
  const { sql } = openSqliteStorage()
  const due: { at: number; run: () => void }[] = []
  const told: [session: string, frame: Extract<FleetDown, { type: 'list' }>][] = []
  const members: Member[] = []
  let now = 1_000_000
  const clock = {
    now: () => now,
    after(ms: number, run: () => void) {
      const one = { at: now + ms, run }
      due.push(one)
      return () => void due.splice(due.indexOf(one), 1)
    },
  }
  const build = () => openItemLists(sql, clock, () => members)
  return {
    build,
    told,
    rows: () => sql.exec<{ asks: number }>('SELECT count(DISTINCT ask) AS asks FROM item_list').one().asks,
    pass(ms: number) {
      now += ms
      for (const one of due.filter(({ at }) => at <= now)) {
        due.splice(due.indexOf(one), 1)
        one.run()
      }
    },
    join(session: string, free_slots = 1, lists = true) {
      const socket = {
        send: (text: string) => void told.push([session, JSON.parse(text)]),
        close: () => undefined,
        serializeAttachment: () => undefined,
        deserializeAttachment: () => null,
      }
      members.push({ known: { session, lists }, sign: { free_slots }, socket } as unknown as Member) // what the lists look at
    },
    leave: (session: string) =>
      void members.splice(
        members.findIndex(({ known }) => known.session === session),
        1,
      ),
    answer: (at: number, more: Partial<Extract<FleetUp, { type: 'listed' }>> = {}) => ({
      type: 'listed' as const,
      ask: told[at]![1].ask,
      list,
      why: null,
      ...more,
    }),
  }
}

test('[ITEMS5] the freest agent that lists is asked once; everybody who waits hears it, and whoever comes later finds it, also after a restart', async () => {
  const { build, join, told, answer } = open()
  join('old', 9, false)
  join('busy', 1)
  join('free', 5)
  const lists = build()
  const waiting = [lists.list(of('mmlu_pro')), lists.list(of('mmlu_pro'))]
  expect(told).toEqual([['free', { type: 'list', ask: expect.stringMatching(/^[0-9a-f]{64}$/), of: of('mmlu_pro') }]])
  lists.told(answer(0), 'busy')
  lists.told(answer(0), 'free')
  expect(await Promise.all(waiting)).toEqual([
    { type: 'listed', list },
    { type: 'listed', list },
  ])
  expect(await build().list(of('mmlu_pro'))).toEqual({ type: 'listed', list })
  expect(told).toHaveLength(1)
})

test('[ITEMS5] nobody waits longer than the bound: an answer that takes longer is kept, although the object slept in between', async () => {
  const { build, join, told, answer, pass } = open()
  join('one')
  const waits = build().list(of('hle'))
  pass(listWaitMs)
  expect(await waits).toEqual({ type: 'reading' })
  const again = build().list(of('hle'))
  pass(listWaitMs)
  expect([await again, told.length]).toEqual([{ type: 'reading' }, 1])
  const woken = build()
  woken.told(answer(0), 'one')
  expect(await woken.list(of('hle'))).toEqual({ type: 'listed', list })
})

test('[ITEMS5] another agent is asked when the one that was is gone or silent; without one, or where it cannot, the answer says so', async () => {
  const { build, join, leave, told, answer, pass } = open()
  const lists = build()
  expect(await lists.list(of('hle'))).toEqual({ type: 'absent' })
  join('one')
  const first = lists.list(of('hle'))
  leave('one')
  join('two')
  const second = lists.list(of('hle'))
  expect(told.map(([session]) => session)).toEqual(['one', 'two'])
  lists.told(answer(0), 'one')
  lists.told(answer(1, { list: null, why: 'The data is gated.' }), 'two')
  expect(await Promise.all([first, second])).toEqual([
    { type: 'refused', why: 'The data is gated.' },
    { type: 'refused', why: 'The data is gated.' },
  ])
  const third = lists.list(of('hle'))
  pass(listPatienceMs)
  expect(await third).toEqual({ type: 'reading' })
  void lists.list(of('hle'))
  expect(told).toHaveLength(4)
})

test('[ITEMS5] a bounded number of lists is kept, the ones that were asked for last', async () => {
  const { build, join, answer, pass, told, rows } = open()
  join('one')
  const lists = build()
  const large: ItemList = {
    keys: Array.from({ length: 9000 }, (_, id) => `${id}`.padStart(120, 'k')),
    groups: [],
    group_of: Array(9000).fill(null),
  }
  for (let n = 0; n <= mostLists; n++) {
    const got = lists.list(of(`b${n}`))
    lists.told(answer(n, { list: n === 0 ? large : list }), 'one')
    expect(await got).toMatchObject({ type: 'listed' })
    pass(1)
    expect(await lists.list(of('b0'))).toEqual({ type: 'listed', list: large })
  }
  expect([rows(), told.length]).toEqual([mostLists, mostLists + 1])
  void lists.list(of('b1'))
  expect(told).toHaveLength(mostLists + 2)
})
