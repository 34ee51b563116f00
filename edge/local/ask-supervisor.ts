import * as z from 'zod'

const Answer = z.object({ type: z.literal('answer'), id: z.int(), value: z.unknown().optional(), error: z.string().optional() })

/** The end of an IPC channel that a part has to its supervisor. */
type Channel = Pick<NodeJS.Process, 'send' | 'on'>

const patienceMs = 30_000

/**
 * A function that asks the supervisor over IPC and gives its answer; `PartSpec.answer` is the other side. It rejects with the supervisor's error, and
 * after 30 s without an answer. Null in a process without a supervisor.
 */
export function askSupervisor(channel: Channel): ((question: object) => Promise<unknown>) | null {
  if (!channel.send) return null
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let ids = 0
  channel.on('message', (message: unknown) => {
    const { data } = Answer.safeParse(message)
    const asked = data && waiting.get(data.id)
    if (!asked) return
    if (data.error === undefined) asked.resolve(data.value)
    else asked.reject(new Error(data.error))
  })
  return async (question) => {
    const id = ++ids
    const asked = Promise.withResolvers<unknown>()
    const timer = setTimeout(() => asked.reject(new Error('the supervisor does not answer')), patienceMs)
    waiting.set(id, asked)
    try {
      channel.send!({ ...question, type: 'ask', id })
      return await asked.promise
    } finally {
      clearTimeout(timer)
      waiting.delete(id)
    }
  }
}
