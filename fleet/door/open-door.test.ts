import { expect, test } from 'vitest'
import type { Answered } from '#shared/solvers/kit.ts'
import { said } from '#shared/solvers/testing/said.ts'
import { unsetParams } from '#shared/solvers/testing/scripted-kit.ts'
import { type DoorMeans, openModelDoor } from './open-door.ts'
import type { relayPrograms } from './relay-programs.ts'
import { relayHost } from './testing/relay-host.ts'

async function open(program: keyof typeof relayPrograms, ask: (signal: AbortSignal) => ReturnType<ReturnType<DoorMeans['askUntil']>>) {
  const means: DoorMeans = {
    model: 'm',
    params: unsetParams,
    note: () => undefined,
    left_ms: 60_000,
    askUntil: (signal) => () => ask(signal),
  }
  const door = await openModelDoor(relayHost(program), means, new AbortController().signal)
  if (!door.ok) throw new Error(door.failure.detail)
  const { base_url, token } = door.value
  const post = (content: string) =>
    fetch(`${base_url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
    })
  return { door: door.value, post }
}

for (const program of ['python', 'perl'] as const) {
  test(`[EPI38] many connections at once, long requests and long answers go through the relay in ${program} byte by byte`, async () => {
    const long = 'ä€'.repeat(400_000)
    let under = 0
    const all = Promise.withResolvers<void>()
    const { door, post } = await open(program, async (): Promise<Answered> => {
      if (++under === 8) all.resolve()
      await all.promise
      return { ok: true, value: said(long) }
    })
    const answers = await Promise.all(Array.from({ length: 8 }, async () => (await post(long)).json() as Promise<{ choices: unknown[] }>))
    for (const { choices } of answers) expect(choices).toMatchObject([{ message: { content: long } }])
    const again = (await (await post('more')).json()) as { choices: unknown[] }
    expect([again.choices.length, door.told().answers]).toEqual([1, 9])
    await door.close()
    await expect(post('late')).rejects.toThrow()
  })

  test(`[EPI32] closing the door of ${program} gives up the call that is under way`, async () => {
    const begun = Promise.withResolvers<AbortSignal>()
    const { door, post } = await open(program, (signal) => {
      begun.resolve(signal)
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    })
    const waiting = post('hi').then(
      () => 'answered',
      () => 'cut',
    )
    const signal = await begun.promise
    expect(signal.aborted).toBe(false)
    await door.close()
    expect([signal.aborted, await waiting, door.told().answers]).toEqual([true, 'cut', 0])
  })
}
