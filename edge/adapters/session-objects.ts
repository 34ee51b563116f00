import type { Env } from '../objects/env.ts'
import type { SessionsPort } from '../sign-in/session-tokens.ts'

/** Most replacement sessions that `token` follows. */
const mostFollowed = 20

/** Reaches the `SessionObject` of each session. Throws the platform's error if an object is unreachable. */
export function createSessionsPort(objects: Env['SESSION']): SessionsPort {
  return {
    keep: (session_id, tokens) => objects.getByName(session_id).keep(tokens),
    async token(session_id, refused) {
      let answer = await objects.getByName(session_id).token(refused)
      for (let steps = 0; answer.is === 'followed' && steps < mostFollowed; steps++)
        answer = await objects.getByName(answer.session_id).token(refused)
      return answer
    },
    end: (session_id, next) => objects.getByName(session_id).end(next),
  }
}
