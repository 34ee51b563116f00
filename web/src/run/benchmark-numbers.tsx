import { For } from 'solid-js'
import { metricTexts } from '#shared/metrics/metric-texts.ts'
import TriangleAlert from '~icons/lucide/triangle-alert'
import { Show } from '../ui/show.tsx'

/** Below a benchmark's row: what a reader must know beside its score, where that stands nowhere else; and when opened every recorded metric. */
export function BenchmarkNumbers(props: { warning: string | null; metrics: Readonly<Record<string, unknown>>; open: boolean }) {
  const texts = () => metricTexts(props.metrics)
  return (
    <>
      <Show when={props.warning}>
        {(warning) => (
          <tr class="border-b border-line">
            <td colSpan={6} class="px-4 py-2 whitespace-normal">
              <p class="flex gap-2 text-s text-papaya">
                <TriangleAlert size={14} class="mt-0.5 shrink-0" aria-hidden="true" />
                {warning()}
              </p>
            </td>
          </tr>
        )}
      </Show>
      <Show when={props.open && texts().length}>
        <tr class="border-b border-line bg-bg">
          <td colSpan={6} class="px-4 py-3 whitespace-normal">
            <dl class="grid gap-x-8 gap-y-1 text-s @2xl:grid-cols-2">
              <For each={texts()}>
                {(one) => (
                  <div class="flex flex-wrap items-baseline justify-between gap-x-3" title={one.meaning}>
                    <dt class="text-muted">{one.title}</dt>
                    <dd class="text-right">
                      {one.text} <span class="text-faint">{one.n}</span>
                    </dd>
                  </div>
                )}
              </For>
            </dl>
          </td>
        </tr>
      </Show>
    </>
  )
}
