import type { Change, DialogueParty, Turn } from '#shared/contract/evidence/dialogue.ts'

type Result = Extract<Turn, { type: 'result' }>
/** A message of a party with its calls, and what came of each; a beginning that was cut may lack results. */
export type Exchange = { party: DialogueParty; text: string; calls: { name: string; written: string; result: Result | null }[] }

/** The turns of a dialogue, calls together with their results. */
export function exchangesOf(turns: readonly Turn[]): Exchange[] {
  const exchanges: Exchange[] = []
  let waiting: Exchange['calls'] = []
  for (const turn of turns) {
    if (turn.type === 'result') {
      const call = waiting.shift()
      if (call) call.result = turn
      continue
    }
    const calls = turn.calls.map(({ name, arguments: written }) => ({ name: name ?? '', written, result: null }))
    exchanges.push({ party: turn.party, text: turn.text, calls })
    waiting = [...calls]
  }
  return exchanges
}

/** What all calls together changed: of each value the first that was and the last that came; what came back to its beginning is left out. */
export function netChanges(turns: readonly Turn[]): Change[] {
  const changes = new Map<string, Change>()
  for (const change of turns.flatMap((turn) => (turn.type === 'result' ? turn.changes : []))) {
    const key = `${change.party} ${change.path}`
    const first = changes.get(key) ?? change
    changes.set(key, { ...change, before: first.before })
  }
  return [...changes.values()].filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
}
