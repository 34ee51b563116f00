import { For } from 'solid-js'
import type { OpsOverview, TokenStats } from '#shared/contract/ops.ts'
import { count, short, usd } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'
import { Fact } from './fact.tsx'

/** What trials took in a day and in seven days, and which failures they had. */
export function TokenTable(props: { stats: OpsOverview['token_stats'] }) {
  return (
    <div class="mt-5 grid gap-5 lg:grid-cols-2">
      <Window title="Last 24 hours" stats={props.stats.last_24h} />
      <Window title="Last 7 days" stats={props.stats.last_7d} />
    </div>
  )
}

function Window(props: { title: string; stats: TokenStats }) {
  const most = () => Math.max(1, ...props.stats.failures.map((one) => one.count))
  return (
    <section class="box min-w-0 p-4" aria-label={props.title}>
      <h2 class="font-semibold">{props.title}</h2>
      <dl class="mt-2 grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
        <Fact name="Tokens in" value={short(props.stats.input_tokens)} />
        <Fact name="Tokens out" value={short(props.stats.output_tokens)} />
        <Fact
          name="Spend"
          value={props.stats.unpriced_items > 0 && props.stats.unpriced_items === props.stats.items ? 'unknown' : usd(props.stats.cost_usd)}
          note={props.stats.unpriced_items > 0 ? `${count(props.stats.unpriced_items)} trials without a price` : undefined}
        />
        <Fact name="Failed" value={`${count(props.stats.failed_items)} of ${count(props.stats.items)}`} />
      </dl>
      <Show when={props.stats.failures.length} fallback={<p class="mt-3 text-s text-faint">No trial failed.</p>}>
        <ul class="mt-3 grid gap-1">
          <For each={props.stats.failures}>
            {(one) => (
              <li class="grid grid-cols-[minmax(0,14rem)_1fr_auto] items-center gap-3 text-s">
                <code class="truncate">{one.name}</code>
                <span class="h-1.5 rounded-full bg-papaya-fill" style={{ width: `${(one.count / most()) * 100}%` }} />
                <span class="text-muted">{count(one.count)}</span>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </section>
  )
}
