import { expect, test } from 'vitest'
import type { CallResult } from './call-result.ts'
import type { ModelClient } from './model-client.ts'
import { createRenewedClient } from './renewed-client.ts'

const refusedFor = (reason: 'unauthorized' | 'forbidden') =>
  ({ ok: false, failure: { at: 'provider', reason, retryable: false, status: 401, detail: 'HTTP 401' } }) as unknown as CallResult
const answered = { ok: true, value: { text: 'A' } } as unknown as CallResult

/** Opens a client whose provider accepts the keys `good`; `asked` lists the keys of the calls. */
function open(good: readonly string[], next: (refused: string) => string, reason: 'unauthorized' | 'forbidden' = 'unauthorized') {
  const asked: string[] = []
  const closed: string[] = []
  let key = 'cak_1'
  const clientOf = (one: string): ModelClient => ({
    async call() {
      asked.push(one)
      return good.includes(one) ? answered : refusedFor(reason)
    },
    close: async () => void closed.push(one),
  })
  const client = createRenewedClient(clientOf, {
    now: () => key,
    async renew(refused) {
      key = next(refused)
    },
  })
  return { client, asked, closed, call: () => client.call({} as never, null) }
}

test('[SIGN15] a call that is refused for its key is made once more with the next, and later ones with that', async () => {
  const { call, asked, client, closed } = open(['cak_2'], () => 'cak_2')
  expect(await call()).toBe(answered)
  expect(await call()).toBe(answered)
  expect(asked).toEqual(['cak_1', 'cak_2', 'cak_2'])
  await client.close()
  expect(closed).toEqual(['cak_1', 'cak_2'])
})

test('[SIGN15] without another key the refusal stands, and any other refusal is no matter of the key', async () => {
  const none = open([], (refused) => refused)
  expect(await none.call()).toMatchObject({ ok: false })
  expect(none.asked).toEqual(['cak_1'])
  const wrong = open([], () => 'cak_2')
  expect(await wrong.call()).toMatchObject({ ok: false })
  expect(wrong.asked).toEqual(['cak_1', 'cak_2'])
  const other = open([], () => 'cak_2', 'forbidden')
  expect(await other.call()).toMatchObject({ ok: false })
  expect(other.asked).toEqual(['cak_1'])
})
