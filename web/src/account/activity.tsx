import { A, createAsync } from '@solidjs/router'
import { For } from 'solid-js'
import type { AuditAction, AuditEntry } from '#shared/contract/audit.ts'
import { queryString } from '../query-string.ts'
import { moment } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'
import { getAudit } from './account-queries.ts'

const words: Record<AuditAction, string> = {
  'run.create': 'Started a run',
  'run.cancel': 'Canceled a run',
  'run.pause': 'Paused a run',
  'run.resume': 'Resumed a run',
  'run.retry': 'Retried failed trials of a run',
  'run.change': 'Changed a run',
  'run.regrade': 'Graded a run again',
  'run.rescore': 'Rescored a run',
  'run.list': 'Listed or withdrew a run',
  'run.import': 'Imported runs',
  'task.upload': 'Uploaded a task',
  'task.execute': 'Started a run of a task',
  'task.retry': 'Retried episodes of a task',
  'task.delete': 'Deleted a task',
  'key.create': 'Made a key',
  'key.revoke': 'Revoked a key',
  'provider-key.save': 'Saved a key of a provider',
  'provider-key.delete': 'Deleted a key of a provider',
  'defaults.set': 'Changed the default model and parameters',
  'budget.set': 'Set a budget',
  'agent.forget': 'Forgot an agent',
  'agent.drain': 'Drained an agent, or gave it work again',
  'team.create': 'Made a team',
  'team.change': 'Renamed a team',
  'team.delete': 'Deleted a team',
  'team.join': 'Joined a team',
  'member.change': 'Changed the role of a member',
  'member.remove': 'Took a member out of a team',
  'invitation.create': 'Made an invitation',
  'invitation.revoke': 'Took an invitation back',
  'session.begin': 'Signed in',
  'session.end': 'Signed out',
  'maintenance.set': 'Changed the maintenance mode',
  'models.sync': 'Read the catalogue of models',
}

type Names = Record<string, string>

/** Names the actor: of a team the member, else how the user was known. */
function actorText({ actor_id, actor_kind, key_id }: AuditEntry, names: Names | undefined): string {
  if (actor_kind === 'admin') return 'by the operator'
  if (key_id !== null) return 'with an API key'
  return names ? `by ${names[actor_id] ?? 'a former member'}` : ''
}

/** Lists the last actions of the user and those of others on things of the user, or those of a team, with the whole log as a file. */
export function Activity(props: {
  team?: string
  /** Names of the members of the team by their ids. */
  names?: Names
}) {
  const answer = createAsync(() => getAudit(props.team))
  const file = (format: string) => `/api/audit/export${queryString({ format, team: props.team })}`
  const entries = () => {
    const got = answer()
    return got?.ok ? got.value.entries : []
  }
  return (
    <section class={props.team ? '' : 'box overflow-hidden'} aria-label={props.team ? 'Activity in the team' : 'Activity'}>
      <div class="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-5 pt-4 pb-3">
        <h2 class="font-semibold">Activity</h2>
        <p class="text-muted">
          {props.team ? 'What was done in the team and to its things.' : 'What you did here, and what was done to your things.'}
        </p>
        <span class="ml-auto flex gap-3">
          <a class="link" href={file('csv')} download="" rel="external">
            CSV
          </a>
          <a class="link" href={file('jsonl')} download="" rel="external">
            JSON lines
          </a>
        </span>
      </div>
      <ul>
        <For each={entries()} fallback={<li class="border-t border-line px-5 py-3 text-muted">Nothing yet.</li>}>
          {(entry) => (
            <li class="flex flex-wrap items-baseline gap-x-3 border-t border-line px-5 py-2">
              <span class="font-medium">{words[entry.action]}</span>
              <Show when={/^run:(.+)$/.exec(entry.target ?? '')?.[1]}>
                {(id) => (
                  <A class="link" href={`/runs/${id()}`}>
                    {id().slice(0, 8)}
                  </A>
                )}
              </Show>
              <Show when={typeof entry.detail?.name === 'string'}>
                <span class="min-w-0 break-words">{String(entry.detail?.name)}</span>
              </Show>
              <span class="text-s text-muted">{actorText(entry, props.names)}</span>
              <span class="ml-auto text-s text-muted tabular-nums">
                {moment(entry.at)} <span class="whitespace-nowrap">{entry.address && `from ${entry.address}`}</span>
              </span>
            </li>
          )}
        </For>
      </ul>
    </section>
  )
}
