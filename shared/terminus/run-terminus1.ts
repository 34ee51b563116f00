import { floatText } from '../python/number.ts'
import { strip } from '../python/text.ts'
import type { AskRequest, Kit } from '../solvers/kit.ts'
import { type Conversation, openConversation, type Stop } from './conversation.ts'
import { fillTemplate } from './fill-template.ts'
import type { Terminal } from './terminal.ts'
import { readTerminus1, type Terminus1Command, type Terminus1Reply, terminus1CommandText } from './terminus1-reply.ts'
import { replySchema, type Terminus1Texts } from './terminus1-texts.ts'
import { recordTurn } from './turn-record.ts'

export type Terminus1Task = {
  instruction: string
  /** A terminal of the harness `terminal-bench`. */
  terminal: Terminal
  kit: Kit
  texts: Terminus1Texts
  max_turns?: number
  /** Whether the model takes a schema for its replies; else it stands in the prompt. */
  structured: boolean
}

export type Terminus1Counts = { turns: number; commands: number; parse_errors: number }

/**
 * How it ended: the model said that the task is done; the turns were used up; a reply was cut at the output limit; a question did not fit into the
 * context; three replies in a row were not of the schema; a limit of the trial was met; or something failed. All but a failure leave work that can be graded.
 */
export type Terminus1End = { end: 'completed' | 'turn-limit' | 'reply-cut' | 'context-exhausted' | 'unreadable' | 'session-ended' } | Stop
export type Terminus1Result = Terminus1End & { counts: Terminus1Counts }

/** Tries for one turn. Each stays in the conversation, with the question it did not answer well. */
const mostTries = 3

/**
 * Lets the model work at the terminal as terminus-1 of Terminal-Bench 0.2.18 does: replies of a schema, commands that may be waited for, the visible screen
 * in return, and the first word that the task is done ends it. Harbor has the agent's name and no code of it.
 */
export async function runTerminus1(task: Terminus1Task): Promise<Terminus1Result> {
  const { instruction, terminal, kit, texts, max_turns = 50, structured } = task
  const counts: Terminus1Counts = { turns: 0, commands: 0, parse_errors: 0 }
  const schema = replySchema(texts)
  const response_schema = JSON.stringify(schema, null, 2)
  const asked: AskRequest['schema'] = structured ? { name: 'CommandBatchResponse', schema } : null
  const all: Working = { terminal, kit, texts, counts, talk: openConversation(kit, asked), wrap: structured ? null : response_schema }
  const shown = await terminal.screen()
  if (!shown.ok) return { end: 'failure', failure: shown.failure, counts }
  let prompt = fillTemplate(texts.opening, { instruction, response_schema, history: '', terminal_state: shown.value })
  while (counts.turns < max_turns) {
    const next = await takeTurn(prompt, all)
    if ('end' in next) return { ...next, counts }
    prompt = next.prompt
  }
  return { end: 'turn-limit', counts }
}

type Working = {
  terminal: Terminal
  kit: Kit
  texts: Terminus1Texts
  counts: Terminus1Counts
  talk: Conversation
  /** The schema as it stands in prompts, where the model takes none. */
  wrap: string | null
}

async function takeTurn(prompt: string, all: Working): Promise<{ prompt: string } | Terminus1End> {
  const { terminal, kit, counts } = all
  const turn = counts.turns++
  terminal.recording.marker(`Turn ${counts.turns}`)
  const reply = await nextReply(prompt, all)
  if ('end' in reply) return reply
  const shown = await sendAll(reply.commands, all)
  const observation = 'end' in shown ? '' : shown.observation
  const commands = reply.commands.map(({ keystrokes, timeout_sec }) => ({ keystrokes, duration_sec: timeout_sec }))
  recordTurn(kit, { turn, commands, complete: reply.complete, observation, unreadable: false })
  if ('end' in shown) return shown
  kit.progress(observation)
  return reply.complete ? { end: 'completed' } : { prompt: observation }
}

async function nextReply(prompt: string, { texts, counts, talk, wrap }: Working): Promise<Terminus1Reply | Terminus1End> {
  for (let tries = 0; tries < mostTries; tries++) {
    const said = await talk.say(wrap === null ? prompt : fillTemplate(texts.in_prompt, { schema: wrap, prompt }), prompt)
    if (said.type === 'stopped') return said.stop
    if (said.type === 'cut') return { end: 'reply-cut' }
    if (said.type === 'overflow') return { end: 'context-exhausted' }
    const reply = readTerminus1(said.text)
    if (reply) return reply
    counts.parse_errors++
  }
  return { end: 'unreadable' }
}

/** Nobody waits for what ends in a here document or goes to the background. */
const isWaitedFor = ({ keystrokes, is_blocking }: Terminus1Command): boolean => is_blocking && !/(?:EOF|&)$/.test(strip(keystrokes))

async function sendAll(list: readonly Terminus1Command[], all: Working): Promise<{ observation: string } | Terminus1End> {
  const { terminal, kit, texts, counts } = all
  for (const command of list) {
    const hit = kit.limit()
    if (hit) return { end: 'limit', hit }
    kit.progress(`> ${command.keystrokes.slice(0, 500)}`)
    const { keystrokes, timeout_sec } = command
    const sent = await (isWaitedFor(command) ? terminal.sendBlocking(keystrokes, timeout_sec) : terminal.send(keystrokes, 0))
    if (!sent.ok) return { end: 'failure', failure: sent.failure }
    if (sent.value === 'session-ended') return { end: 'session-ended' }
    counts.commands++
    if (sent.value !== 'timeout') continue
    const screen = await terminal.screen()
    if (!screen.ok) return { end: 'failure', failure: screen.failure }
    const values = { timeout_sec: floatText(timeout_sec), command: terminus1CommandText(command), terminal_state: screen.value }
    return { observation: fillTemplate(texts.timed_out, values) }
  }
  const screen = await terminal.screen()
  return screen.ok ? { observation: screen.value } : { end: 'failure', failure: screen.failure }
}
