import { createSignal, For, type JSX, onCleanup, onMount } from 'solid-js'
import type { SandyMetric, SandyResources, SandySandbox } from '#shared/contract/ops.ts'
import type { ApiProblem } from '../api.ts'
import { age, count, percent } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'
import { Fact } from './fact.tsx'
import { LineChart } from './line-chart.tsx'
import { askSandy, type SandyNumbers } from './sandy-query.ts'
import { gapOf, sizeText, takesText } from './sandy-text.ts'

/** Sandy answers within 20 seconds, and its numbers change slowly. */
const refreshMs = 30_000

/** Shows the Sandy service of an agent: its machine, the last hours, and its sandboxes. Without one it says what to set. */
export function SandyPanel(props: { isConnected: boolean; now: number }) {
  return (
    <section class="box mt-5 overflow-hidden" aria-label="Sandy">
      <h2 class="border-b border-line px-4 py-2 font-semibold">Sandy</h2>
      <Show
        when={props.isConnected}
        fallback={
          <p class="p-4 text-muted">
            No connected agent has a Sandy service. To use one, set <code>SANDY_BASE_URL</code> and <code>SANDY_API_KEY</code> in the
            environment of an agent and restart that agent.{' '}
            <a href="/agents" class="link">
              Agents
            </a>
          </p>
        }
      >
        <Numbers now={props.now} />
      </Show>
    </section>
  )
}

function Numbers(props: { now: number }) {
  const [told, setTold] = createSignal<SandyNumbers>()
  const refresh = async () => setTold(await askSandy())
  onMount(() => {
    void refresh()
    const timer = setInterval(() => document.hidden || void refresh(), refreshMs)
    onCleanup(() => clearInterval(timer))
  })
  return (
    <Show when={told()} fallback={<p class="p-4 text-muted">Reading Sandy’s numbers.</p>}>
      {(numbers) => (
        <div class="grid gap-5 p-4">
          <Part answer={numbers().resources}>{(resources) => <Resources of={resources} />}</Part>
          <Part answer={numbers().metrics}>{(metrics) => <Metrics of={metrics} />}</Part>
          <Part answer={numbers().sandboxes}>{(sandboxes) => <Sandboxes of={sandboxes} now={props.now} />}</Part>
        </div>
      )}
    </Show>
  )
}

function Part<T extends object>(props: {
  answer: { ok: true; value: T } | { ok: false; problem: ApiProblem }
  children: (value: T) => JSX.Element
}) {
  return (
    <Show when={props.answer.ok && props.answer} fallback={<ProblemNote problem={(props.answer as { problem: ApiProblem }).problem} />}>
      {(answer) => props.children(answer().value)}
    </Show>
  )
}

function Resources(props: { of: SandyResources }) {
  return (
    <dl class="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
      <Fact name="New sandboxes" value={takesText(props.of)} note={props.of.reject_reason ?? undefined} />
      <Fact
        name="Load of 1 minute"
        value={props.of.load1 === null ? 'unknown' : props.of.load1.toFixed(2)}
        note={props.of.cpu_count === null ? undefined : `${count(props.of.cpu_count)} CPUs`}
      />
      <Fact name="Memory in use" value={sizeText(props.of.memory_used_bytes, props.of.memory_total_bytes)} />
      <Fact name="Disk in use" value={sizeText(props.of.disk_used_bytes, props.of.disk_total_bytes)} />
    </dl>
  )
}

function Metrics(props: { of: readonly SandyMetric[] }) {
  const dated = () => props.of.filter(({ timestamp }) => isMoment(timestamp))
  const of = (key: 'cpu_ratio' | 'memory_ratio' | 'disk_ratio') => dated().map((one) => one[key])
  const moments = () => dated().map(({ timestamp }) => timestamp)
  return (
    <Show when={dated().length} fallback={<p class="text-muted">Sandy has no numbers of the last 12 hours.</p>}>
      <LineChart
        title="Sandy, last 12 hours"
        moments={moments()}
        most={1}
        gapMs={gapOf(moments())}
        text={(value) => percent(value, 0)}
        lines={[
          { name: 'CPU', values: of('cpu_ratio') },
          { name: 'memory', values: of('memory_ratio') },
          { name: 'disk', values: of('disk_ratio'), dashed: true },
        ]}
      />
    </Show>
  )
}

const isMoment = (text: string | null): text is string => text !== null && !Number.isNaN(Date.parse(text))

function Sandboxes(props: { of: readonly SandySandbox[]; now: number }) {
  return (
    <Show when={props.of.length} fallback={<p class="text-muted">Sandy runs no sandbox.</p>}>
      <table class="w-full text-s">
        <caption class="pb-1 text-left font-semibold">
          Sandboxes <span class="font-normal text-muted">{count(props.of.length)}</span>
        </caption>
        <thead class="text-left text-muted">
          <tr>
            <th scope="col" class="py-1 font-normal">
              Id
            </th>
            <th scope="col" class="px-2 text-right font-normal">
              CPU
            </th>
            <th scope="col" class="px-2 text-right font-normal">
              Memory
            </th>
            <th scope="col" class="px-2 text-right font-normal max-sm:hidden">
              Disk
            </th>
            <th scope="col" class="text-right font-normal max-sm:hidden">
              Measured
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.of}>
            {(one) => (
              <tr class="border-t border-line">
                <th scope="row" class="w-full max-w-0 truncate py-1 text-left font-normal">
                  <code>{one.sandbox_id}</code>
                </th>
                <td class="px-2 text-right whitespace-nowrap">{percent(one.cpu_ratio, 0)}</td>
                <td class="px-2 text-right whitespace-nowrap">{sizeText(one.memory_usage_bytes, one.memory_limit_bytes)}</td>
                <td class="px-2 text-right whitespace-nowrap max-sm:hidden">{sizeText(one.disk_bytes, null)}</td>
                <td class="text-right whitespace-nowrap text-muted max-sm:hidden">
                  {isMoment(one.updated_at) ? age(one.updated_at, props.now) : 'unknown'}
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </Show>
  )
}
