import { withLength } from '../adapters/fixed-length.ts'
import { clientAddress } from '../auth/visitor.ts'
import type { Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { type Bound, bounds, type Cost } from './cost.ts'
import { networkOf } from './refuse-guessing.ts'
import { openTurns, type Turn } from './turns.ts'

type Who = 'strangers' | 'members'

/** Longest time that a slow reader keeps a turn: what he takes then is little at a time. */
const longestTurnMs = 60_000

/** Turns of one isolate. Strangers have their own, so that however many come, the owners of runs are served. */
export function createTurns(sleep: (ms: number) => Promise<void>) {
  const open = (cost: Exclude<Cost, 'cheap'>) => ({
    strangers: openTurns(bounds[cost].strangers, sleep),
    members: openTurns(bounds[cost].members, sleep),
  })
  const turns = { search: open('search'), stream: open('stream'), heavy: open('heavy') }
  return async (cost: Cost, principal: Principal, request: Request): Promise<Turn> => {
    if (cost === 'cheap') return { end: () => undefined }
    const who: Who = principal.owner_id === null ? 'strangers' : 'members'
    const turn = await turns[cost][who].take(principal.owner_id ?? networkOf(clientAddress(request) ?? ''))
    if (turn) return turn
    throw tooManyAtOnce(bounds[cost][who])
  }
}
export type TakeTurn = ReturnType<typeof createTurns>

function tooManyAtOnce({ at_once, retry_after_s }: Bound): Problem {
  const detail = `Too many requests that take much are under way. Try again in ${retry_after_s} s.`
  const headers = { 'ratelimit-limit': String(at_once.each), 'ratelimit-remaining': '0', 'ratelimit-reset': String(retry_after_s) }
  return new Problem('rate-limited', detail, { retry_after_s, headers })
}

/** A shorter answer stands ready in memory: sending it takes nothing more. */
const shortBytes = 2 ** 20

/** A long download keeps its turn until its last byte has left, its reader is gone, or a minute is over; everything else ends it at once. */
export function endWithAnswer(response: Response, turn: Turn): Response {
  const { body, headers } = response
  const length = headers.get('content-length')
  const isLong = headers.get('content-disposition')?.startsWith('attachment') && (length === null || Number(length) > shortBytes)
  if (body === null || !isLong) {
    turn.end()
    return response
  }
  const clock = setTimeout(() => turn.end(), longestTurnMs)
  const end = () => {
    clearTimeout(clock)
    turn.end()
  }
  const reader = body.getReader()
  const told = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        end()
        controller.close()
      } catch (error) {
        end()
        controller.error(error)
      }
    },
    async cancel(reason) {
      end()
      await reader.cancel(reason)
    },
  })
  return new Response(length === null ? told : withLength(told, Number(length)), response)
}
