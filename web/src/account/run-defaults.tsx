import { createAsync, revalidate } from '@solidjs/router'
import { createSignal, For } from 'solid-js'
import { KeptDefaults } from '#shared/contract/run-defaults.ts'
import { type ApiProblem, send } from '../api.ts'
import { ModelPicker } from '../start/model-picker.tsx'
import { fieldsOf } from '../start/more-options.tsx'
import { OptionFieldView } from '../start/option-fields.tsx'
import { defaultsOf, selectionOf } from '../start/own-defaults.ts'
import type { Selection } from '../start/selection.ts'
import { Show } from '../ui/show.tsx'
import { getAudit, getRunDefaults } from './account-queries.ts'
import { ProblemFoot } from './problem-foot.tsx'

const fields = fieldsOf(['temperature', 'maxTokens', 'reasoning', 'reasoningBudget', 'topP', 'concurrency', 'budget'])

/** Sets and clears the model and parameters that the start page begins with. */
export function RunDefaultsForm() {
  const answer = createAsync(() => getRunDefaults())
  const kept = () => {
    const got = answer()
    return got?.ok ? got.value.defaults : null
  }
  const [changed, setChanged] = createSignal<Partial<Selection>>({})
  const [choosing, setChoosing] = createSignal(false)
  const [saved, setSaved] = createSignal(false)
  const [problem, setProblem] = createSignal<ApiProblem>()
  const selection = (): Selection => ({ ...selectionOf(kept()), ...changed() })
  const change = (part: Partial<Selection>) => {
    setSaved(false)
    setChanged({ ...changed(), ...part })
  }
  const put = async (method: 'PUT' | 'DELETE', body: object) => {
    const done = await send(KeptDefaults, '/api/run-defaults', body, { method })
    setProblem(done.ok ? undefined : done.problem)
    if (!done.ok) return
    setChoosing(false)
    await revalidate([getRunDefaults.key, getAudit.key])
    setChanged({})
    setSaved(true)
  }
  return (
    <section class="box overflow-hidden" aria-label="Defaults" id="defaults">
      <form
        class="grid gap-4 p-5"
        onSubmit={(event) => {
          event.preventDefault()
          const defaults = defaultsOf(selection())
          if (defaults) void put('PUT', defaults)
        }}
      >
        <div>
          <h2 class="font-semibold">Default model and parameters</h2>
          <p class="text-muted">
            The start page begins with them, and so does a request to <code>POST /api/runs</code> without <code>model_id</code>.
          </p>
        </div>
        <div class="flex flex-wrap items-center gap-3">
          <span class="min-w-0 break-words">
            <Show when={selection().model} fallback={<span class="text-muted">No default model</span>}>
              {(model) => (
                <>
                  <span class="font-medium">{model()}</span>
                  <Show when={selection().provider}>{(provider) => <span class="ml-2 text-s text-muted">{provider()}</span>}</Show>
                </>
              )}
            </Show>
          </span>
          <button type="button" class="btn" aria-expanded={choosing()} onClick={() => setChoosing(!choosing())}>
            {selection().model ? 'Change the model' : 'Choose a model'}
          </button>
        </div>
        <Show when={choosing()}>
          <div class="overflow-hidden rounded border border-line">
            <ModelPicker
              chosen={undefined}
              choose={({ slug, provider }) => {
                change({ model: slug, provider })
                setChoosing(false)
              }}
            />
          </div>
        </Show>
        <div class="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
          <For each={fields}>
            {(field) => <OptionFieldView selection={selection()} model={undefined} profiles={[]} change={change} field={field} />}
          </For>
        </div>
        <div class="flex flex-wrap items-center gap-3">
          <button type="submit" class="btn btn-main" disabled={!selection().model || Object.keys(changed()).length === 0}>
            Save the defaults
          </button>
          <Show when={kept()}>
            <button type="button" class="btn" onClick={() => void put('DELETE', {})}>
              Clear the defaults
            </button>
          </Show>
          <span class="text-s text-muted" role="status">
            {saved() ? (kept() ? 'Saved.' : 'Cleared.') : ''}
          </span>
        </div>
      </form>
      <ProblemFoot problem={problem()} />
    </section>
  )
}
