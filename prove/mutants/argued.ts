import type { Mutant } from './operators.ts'

/** A mutant that no test can tell from the code, or none should, with the reason. It is known by its text, so that lines may move. */
export type Argued = { path: string; before: string; after: string; because: string }

export const argued: readonly Argued[] = [
  {
    path: 'edge/objects/open-store.ts',
    before: `if (URL.canParse(url ?? '')) return createStore(connect(url!, endpoint ? { fetchEndpoint: endpoint } : {}))`,
    after: `if (URL.canParse(url ?? '')) return createStore(connect(url!, true ? { fetchEndpoint: endpoint } : {}))`,
    because: 'the same: `connect` takes an endpoint that is undefined or empty for none; only the types want the difference',
  },
  {
    path: 'edge/objects/passes.ts',
    before: 'if (known) return known',
    after: ';',
    because: 'the same pass is computed again: only its time is lost',
  },
  {
    path: 'edge/objects/passes.ts',
    before: 'if (made.size >= mostRemembered) made.clear()',
    after: 'if (made.size >= mostRemembered) ;',
    because: 'bounds memory at 20,000 passes; what is forgotten is computed again, so no call tells the difference',
  },
  {
    path: 'edge/run/run-credential.ts',
    before: 'retryable: false,',
    after: 'retryable: true,',
    because:
      'the same: a halt parks a run by the place, the reason and the sentence of its failure; the field is there because failures have one',
  },
  {
    path: 'fleet/coordinator/run-folder.ts',
    before: 'let at = trials.length > 0 ? fstatSync(records).size : 0',
    after: 'let at = trials.length >= 0 ? fstatSync(records).size : 0',
    because: 'the same: without trials the place is not used; only a look at the file is spared',
  },
  {
    path: 'fleet/serve-agent.ts',
    before: `stop.removeEventListener('abort', drain)`,
    after: ';',
    because: 'an agent that has ended drains by doing nothing; what is spared is a closure until the signal goes',
  },
  {
    path: 'shared/run/trial-store.ts',
    before: `if (before.state === 'leased') held.get(before.session)?.delete(ordinal)`,
    after: `if (before.state === 'leased') held.get(before.session).delete(ordinal)`,
    because: 'the same: a trial becomes leased only by being put among those its session holds, and no session is ever taken out',
  },
]

/** The argument for a mutant, if it has one. */
export function argumentFor({ path, before, after }: Mutant, known: readonly Argued[] = argued): Argued | undefined {
  return known.find((one) => one.path === path && one.before === before && one.after === after)
}
