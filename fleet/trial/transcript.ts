import type { Message } from '#shared/contract/message.ts'
import type { Role } from '#shared/contract/role.ts'
import type { Step } from '#shared/contract/transcript.ts'

type Untimed<S extends Step> = S extends Step ? Omit<S, 'at_ms'> : never

export type Transcript = ReturnType<typeof openTranscript>

/** Records what happens in a trial, step by step. `now` is in milliseconds since it began; `first` is what the tested model is asked first. */
export function openTranscript(now: () => number, first: readonly Message[]) {
  const steps: Step[] = []
  const sent: Partial<Record<Role, readonly Message[]>> = { model: first }
  return {
    steps: steps as readonly Step[],
    /** `at_ms` is when it began. */
    add(step: Untimed<Step>, at_ms = now()): void {
      steps.push({ ...step, at_ms } as Step) // the same member of the union with its time
    },
    /** How a call's messages are kept: how many the role has been sent before, and those that are new, pictures by their hash. */
    fresh(role: Role, messages: readonly Message[]): { known: number; messages: Message[] } {
      const before = sent[role] ?? []
      let known = 0
      while (known < before.length && known < messages.length && same(before[known]!, messages[known]!)) known++
      sent[role] = messages
      return { known, messages: messages.slice(known).map(withoutData) }
    },
    /** Whether it tells more than the record: a single answer of the model that went well, and with nothing beside it, is told by the evidence. */
    tells: () => steps.length > 1 || steps.some((step) => step.type !== 'model_call' || step.aside !== undefined),
  }
}

/** Solvers hand the same objects on; what they build anew is compared by its text. */
function same(a: Message, b: Message): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** The message as records keep it: pictures by their hash. */
export function withoutData(message: Message): Message {
  if (!message.pictures) return message
  return { ...message, pictures: message.pictures.map(({ data: _data, ...picture }) => picture) }
}
