import { expect, test } from 'vitest'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { fetchReplay } from './fetch-replay.ts'

const presence = { agent_id: 'box', session: 'session-1', pass: 'pass-1' }
const spec = testSpec()

/** A service that gives these answers in turn, the last of them again and again; waits take no time and are kept. */
function source(...answers: (() => Response)[]) {
  const waits: number[] = []
  const asked: Request[] = []
  const clock = {
    now: () => 0,
    after(ms: number, run: () => void) {
      waits.push(ms)
      const soon = setImmediate(run)
      return () => clearImmediate(soon)
    },
  }
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    asked.push(new Request(url, init))
    return answers[Math.min(asked.length, answers.length) - 1]!()
  }
  return {
    waits,
    asked,
    read: () => fetchReplay(spec.run_id, () => presence, { edgeUrl: 'https://bench.example', token: 'agent-token-1', clock, fetch }),
  }
}

test('[RUN114] an agent reads the answers once with its pass, and waits for a service that is away', async () => {
  const answers = [{ texts: ['A'] }]
  const away = () => new Response(null, { status: 503 })
  const cut = () => {
    throw new TypeError('connection reset')
  }
  const service = source(away, cut, () => Response.json(answers))
  expect(await service.read()).toEqual({ ok: true, value: answers })
  expect(service.waits).toEqual([500, 1000])
  const [request] = service.asked
  expect(new URL(request!.url).pathname).toBe(`/api/runs/${spec.run_id}/replay/agent`)
  expect(Object.fromEntries(request!.headers)).toMatchObject({
    authorization: 'Bearer agent-token-1',
    'x-bench-agent': 'box',
    'x-bench-session': 'session-1',
    'x-bench-pass': 'pass-1',
  })
})

test('[RUN114] answers that are not there, or not within a minute and a half, are a failure of the replay', async () => {
  const refused = source(() => new Response(null, { status: 404 }))
  expect(await refused.read()).toMatchObject({ ok: false, failure: { at: 'replay', reason: 'unavailable', retryable: false, status: 404 } })
  expect(refused.waits).toEqual([])
  const gone = source(() => new Response(null, { status: 503 }))
  expect(await gone.read()).toMatchObject({ ok: false, failure: { at: 'replay', reason: 'unavailable', retryable: true, status: 503 } })
  expect(gone.waits.reduce((sum, ms) => sum + ms, 0)).toBe(91_500)
})
