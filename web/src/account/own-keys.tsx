import { createAsync, revalidate } from '@solidjs/router'
import { createSignal, For } from 'solid-js'
import { Done } from '#shared/contract/api.ts'
import { CreatedApiKey } from '#shared/contract/api-keys.ts'
import { type ApiProblem, send } from '../api.ts'
import { ConfirmButton } from '../ui/confirm.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { moment } from '../ui/format.ts'
import { origin } from '../ui/origin.ts'
import { RowForm } from '../ui/row-form.tsx'
import { Show } from '../ui/show.tsx'
import { getAudit, getOwnKeys } from './account-queries.ts'
import { BudgetBar } from './budget-bar.tsx'
import { ProblemFoot } from './problem-foot.tsx'
import { amountOf, SetBudget } from './set-budget.tsx'

const lives = { '30': '30 days', '90': '90 days', '365': 'a year', none: 'no end' }

/** Lists the API keys of the user, or of a team for its admins, and makes and revokes keys. */
export function OwnKeys(props: { invokes: boolean; team?: string }) {
  const answer = createAsync(() => getOwnKeys(props.team))
  const [problem, setProblem] = createSignal<ApiProblem>()
  const [made, setMade] = createSignal<string>()
  const [name, setName] = createSignal('')
  const [mayStart, setMayStart] = createSignal(true)
  const [life, setLife] = createSignal<string>('90')
  const [perDay, setPerDay] = createSignal('')
  const [perMonth, setPerMonth] = createSignal('')
  const keys = () => {
    const got = answer()
    return got?.ok ? got.value.keys.filter((key) => key.revoked_at === null) : []
  }
  const make = async () => {
    const expires_at = life() === 'none' ? null : new Date(Date.now() + Number(life()) * 86_400_000).toISOString()
    const scopes = mayStart() ? ['runs:read', 'runs:write'] : ['runs:read']
    const limits = { day_usd: amountOf(perDay()), month_usd: amountOf(perMonth()) }
    const budget = limits.day_usd === null && limits.month_usd === null ? null : limits
    const answer = await send(CreatedApiKey, '/api/keys', { name: name().trim(), scopes, expires_at, budget, team: props.team ?? null })
    setProblem(answer.ok ? undefined : answer.problem)
    if (!answer.ok) return
    setMade(answer.value.key)
    setName('')
    setPerDay('')
    setPerMonth('')
    await revalidate([getOwnKeys.key, getAudit.key])
  }
  const revoke = async (id: string) => {
    const done = await send(Done, `/api/keys/${encodeURIComponent(id)}`, {}, { method: 'DELETE' })
    setProblem(done.ok ? undefined : done.problem)
    await revalidate([getOwnKeys.key, getAudit.key])
  }
  return (
    <section class={props.team ? '' : 'box overflow-hidden'} aria-label={props.team ? 'API keys of the team' : 'API keys'}>
      <div class="px-5 pt-4 pb-3">
        <h2 class="font-semibold">API keys</h2>
        <p class="text-muted">
          For <code>curl</code>, scripts and <code>bench</code>. {props.team ? 'A key acts as the team. ' : ''}
          {props.invokes ? 'Runs that a key starts are paid by your account.' : ''}
        </p>
      </div>
      <Show when={made()}>
        {(key) => (
          <div class="grid gap-2 border-t border-line bg-moss-soft px-5 py-3" role="status">
            <p>
              <strong>Copy the key now.</strong> It is shown this once.
            </p>
            <div class="flex flex-wrap items-center gap-2">
              <code class="min-w-0 break-all">{key()}</code>
              <CopyButton text={key()} label="Copy the key" />
              <CopyButton text={`curl -H 'Authorization: Bearer ${key()}' ${origin()}/api/runs`} label="Copy a curl line" />
            </div>
          </div>
        )}
      </Show>
      <ul>
        <For
          each={keys()}
          fallback={<li class="border-t border-line px-5 py-3 text-muted">{props.team ? 'The team has no keys.' : 'You have no keys.'}</li>}
        >
          {(key) => (
            <li class="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-5 py-3">
              <div class="min-w-52 flex-1">
                <span class="font-medium break-words">{key.name}</span>
                <span class="ml-2 text-s text-muted">{key.scopes.includes('runs:write') ? 'reads and starts runs' : 'reads runs'}</span>
                <span class="block text-s text-muted">
                  {key.used_at ? `used ${moment(key.used_at)}` : 'never used'},{' '}
                  {key.expires_at ? `ends ${moment(key.expires_at)}` : 'has no end'}
                </span>
                <Show when={key.budget}>{(budget) => <BudgetBar budget={budget()} />}</Show>
              </div>
              <SetBudget id={key.id} name={key.name} budget={key.budget ?? null} failed={setProblem} />
              <ConfirmButton question="Programs with it are refused at once." yes="Revoke the key" act={() => void revoke(key.id)}>
                Revoke
              </ConfirmButton>
            </li>
          )}
        </For>
      </ul>
      <RowForm submit={make}>
        <label class="grid min-w-40 flex-1 gap-1">
          <span class="text-s text-muted">Name</span>
          <input
            class="field"
            value={name()}
            maxlength="100"
            required
            placeholder="nightly"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <label class="grid gap-1">
          <span class="text-s text-muted">May</span>
          <select class="field" onChange={(event) => setMayStart(event.currentTarget.value === 'write')}>
            <option value="write">read and start runs</option>
            <option value="read">read runs</option>
          </select>
        </label>
        <label class="grid gap-1">
          <span class="text-s text-muted">Ends after</span>
          <select class="field" onChange={(event) => setLife(event.currentTarget.value)}>
            <For each={Object.entries(lives)}>
              {([value, text]) => (
                <option value={value} selected={value === life()}>
                  {text}
                </option>
              )}
            </For>
          </select>
        </label>
        <label class="grid gap-1">
          <span class="text-s text-muted">Most $ a day</span>
          <input
            class="field w-24"
            inputmode="decimal"
            placeholder="no limit"
            value={perDay()}
            onInput={(event) => setPerDay(event.currentTarget.value)}
          />
        </label>
        <label class="grid gap-1">
          <span class="text-s text-muted">Most $ a month</span>
          <input
            class="field w-24"
            inputmode="decimal"
            placeholder="no limit"
            value={perMonth()}
            onInput={(event) => setPerMonth(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="btn btn-main">
          Make a key
        </button>
      </RowForm>
      <ProblemFoot problem={problem()} />
    </section>
  )
}
