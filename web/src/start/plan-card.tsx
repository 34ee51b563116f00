import { For } from 'solid-js'
import type { BenchmarkInfo, PlanPreview } from '#shared/contract/api.ts'
import { helpedBy, roleEntries, roleTitles } from '#shared/contract/role.ts'
import { limitsText } from '#shared/metrics/score-text.ts'
import Play from '~icons/lucide/play'
import { PayerLine } from '../account/payer-line.tsx'
import type { ApiProblem } from '../api.ts'
import { count, duration, percent, short, usd } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'

type Props = {
  plan: PlanPreview | undefined
  problem: ApiProblem | undefined
  all: BenchmarkInfo[]
  missing: string | undefined
  /** In US dollars. */
  budget: number | undefined
  starting: boolean
  start: () => void
  /** Asks for the plan again, or starts again where that failed. */
  retry: () => unknown
}

/** What the run would ask, cost and take, always in view beside the steps. */
export function PlanCard(props: Props) {
  const nameOf = (name: string) => props.all.find((one) => one.name === name)?.display_name ?? name
  return (
    <aside aria-label="Plan" class="max-lg:hidden lg:sticky lg:top-[4.75rem] lg:self-start">
      <div class="box" aria-live="polite">
        <div class="grid grid-cols-2 gap-px border-b border-line bg-line">
          <Figure name="Trials" value={props.plan ? count(props.plan.trials) : '–'} />
          <Figure name="Cost" value={props.plan ? usd(props.plan.cost_usd) : '–'} note={props.plan && costNote(props.plan, props.budget)} />
          <Figure
            name="Time"
            value={minutesText(props.plan)}
            note={props.plan && (props.plan.minutes === null ? 'not measured yet' : 'as earlier runs took')}
          />
          <Figure
            name="Tokens"
            value={props.plan ? short(props.plan.input_tokens + props.plan.output_tokens) : '–'}
            note={props.plan && `${short(props.plan.input_tokens)} in · ${short(props.plan.output_tokens)} out`}
          />
          <div class="col-span-2 bg-surface px-4 py-3">
            <div class="eyebrow">Smallest difference it can tell</div>
            <div class="text-xl font-semibold whitespace-nowrap">{props.plan ? pointsText(props.plan.detectable_pct) : '–'}</div>
            <div class="text-s text-faint">{props.plan?.detectable_pct === null ? tooFew(props.plan, nameOf) : detectableMeaning}</div>
          </div>
        </div>
        <Show when={props.plan?.benchmarks.length}>
          <table class="w-full text-s">
            <caption class="sr-only">Per benchmark</caption>
            <thead class="text-faint">
              <tr>
                <th scope="col" class="py-1.5 pl-4">
                  Benchmark
                </th>
                <th scope="col" class="py-1.5 text-right">
                  Trials
                </th>
                <th scope="col" class="py-1.5 pr-4 text-right">
                  <abbr title={detectableMeaning} class="no-underline">
                    Difference
                  </abbr>
                  , limits
                </th>
              </tr>
            </thead>
            <tbody>
              <For each={props.plan!.benchmarks}>
                {(one) => (
                  <tr class="border-t border-line">
                    <th scope="row" class="py-1.5 pl-4 font-normal [overflow-wrap:anywhere]">
                      {nameOf(one.name)}
                      <span class="block text-faint">
                        <Show when={one.data_source === 'sample'}>
                          <span class="mr-1.5 font-semibold text-papaya">sample</span>
                        </Show>
                        <Show when={one.chosen}>
                          <span class="mr-1.5 font-semibold text-papaya">chosen items</span>
                        </Show>
                        {one.profile === 'builtin' ? 'built-in wording' : `profile ${one.profile}`}
                      </span>
                      <For each={roleEntries(one.roles)}>
                        {([role, slug]) => (
                          <span class="block text-faint">
                            {helpedBy[role]} {slug}
                          </span>
                        )}
                      </For>
                    </th>
                    <td class="w-16 py-1.5 text-right text-muted">
                      {count(one.items)}
                      {one.epochs > 1 ? ` × ${one.epochs}` : ''}
                    </td>
                    <td class="w-34 py-1.5 pr-4 text-right whitespace-nowrap">
                      {pointsText(one.detectable_pct)}
                      <For each={limitsAt(one)}>{(limits) => <span class="block text-faint">{limits}</span>}</For>
                    </td>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        </Show>
        <Show when={props.plan?.notes.length}>
          <div class="border-t border-line px-4 py-3">
            <PlanNotes notes={props.plan!.notes} />
          </div>
        </Show>
        <div class="grid gap-2 border-t border-line p-4">
          <RunButton {...props} />
          <PayerLine ownKey={props.plan?.own_key ?? undefined} />
        </div>
      </div>
      <Show when={props.problem}>
        {(problem) => (
          <div class="mt-3">
            <ProblemNote problem={problem()} retry={props.retry} />
          </div>
        )}
      </Show>
    </aside>
  )
}

/** What there is to know about the plan before it is started. */
export function PlanNotes(props: { notes: string[] }) {
  return (
    <ul class="grid gap-1.5 text-s text-muted">
      <For each={props.notes}>{(note) => <li>{note}</li>}</For>
    </ul>
  )
}

/** The same in a strip above the bottom bar, for narrow screens. */
export function PlanStrip(props: Props) {
  return (
    <aside
      aria-label="Plan"
      class="fixed inset-x-0 bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-30 border-t border-line bg-surface px-4 py-2 sm:sticky sm:bottom-0 sm:mt-4 lg:hidden"
    >
      <Show when={props.problem}>{(problem) => <p class="pb-1 text-s text-papaya">{problem().detail}</p>}</Show>
      <div class="flex items-center gap-3">
        <p class="min-w-0 flex-1 text-s">
          <Show when={props.plan} fallback={<span class="text-muted">{props.missing}</span>}>
            {(plan) => (
              <>
                <strong>{count(plan().trials)}</strong> trials · <strong>{usd(plan().cost_usd)}</strong>
                {plan().minutes === null ? '' : ` · ${minutesText(plan())}`}
                <span class="block text-faint">
                  {props.budget === undefined ? '' : `stops at ${usd(props.budget)}, `}
                  tells {plan().detectable_pct === null ? 'no difference' : `${pointsText(plan().detectable_pct)} apart`}
                </span>
              </>
            )}
          </Show>
        </p>
        <div class="w-32">
          <RunButton {...props} missingAside />
        </div>
      </div>
      <PayerLine ownKey={props.plan?.own_key ?? undefined} />
    </aside>
  )
}

/** With `missingAside` what is missing stands beside the button, which has no room for it. */
function RunButton(props: Props & { missingAside?: boolean }) {
  return (
    <button
      type="button"
      class="btn btn-main h-10 w-full text-l"
      disabled={!!props.missing || props.starting}
      onClick={() => props.start()}
    >
      <Play size={16} aria-hidden="true" />
      {props.starting ? 'Starting' : ((props.missingAside ? undefined : props.missing) ?? 'Run')}
    </button>
  )
}

function costNote({ roles }: PlanPreview, budget: number | undefined): string | undefined {
  const helpers = roleEntries(roles).map(
    ([role, { cost_usd }]) => `${cost_usd === null ? 'an unknown sum' : usd(cost_usd)} besides for the ${roleTitles[role].toLowerCase()}`,
  )
  const besides = helpers.length > 0 && helpers.join(', ')
  return [besides, budget !== undefined && `stops at ${usd(budget)}`].filter(Boolean).join('; ') || undefined
}

/** Why a plan can tell no difference. */
function tooFew(plan: PlanPreview, nameOf: (name: string) => string): string {
  const names = plan.benchmarks.filter((one) => one.detectable_pct === null).map((one) => nameOf(one.name))
  return `${names.join(' and ') || 'This plan'} would tell no difference between two models, however large: ask more items of it.`
}

const detectableMeaning =
  'between two models on these items: found 4 times in 5 by a paired test at 5 %, if they differ on a third of the items'

const pointsText = (points: number | null): string => (points === null ? 'too few items' : `${points.toFixed(1)} points`)

/** The 95 % limits to expect around 50 %, where they are widest, and around 90 %, for the target that the score will have. */
function limitsAt({ limits, target }: PlanPreview['benchmarks'][number]): string[] {
  const shown = target ? limits.filter(({ score }) => score === 0.5 || score === 0.9) : []
  // None are shown without a target.
  const texts = shown.map((one) => ({ at: percent(one.score, 0), limits: limitsText(one[target!]) }))
  return texts.every(({ limits }) => limits === 'exact')
    ? texts.slice(0, 1).map(() => 'exact')
    : texts.map(({ at, limits }) => `${at}: ${limits}`)
}

function minutesText(plan: PlanPreview | undefined): string {
  return plan?.minutes == null ? '–' : duration(Math.max(1000, plan.minutes * 60_000))
}

function Figure(props: { name: string; value: string; note?: string | undefined }) {
  return (
    <div class="bg-surface px-4 py-3">
      <div class="eyebrow">{props.name}</div>
      <div class="text-xl font-semibold whitespace-nowrap">{props.value}</div>
      <Show when={props.note}>
        <div class="text-s text-faint">{props.note}</div>
      </Show>
    </div>
  )
}
