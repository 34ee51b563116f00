import type { DialogueEvidence, Turn } from '../contract/evidence/dialogue.ts'
import type { Failure } from '../contract/failure.ts'
import type { Message, ModelParams } from '../contract/message.ts'
import type { Kit, Solver } from '../solvers/kit.ts'
import { type Broken, type Conversed, converse, type Most, type Talk } from './converse.ts'
import { evaluate } from './evaluate.ts'
import { type DialogueFacts, factsIn } from './facts.ts'
import { type Domain, WorldBroken } from './world.ts'

/** Tries at a dialogue: the first, and three anew after an exception (`run_with_retry`, `src/tau2/runner/progress.py`). */
const tries = 4

/** What a benchmark of dialogues says of them besides its items: how the user's conversation begins, and how far a dialogue goes. */
export type DialogueRules = { userSystem(scenario: string): string; most: Most }

/**
 * Plays a dialogue and looks at what came of it. `item.messages` are how the agent's conversation begins, the last of them its greeting; `domainOf` reads the
 * world from what the data set keeps for solvers.
 */
export function solveDialogue(rules: DialogueRules, domainOf: (hidden: unknown) => Domain): Solver<'dialogue'> {
  return async (item, kit) => {
    const hidden = await kit.hidden()
    if (!hidden.ok) return hidden
    const facts = factsIn(item)
    const domain = domainOf(hidden.value)
    const broken: Broken[] = []
    for (let go = 1; go <= tries; go++) {
      const played = await playOnce(item.messages, facts, rules, domain, kit)
      if (played.type === 'failed') return { ok: false, failure: played.failure }
      if (played.type === 'ended') return { ok: true, value: evidenceOf(played.talk, played.assertions, rules.most, broken) }
      broken.push(played.broken)
      kit.transcript.note(`The dialogue broke off, ${blame[played.broken.by]}: ${played.broken.why}.`)
    }
    return { ok: false, failure: failureOf(broken) }
  }
}

type Assertions = DialogueEvidence['assertions']
type Played = Exclude<Talk, { type: 'ended' }> | { type: 'ended'; talk: Conversed; assertions: Assertions }

/** One try. What the world raises breaks it, as an exception does officially. */
async function playOnce(begins: readonly Message[], facts: DialogueFacts, rules: DialogueRules, domain: Domain, kit: Kit): Promise<Played> {
  const seeded = (params: ModelParams | undefined): ModelParams => ({ ...(params ?? kit.params), seed: facts.seed })
  try {
    const world = domain.open()
    world.prepare(facts.begins)
    const parties = {
      assistant: { begins, tools: domain.tools.assistant, params: seeded(kit.params) },
      user: {
        begins: [{ role: 'system' as const, content: rules.userSystem(facts.scenario) }],
        tools: domain.tools.user,
        params: seeded(kit.helpers.user?.params),
      },
    }
    const played = await converse(parties, begins.at(-1)?.content ?? '', world, rules.most, kit)
    if (played.type !== 'ended') return played
    const ended = played.talk.end === 'user-stop'
    return { ...played, assertions: ended ? evaluate(domain.open(), facts, played.talk.turns) : null }
  } catch (error) {
    if (!(error instanceof WorldBroken)) throw error
    return { type: 'broken', broken: { by: 'world', why: error.message } }
  }
}

function evidenceOf({ turns, end, steps, errors, last, limit }: Conversed, assertions: Assertions, most: Most, broken: readonly Broken[]) {
  return {
    kind: 'dialogue' as const,
    text: lastWords(turns),
    reasoning: last?.reasoning ?? null,
    finish_reason: last?.finish_reason ?? null,
    scoring_input: null,
    truncated_reasoning: false,
    ...(limit && { limit }),
    turns,
    end,
    steps,
    errors,
    most,
    assertions,
    broken: broken.map(({ by, why }) => `${blame[by]}: ${why}`.slice(0, 500)),
  }
}

const lastWords = (turns: readonly Turn[]): string =>
  turns.findLast(
    (turn): turn is Extract<Turn, { type: 'said' }> => turn.type === 'said' && turn.party === 'assistant' && turn.calls.length === 0,
  )?.text ?? ''

const blame: Record<Broken['by'], string> = { assistant: 'by the agent', user: 'by the user', world: 'by its world' }

/**
 * A dialogue that broke off at every try is no result, as officially, where it is left out of all numbers (INFRASTRUCTURE_ERROR). It is laid to whoever
 * broke it last: the tested model's provider, the user simulator, or the solver for its world.
 */
function failureOf(broken: readonly Broken[]): Failure {
  const { by = 'world', why = '' } = broken.at(-1) ?? {}
  const detail = `The dialogue broke off ${broken.length} times, the last time ${blame[by]}: ${why}`.slice(0, 2000)
  const base = { retryable: false, status: null, detail }
  if (by === 'assistant') return { at: 'provider', reason: 'bad-response', ...base }
  return by === 'user' ? { at: 'user', reason: 'unreadable', ...base } : { at: 'solver', reason: 'error', ...base }
}
