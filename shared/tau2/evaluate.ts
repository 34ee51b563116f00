import type { AssertionCheck, Turn } from '../contract/evidence/dialogue.ts'
import type { DialogueFacts } from './facts.ts'
import { equal, loads } from './json-values.ts'
import { type World, WorldBroken } from './world.ts'

/**
 * Replays the calls of a dialogue that change something in a fresh world, which it prepares, and asks of every assertion whether it holds then. Throws
 * `WorldBroken` where a call does not answer as it did. Source: `EnvironmentEvaluator` and `Environment.set_state`, strict.
 */
export function evaluate(world: World, facts: Pick<DialogueFacts, 'begins' | 'assertions'>, turns: readonly Turn[]): AssertionCheck[] {
  world.prepare(facts.begins)
  const calls = turns.flatMap((turn) => (turn.type === 'said' ? turn.calls : []))
  const results = turns.filter((turn) => turn.type === 'result')
  for (const [index, { party, name, content }] of results.entries()) {
    if (!world.changes(party, name)) continue
    const again = world.respond({ party, name, arguments: calls[index]?.arguments ?? '' })
    if (!sameContent(again.content, content)) throw new WorldBroken(`${name} answered otherwise when it was replayed`)
  }
  world.sync()
  return facts.assertions.map((assertion) => ({ ...assertion, held: world.holds(assertion) }))
}

/** Compared as JSON where both are. */
function sameContent(a: string, b: string): boolean {
  const [left, right] = [loads(a) ?? a, loads(b) ?? b]
  return equal(left, right)
}
