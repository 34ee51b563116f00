import type { LiveWait } from '../contract/live.ts'

/** Why nothing is seen of a trial yet, for those who watch it. */
export const waitSentences: Record<LiveWait, string> = {
  'not-begun': 'It has not begun yet. Its answer appears here as soon as an agent asks for it.',
  'agent-away': 'The connection of its agent is lost. It goes on when the agent is back, or another agent begins it anew.',
}
