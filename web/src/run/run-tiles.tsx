import { createAsync, revalidate } from '@solidjs/router'
import { createMemo, createSignal, For, type JSX, onCleanup, onMount } from 'solid-js'
import type { Run } from '#shared/contract/api.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import { countText, limitsText, meaningOf } from '#shared/metrics/score-text.ts'
import { costText, heldText, untoldText } from '#shared/run/spent-text.ts'
import { axisOf } from '../chart/axis.ts'
import { AxisLabels, Whisker } from '../chart/whisker.tsx'
import { type Live, remainingMs, throughput } from '../live-state.ts'
import { getPending } from '../queries.ts'
import { count, duration, percent, short, usd } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'
import type { Scores } from './live-scores.ts'
import { ProgressBar } from './progress-bar.tsx'
import { scoreWarnings } from './score-warnings.ts'
import { sumTallies } from './tally.ts'
import { wholeScore, wholeTitle } from './whole-score.ts'

/** How often the expected end is asked for. */
const forecastMs = 10_000

/** The first row: the score and how sure it is, how far the run is, how fast, for how much, how much longer. */
export function RunTiles(props: { run: Run; head: RunHead; scores: Scores; samples: Live['samples'] }) {
  const [now, setNow] = createSignal<number>()
  onMount(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    onCleanup(() => clearInterval(timer))
  })
  const ended = () => isTerminal(props.head.status)
  const tally = createMemo(() => sumTallies(Object.values(props.head.benchmarks)))
  const spentMs = () => {
    if (!props.head.started_at) return null
    const until = props.head.completed_at ? Date.parse(props.head.completed_at) : now()
    return until === undefined ? null : until - Date.parse(props.head.started_at)
  }
  const perSecond = () => {
    if (ended()) return spentMs() ? props.head.done / (spentMs()! / 1000) : null
    return now() === undefined || props.head.status === 'paused' ? null : (lately() ?? meanRate())
  }
  const lately = () => throughput(props.samples, now()!)
  /** A page that was just opened knows no last ten seconds: the mean since the start stands in. */
  const meanRate = () => (props.head.done > 0 && spentMs() ? props.head.done / (spentMs()! / 1000) : null)
  const rateName = () => (ended() || (now() !== undefined && lately() === null) ? 'Mean throughput' : 'Throughput, 10 s')
  const pending = createAsync(() => (ended() ? Promise.resolve(undefined) : getPending(props.run.id)))
  /** The service's forecast knows the queue. */
  const expectedMs = () => {
    const got = pending.latest
    const ends_at = got?.ok ? got.value.forecast?.ends_at : props.run.forecast?.ends_at
    return ends_at && now() !== undefined && props.head.status !== 'paused' ? Math.max(0, Date.parse(ends_at) - now()!) : null
  }
  onMount(() => {
    const timer = setInterval(() => ended() || document.hidden || void revalidate(getPending.keyFor(props.run.id)), forecastMs)
    onCleanup(() => clearInterval(timer))
  })
  const remaining = () => expectedMs() ?? remainingMs(props.head, perSecond())
  const agentsText = () => {
    if (props.head.status === 'paused') return 'paused'
    const agents = Object.keys(props.head.agents).length
    return agents === 0 ? 'no agent' : agents === 1 ? '1 agent' : `${count(agents)} agents`
  }
  const tokenRate = () => (spentMs() ? `${short(props.head.usage.output_tokens / (spentMs()! / 1000))} output tokens/s` : undefined)
  return (
    <section aria-label="Result" class="@container">
      <div class="box grid @xl:grid-cols-[minmax(14rem,1.4fr)_2fr]">
        <ScoreTile run={props.run} scores={props.scores} ended={ended()} />
        <div class="grid grid-cols-2 border-t border-line @xl:border-t-0 @xl:border-l @4xl:grid-cols-4">
          <div class="col-span-2 border-b border-line p-4 @4xl:col-span-4">
            <div class="flex flex-wrap items-baseline justify-between gap-x-4">
              <span class="eyebrow">Progress</span>
              <span>
                {count(props.head.done)} of {count(props.head.total)} trials
                <span class="ml-2 text-muted">{percent(props.head.total ? props.head.done / props.head.total : 0, 0)}</span>
              </span>
            </div>
            <ProgressBar tally={tally()} total={props.head.total} class="mt-2" legend />
          </div>
          <Tile name={rateName()} note={ended() ? tokenRate() : agentsText()}>
            {perSecond() === null ? '–' : `${perSecond()! < 10 ? perSecond()!.toFixed(1) : count(perSecond())} trials/s`}
          </Tile>
          <Tile name="Cost" note={tokensText(props.head)}>
            {costText(props.head, usd, props.head.usage.untold_calls ? 'unknown' : usd(null))}
            <Show when={props.head.budget_usd !== null}>
              <span class="text-s font-normal text-muted"> of {usd(props.head.budget_usd)}</span>
            </Show>
          </Tile>
          <Tile name={ended() ? 'Took' : 'Running for'} note={`${count(props.head.concurrency)} at once`}>
            {duration(spentMs())}
          </Tile>
          <Show
            when={ended()}
            fallback={
              <Tile
                name="Remaining"
                note={
                  props.head.status === 'paused'
                    ? 'paused'
                    : expectedMs() !== null
                      ? `ends about ${new Date(now()! + expectedMs()!).toISOString().slice(11, 16)} UTC`
                      : remaining() === null
                        ? 'not known yet'
                        : rateName() === 'Mean throughput'
                          ? 'at the mean rate'
                          : 'at the present rate'
                }
              >
                {duration(remaining())}
              </Tile>
            }
          >
            <Tile name="Ended" note={props.head.completed_at?.slice(0, 10)}>
              {props.head.completed_at ? `${props.head.completed_at.slice(11, 16)} UTC` : '–'}
            </Tile>
          </Show>
        </div>
      </div>
    </section>
  )
}

/** Tokens in and out; where calls told none also how many, and how much the budget holds for them. */
function tokensText(head: RunHead): string {
  const tokens = `${short(head.usage.input_tokens)} → ${short(head.usage.output_tokens)} tokens`
  return [tokens, heldText(head, usd), untoldText(head.usage)].filter(Boolean).join('; ')
}

function Tile(props: { name: string; note?: string | undefined; children: JSX.Element }) {
  return (
    <div class="border-line p-4 not-last:border-r @max-4xl:nth-3:border-r-0 @max-4xl:nth-2:border-b @max-4xl:nth-3:border-b">
      <div class="eyebrow">{props.name}</div>
      <div class="mt-0.5 text-l font-semibold whitespace-nowrap">{props.children}</div>
      <div class="min-h-5 text-s text-faint">{props.note}</div>
    </div>
  )
}

function ScoreTile(props: { run: Run; scores: Scores; ended: boolean }) {
  const whole = createMemo(() => wholeScore(props.scores))
  const estimate = () => whole().estimate
  const partial = () => whole().known > 0 && whole().missing > 0
  const axis = () => axisOf([estimate()])
  const warnings = () => scoreWarnings(props.run.benchmarks, props.scores).above
  return (
    <div class="min-h-[12.875rem] p-4 @xl:min-h-[11.5rem]">
      <div class="eyebrow">
        {wholeTitle(
          whole(),
          props.run.benchmarks.map((one) => one.display_name),
        )}
        {props.ended ? '' : ', so far'}
      </div>
      <Show
        when={estimate().value !== null}
        fallback={
          <p class="mt-2 text-muted">{props.ended ? 'No score: nothing could be scored.' : 'No score yet: no answer has been scored.'}</p>
        }
      >
        <p class="mt-0.5 flex items-baseline gap-2">
          <span class="text-2xl font-semibold tracking-tight">{percent(estimate().value)}</span>
          <Show when={limitsText(estimate())}>{(limits) => <span class="text-l whitespace-nowrap text-muted">{limits()}</span>}</Show>
          <span class="ml-auto text-right text-muted">{countText(estimate())}</span>
        </p>
        <div class="mt-2 px-2" title={estimate().method}>
          <Whisker estimate={estimate()} axis={axis()} large />
          <AxisLabels axis={axis()} />
        </div>
        <p class="mt-2 text-s text-faint">{meaningOf(estimate())}</p>
        <Show when={partial()}>
          <p class="mt-2 text-s text-papaya">
            The other {whole().missing === 1 ? 'benchmark has' : `${whole().missing} benchmarks have`} no scored answer: do not compare this
            with a mean over all of them.
          </p>
        </Show>
        <For each={warnings()}>{(warning) => <p class="mt-2 text-s text-papaya">{warning}</p>}</For>
      </Show>
    </div>
  )
}
