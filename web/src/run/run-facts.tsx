import { For } from 'solid-js'
import type { Run } from '#shared/contract/api.ts'
import { helpedBy, roleEntries, rolesOf } from '#shared/contract/role.ts'
import { agentText } from '#shared/run/agent-text.ts'
import { chosenText, subsetText } from '#shared/run/chosen-text.ts'
import { paramTexts } from '#shared/run/param-texts.ts'
import { FactList } from '../ui/fact-list.tsx'
import { count, moment, priceText, usd } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'

/** Everything that decides what the run asked and how it was read, folded until wanted. */
export function RunFacts(props: { run: Run }) {
  const facts = (): [string, string][] => {
    const { spec } = props.run
    return [
      ['Run', props.run.id],
      ['Model', `${spec.model.slug} at ${spec.model.provider}`],
      ['Price', priceText(spec.price)],
      ['Subset', subsetText(spec)],
      ['Seed', `${spec.subset.seed} (${spec.subset.sampling})`],
      ['Budget', spec.budget_usd === null ? 'none' : usd(spec.budget_usd)],
      ['Allowed failures', `${(spec.max_failure_share * 100).toFixed(1)} %`],
      ['Visibility', spec.visibility],
      ['Created', moment(spec.created_at)],
      ['Ended', props.run.completed_at ? moment(props.run.completed_at) : 'not yet'],
    ]
  }
  return (
    <details class="box group">
      <summary class="list-none px-4 py-2.5 text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <span class="mr-2 inline-block text-faint group-open:rotate-90">›</span>What was asked: subset, seed, profiles, data, price
      </summary>
      <div class="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line p-4 lg:grid-cols-2">
        <FactList facts={facts()} />
        <ul class="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
          <For each={props.run.spec.benchmarks}>
            {(one) => (
              <li>
                <span class="font-medium">{one.name}</span> version {one.version}, profile {one.profile}, {count(one.sampled_items)} of{' '}
                {count(one.total_items)} items
                {one.epochs > 1 ? ` × ${one.epochs} epochs` : ''}
                <Show when={chosenText(one)}>{(ids) => <div class="text-s break-words text-muted">chosen items: {ids()}</div>}</Show>
                <div class="text-s break-all text-muted">
                  {one.data.source}: <code>{one.data.repo}</code> @ <code>{one.data.revision.slice(0, 12)}</code>
                </div>
                <For each={roleEntries(rolesOf(one))}>
                  {([role, { model, price }]) => (
                    <div class="text-s break-words text-muted">
                      {helpedBy[role]} <code>{model.slug}</code> at {model.provider}, {priceText(price)}
                    </div>
                  )}
                </For>
                <Show when={one.agent}>
                  {(agent) => (
                    <div class="text-s break-words text-muted" title={agent().install ?? undefined}>
                      {agentText(agent())}
                    </div>
                  )}
                </Show>
                <div class="flex flex-wrap gap-x-3 text-s text-muted">
                  <For each={paramTexts(one.params)}>
                    {([name, text]) => (
                      <code class="min-w-0 break-words">
                        {name}={text}
                      </code>
                    )}
                  </For>
                </div>
              </li>
            )}
          </For>
        </ul>
      </div>
    </details>
  )
}
