import type { StoredRun } from '#db/store.ts'
import type { Run } from '#shared/contract/api.ts'
import { isTerminal } from '#shared/contract/run.ts'
import { defOf } from '#shared/providers/providers.ts'
import { viewRun } from '#shared/run/run-view.ts'
import { mayDo, teamFor } from '../auth/team-access.ts'
import type { Deps, Principal } from '../deps.ts'
import { owns, viewOf } from './run-access.ts'

/** A run as the API shows it to this visitor. */
export function toRun(stored: StoredRun, principal: Principal, deps: Pick<Deps, 'cards' | 'config'>): Run {
  const { spec, label } = stored
  const demo = isDemo(spec.model.provider, deps)
  const mine = owns(spec, principal) && mayDo(principal, spec.owner_id, 'work')
  const team = teamFor(principal, spec.owner_id)
  return viewRun(stored, { cards: deps.cards, seen: viewOf(spec, principal), mine, team, demo, label })
}

/** Whether the answers of this provider are invented. */
export function isDemo(provider: string, deps: Pick<Deps, 'config'>): boolean {
  return provider === 'demo' || deps.config.providers.some((one) => one.id === provider && defOf(one).invented)
}

/** Whether the record holds everything of the run: its stored state has ended, so nothing is left to drain. */
export function isSettled(run: StoredRun): boolean {
  return isTerminal(run.head.status)
}
