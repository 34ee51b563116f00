import type { HelperRole, PlannedRole, Role, RoleSpent } from '#shared/contract/role.ts'
import type { StreamFacts } from '#shared/contract/stream.ts'
import { addUsage, costUsd, noUsage, type Usage } from '#shared/contract/usage.ts'
import type { Completion } from '#shared/solvers/kit.ts'

/** What one role took in a trial so far, its last answer, and how the last thing that it was sent came in, also where that failed. */
export type Calls = { usage: Usage; calls: number; last: Completion | null; stream: StreamFacts | undefined; redacted: boolean }

/** What each role took: every call that was sent counts, also those that failed. */
export type Spending = ReturnType<typeof openSpending>

/** Opens the books of one trial. */
export function openSpending() {
  const roles = new Map<Role, Calls>()
  const of = (role: Role): Calls => {
    const known = roles.get(role)
    if (known) return known
    const opened = { usage: noUsage, calls: 0, last: null, stream: undefined, redacted: false }
    roles.set(role, opened)
    return opened
  }
  return {
    of,
    called(role: Role, usage: Usage, stream: StreamFacts | undefined): void {
      const calls = of(role)
      calls.stream = stream
      calls.usage = addUsage(calls.usage, usage)
      calls.calls++
    },
    answered(role: Role, completion: Completion): void {
      const calls = of(role)
      calls.last = completion
      calls.redacted ||= completion.redacted === true
    },
    redacted: () => [...roles.values()].some((calls) => calls.redacted),
    /** What the helpers that were asked took, priced as planned; undefined where none was. */
    helpers(planned: Partial<Record<HelperRole, PlannedRole>>): Partial<Record<HelperRole, RoleSpent>> | undefined {
      if (roles.size === 0 || (roles.size === 1 && roles.has('model'))) return undefined // as nearly always
      const asked = [...roles].flatMap(([role, calls]) => {
        const helper = role === 'model' ? undefined : planned[role]
        return helper && calls.calls > 0 ? [[role, spentOf(helper, calls)] as const] : []
      })
      return asked.length > 0 ? Object.fromEntries(asked) : undefined
    },
  }
}

function spentOf({ model, price }: PlannedRole, { usage, calls, last }: Calls): RoleSpent {
  return { model: model.slug, model_reported: last?.model_reported ?? null, usage, cost_usd: costUsd(usage, price), calls }
}
