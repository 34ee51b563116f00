import type { Message } from '../contract/message.ts'

/** The text by which a request is recognised: its last user message. A demo model finds the item of a prompt with it. */
export function promptKey(messages: readonly Message[]): string | undefined {
  return messages.findLast((message) => message.role === 'user')?.content
}
