import { expect, test } from 'vitest'
import { openSqliteStorage } from '../objects/testing/sqlite-storage.ts'
import { openAgentNames } from './agent-names.ts'

const day = 24 * 3_600_000
const [mine, theirs] = ['secret-of-the-real-agent', 'secret-of-somebody-else']

/** Who comes under the name `worker` at which moment. */
function open() {
  const names = openAgentNames(openSqliteStorage().sql)
  return { names, claim: (secret: string, nowMs: number, host = 'host') => names.claim({ agent_id: 'worker', secret, host }, nowMs) }
}

test('[FLEET21] a name is free again when its agent was not seen for thirty days, and each coming begins them anew', () => {
  const { claim } = open()
  expect([claim(mine, 0), claim(mine, 29 * day), claim(theirs, 58 * day)]).toEqual([true, true, false])
  expect(claim(theirs, 59 * day)).toBe(false)
  expect([claim(theirs, 59 * day + 1), claim(mine, 59 * day + 2)]).toEqual([true, false])
})

test('[FLEET21] whoever tries another agent’s name does not keep it from becoming free', () => {
  const { claim } = open()
  claim(mine, 0)
  expect([claim(theirs, 20 * day), claim(theirs, 30 * day + 1)]).toEqual([false, true])
})

test('[FLEET21] the operator sees who was refused last and how often, and nobody else', () => {
  const { names, claim } = open()
  claim(mine, 0)
  expect(names.refused()).toEqual([])
  claim(theirs, 1000, 'first')
  claim(theirs, 2000, 'second')
  expect(names.refused()).toEqual([{ agent_id: 'worker', host: 'second', at: '1970-01-01T00:00:02.000Z', times: 2 }])
  expect([names.forget('nobody'), names.forget('worker'), names.refused()]).toEqual([false, true, []])
})
