import type { TeamRight } from '#shared/contract/team-rights.ts'
import type { Scope } from './principal.ts'

/** Who may call a route: declared on it, kept by the gate, and told by the OpenAPI document. */
export type Access =
  /** A key makes no difference. */
  | { who: 'anyone' }
  /** Whoever owns or operates something is shown that besides. */
  | { who: 'anyone, more with a key' }
  | { who: 'key holder'; scope: Scope }
  /** Whoever may read the run `{id}`; for all others there is none. `live` is its present state, `stored` what the record has. */
  | { who: 'reader of the run'; state: 'stored' | 'live' }
  /** A reader of the run `{id}` with a key of the scope. What the request makes belongs to that reader. */
  | { who: 'reader of the run, with a key'; scope: Scope }
  /**
   * The owner of the run or an operator, with a key of the scope. For a team's run, members with the right.
   * Callers who can only read the run get 403, all other callers 404.
   */
  | { who: 'owner of the run'; scope: Scope; right?: 'manage' }
  /** The same for the task `{id}`; for strangers there is none. */
  | { who: 'owner of the task'; scope: Scope; right?: 'manage' }
  /** A signed-in user, limited to resources of that user; or an operator, without a limit. */
  | { who: 'signed in or operator' }
  /** A signed-in user alone. */
  | { who: 'signed in' }
  /** A signed-in member of the team `{id}` with the right, or an operator; for all others there is none. */
  | { who: 'member of the team'; right: TeamRight }
  /** The fleet's own token, or a key with the scope `agents:join`. */
  | { who: 'agent' }

/** What a member of the team that owns the run or task needs to be allowed. */
export const rightOf = ({ scope, right }: { scope: Scope; right?: 'manage' }): TeamRight =>
  right ?? (scope === 'runs:read' ? 'read' : 'work')

type Security = readonly Record<string, readonly string[]>[]

const needed: Security = [{ bearer: [] }, { admin: [] }]
const optional: Security = [{}, ...needed]

/** The same as OpenAPI writes it: credentials of which one is needed; `{}` is none, an empty list that none is looked for. */
export function securityOf(access: Access): Security {
  switch (access.who) {
    case 'anyone':
      return []
    case 'anyone, more with a key':
    case 'reader of the run':
      return optional
    case 'key holder':
    case 'reader of the run, with a key':
    case 'owner of the run':
    case 'owner of the task':
      return access.scope === 'admin' ? needed.toReversed() : needed
    case 'signed in':
      return [{ session: [] }]
    case 'signed in or operator':
    case 'member of the team':
      return [{ session: [] }, ...needed.toReversed()]
    case 'agent':
      return [{ bearer: [] }]
  }
}

const byRole: Record<TeamRight, string> = {
  read: 'every member may call it',
  work: 'runners and admins may call it',
  manage: 'admins may call it',
}

/** The same in a sentence for people. */
export function accessSentence(access: Access): string {
  switch (access.who) {
    case 'anyone':
      return 'Anybody may call it.'
    case 'anyone, more with a key':
      return 'Anybody may call it; a key shows what is private besides. A key that does not hold is 401.'
    case 'reader of the run':
      return 'Anybody may call it for a public run or with the id of a linked one. A private run is there for its owner and the operator only; for all others it is 404.'
    case 'reader of the run, with a key':
      return `Needs a key with the scope \`${access.scope}\`, or the admin secret. A private run is there for its owner and the operator only; for all others it is 404.`
    case 'key holder':
      return `Needs a key with the scope \`${access.scope}\`, or the admin secret.`
    case 'owner of the run':
      return `Needs a key of the run’s owner with the scope \`${access.scope}\`, or the admin secret. Of a team’s run ${byRole[rightOf(access)]}.`
    case 'owner of the task':
      return `Needs a key of whoever uploaded the task with the scope \`${access.scope}\`, or the admin secret; for all others it is 404. Of a team’s task ${byRole[rightOf(access)]}.`
    case 'signed in':
      return 'Needs the session of a signed-in user. API keys and the admin secret are refused.'
    case 'member of the team':
      return `Needs the session of a member of the team, or the admin secret: ${byRole[access.right]}. For all others it is 404.`
    case 'signed in or operator':
      return 'Needs the session of a signed-in user, or the admin secret. API keys are refused, so a leaked key cannot make another key.'
    case 'agent':
      return 'For agents: needs the agent token, or a key with the scope `agents:join`.'
  }
}
