import type { Env } from '../objects/env.ts'
import type { SessionsPort } from '../sign-in/session-tokens.ts'

/** How often somebody may sign in again while his runs go on with the session before. */
const mostFollowed = 20

/** The tokens of sessions, each in an object of its own. Throws what the platform throws while an object cannot be reached. */
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
