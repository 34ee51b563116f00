import { createAsync, revalidate } from '@solidjs/router'
import { createSignal, For } from 'solid-js'
import { Done } from '#shared/contract/api.ts'
import { type KeyVerdict, ProviderKey } from '#shared/contract/provider-keys.ts'
import { type ApiProblem, send } from '../api.ts'
import { getModels } from '../queries.ts'
import { ConfirmButton } from '../ui/confirm.tsx'
import { count, moment } from '../ui/format.ts'
import { RowForm } from '../ui/row-form.tsx'
import { Show } from '../ui/show.tsx'
import { getAudit, getProviderKeys } from './account-queries.ts'
import { ProblemFoot } from './problem-foot.tsx'

const verdicts: Record<KeyVerdict, string> = {
  good: 'The provider takes the key.',
  refused: 'The provider refuses the key: replace it.',
  untold: 'Whether the key is good shows with the first run.',
}

/** Value of the choice that stands for a base URL. */
const elsewhere = 'base-url'

/** Lists the keys of the user at providers, and saves and deletes keys. */
export function ProviderKeys() {
  const answer = createAsync(() => getProviderKeys())
  const list = () => {
    const got = answer()
    return got?.ok ? got.value : { keys: [], offered: [], origins: [], most: 0 }
  }
  const [problem, setProblem] = createSignal<ApiProblem>()
  const [saving, setSaving] = createSignal(false)
  const [where, setWhere] = createSignal('openrouter')
  const [address, setAddress] = createSignal('')
  const [secret, setSecret] = createSignal('')
  const anew = () => revalidate([getProviderKeys.key, getModels.key, getAudit.key])
  const save = async () => {
    setSaving(true)
    const place = where() === elsewhere ? { base_url: address().trim() } : { provider: where() }
    const done = await send(ProviderKey, '/api/provider-keys', { ...place, key: secret().trim() })
    setSaving(false)
    setProblem(done.ok ? undefined : done.problem)
    if (!done.ok) return
    setSecret('')
    setAddress('')
    await anew()
  }
  const remove = async (provider: string) => {
    const done = await send(Done, `/api/provider-keys/${encodeURIComponent(provider)}`, {}, { method: 'DELETE' })
    setProblem(done.ok ? undefined : done.problem)
    await anew()
  }
  return (
    <section class="box overflow-hidden" aria-label="Provider keys">
      <div class="px-5 pt-4 pb-3">
        <h2 class="font-semibold">Keys at providers</h2>
        <p class="text-muted">
          Runs that you start on models of these providers are paid with your key, and nobody else’s runs are. A key is sealed and never
          shown again.
        </p>
      </div>
      <ul>
        <For each={list().keys} fallback={<li class="border-t border-line px-5 py-3 text-muted">You have saved no key.</li>}>
          {(key) => (
            <li class="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-5 py-3">
              <div class="min-w-52 flex-1">
                <span class="font-medium break-words">{key.label}</span>
                <code class="ml-2">····{key.last4}</code>
                <span class="block text-s break-words text-muted">{key.base_url}</span>
                <span class="block text-s text-muted">
                  <span classList={{ 'text-papaya': key.verdict === 'refused' }}>{verdicts[key.verdict]}</span>{' '}
                  {key.models === null ? 'Its models could not be read.' : `${count(key.models)} ${key.models === 1 ? 'model' : 'models'}.`}
                </span>
                <span class="block text-s text-muted">
                  saved {moment(key.created_at)}, {key.used_at ? `used ${moment(key.used_at)}` : 'never used'}
                </span>
              </div>
              <ConfirmButton question="Runs that it pays for are parked." yes="Delete the key" act={() => void remove(key.provider)}>
                Delete
              </ConfirmButton>
            </li>
          )}
        </For>
      </ul>
      <RowForm submit={save}>
        <label class="grid gap-1">
          <span class="text-s text-muted">Provider</span>
          <select class="field" onChange={(event) => setWhere(event.currentTarget.value)}>
            <For each={list().offered}>
              {({ provider, label }) => (
                <option value={provider} selected={provider === where()}>
                  {label}
                </option>
              )}
            </For>
            <Show when={list().origins.length > 0}>
              <option value={elsewhere} selected={where() === elsewhere}>
                another base URL
              </option>
            </Show>
          </select>
        </label>
        <Show when={where() === elsewhere}>
          <label class="grid min-w-52 flex-1 gap-1">
            <span class="text-s text-muted">Base URL, at {list().origins.join(' or ')}</span>
            <input
              class="field"
              type="url"
              required
              placeholder={`${list().origins[0]}/v1`}
              value={address()}
              onInput={(event) => setAddress(event.currentTarget.value)}
            />
          </label>
        </Show>
        <label class="grid min-w-52 flex-1 gap-1">
          <span class="text-s text-muted">Key; one that you have there is replaced</span>
          <input
            class="field"
            type="password"
            autocomplete="off"
            required
            minlength="12"
            maxlength="2000"
            value={secret()}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="btn btn-main" disabled={saving()}>
          {saving() ? 'Saving' : 'Save the key'}
        </button>
      </RowForm>
      <ProblemFoot problem={problem()} />
    </section>
  )
}
