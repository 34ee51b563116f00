import * as z from 'zod'
import { ToolCall } from '../message.ts'
import { answerHead, answerSections, CompletionEvidence, shortenAnswer } from './completion.ts'
import type { Kind, Section } from './kind.ts'

/** Who talks and calls tools: the tested agent, or the user that a helper plays. */
export const parties = ['assistant', 'user'] as const
export type DialogueParty = (typeof parties)[number]

/** How a dialogue ended. `limit`: a limit of the run stood in the way. */
export const dialogueEnds = ['user-stop', 'max-steps', 'too-many-errors', 'limit'] as const
export type DialogueEnd = (typeof dialogueEnds)[number]

/** One value that a call changed in a party's data base; `path` names it as `lines.L1002.status`, null stands for what is not there. */
const Change = z.object({ party: z.enum(parties), path: z.string(), before: z.json(), after: z.json() })
export type Change = z.infer<typeof Change>

const Turn = z.discriminatedUnion('type', [
  /** What a party said. With calls, its text reached nobody. */
  z.object({ type: z.literal('said'), party: z.enum(parties), text: z.string(), calls: z.array(ToolCall) }),
  /** What a tool answered to a call of `party`. */
  z.object({
    type: z.literal('result'),
    party: z.enum(parties),
    call_id: z.string(),
    name: z.string(),
    content: z.string(),
    error: z.boolean(),
    changes: z.array(Change),
  }),
])
export type Turn = z.infer<typeof Turn>

/** An assertion about the data bases after all calls were replayed in fresh ones, and whether it held. `args` is JSON text. */
const AssertionCheck = z.object({
  party: z.enum(parties),
  name: z.string(),
  args: z.string(),
  value: z.boolean(),
  message: z.string().nullable(),
  held: z.boolean(),
})
export type AssertionCheck = z.infer<typeof AssertionCheck>

/**
 * A dialogue of the tested agent with a user, both of whom have tools. `text` is the agent's last words. `assertions` is null where the dialogue did not end
 * by itself: nothing is replayed then. `broken` says why earlier tries at it were begun anew.
 */
export const DialogueEvidence = CompletionEvidence.extend({
  kind: z.literal('dialogue'),
  turns: z.array(Turn),
  end: z.enum(dialogueEnds),
  steps: z.int().min(0),
  errors: z.int().min(0),
  most: z.object({ steps: z.int().min(1), errors: z.int().min(1) }),
  assertions: z.array(AssertionCheck).nullable(),
  broken: z.array(z.string().max(500)),
})
export type DialogueEvidence = z.infer<typeof DialogueEvidence>

/** Why a dialogue ended, for people. */
export const dialogueEndWords: Record<DialogueEnd, string> = {
  'user-stop': 'the user ended it',
  'max-steps': 'the limit of steps ended it',
  'too-many-errors': 'too many failed calls ended it',
  limit: 'a limit of the run ended it',
}

/** An assertion in words, as `assert_service_status({"expected_status": "connected"})`. */
export const assertionWords = ({ name, args, value }: AssertionCheck): string => `${name}(${args})${value ? '' : ' is false'}`

const partyWords: Record<DialogueParty, string> = { assistant: 'Agent', user: 'User' }

function lineOf(turn: Turn): string {
  if (turn.type === 'result') return `  ${turn.name}: ${turn.content}`
  const calls = turn.calls.map(({ name, arguments: written }) => `${partyWords[turn.party]} calls ${name ?? ''}(${written})`)
  return [...(turn.text === '' ? [] : [`${partyWords[turn.party]}: ${turn.text}`]), ...calls].join('\n')
}

function dialogueSections(evidence: DialogueEvidence): Section[] {
  const outcome = [
    dialogueEndWords[evidence.end],
    ...(evidence.assertions ?? []).map((check) => `${assertionWords(check)}: ${check.held ? 'held' : 'did not hold'}`),
  ]
  return [
    ...answerSections(evidence).map((one) => ({ ...one, scored: false })),
    { title: 'Dialogue', text: evidence.turns.map(lineOf).join('\n'), scored: true },
    { title: 'Outcome', text: outcome.join('\n'), scored: true },
  ]
}

/** Reasoning gives way first, then what calls changed, which is shown and not scored. */
function shortenDialogue(evidence: DialogueEvidence, chars: number): DialogueEvidence {
  const answered = shortenAnswer(evidence, chars)
  let left = chars - ((evidence.reasoning?.length ?? 0) - (answered.reasoning?.length ?? 0))
  const turns = evidence.turns.map((turn): Turn => {
    if (left <= 0 || turn.type !== 'result' || turn.changes.length === 0) return turn
    left -= JSON.stringify(turn.changes).length
    return { ...turn, changes: [] }
  })
  return { ...answered, turns }
}

/** The beginning of the dialogue: each of its texts and calls, together no longer than four times `chars`; what did or did not hold stays. */
function dialogueHead(evidence: DialogueEvidence, chars: number): DialogueEvidence {
  const head = (text: string): string => answerHead({ ...evidence, text }, chars).text
  let left = 4 * chars
  const turns: Turn[] = []
  for (const turn of evidence.turns) {
    const short: Turn =
      turn.type === 'said'
        ? { ...turn, text: head(turn.text), calls: turn.calls.map((call) => ({ ...call, arguments: head(call.arguments) })) }
        : { ...turn, content: head(turn.content) }
    const long = JSON.stringify(short).length
    if (turns.length > 0 && long > left) break
    left -= long
    turns.push(short)
  }
  return { ...answerHead(evidence, chars), turns }
}

export const dialogue: Kind<DialogueEvidence> = {
  schema: DialogueEvidence,
  response: ({ text }) => text,
  sections: dialogueSections,
  shorten: shortenDialogue,
  head: dialogueHead,
  judge_output: () => null,
}
