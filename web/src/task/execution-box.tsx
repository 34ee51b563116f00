import { A, createAsync } from '@solidjs/router'
import { createMemo, createSignal, For } from 'solid-js'
import type { RunHead } from '#shared/contract/run.ts'
import { isTerminal } from '#shared/contract/run.ts'
import type { TaskEpisode, TaskRun } from '#shared/contract/task-upload.ts'
import { countText, limitsText, meaningOf } from '#shared/metrics/score-text.ts'
import { runPath } from '../paths.ts'
import { ProgressBar } from '../run/progress-bar.tsx'
import { age, count, duration, moment, percent } from '../ui/format.ts'
import { later } from '../ui/later.tsx'
import { RunMark } from '../ui/mark.tsx'
import { Show } from '../ui/show.tsx'
import { episodesNow, rewardText } from './episode-line.ts'
import { EpisodeTable } from './episode-table.tsx'
import { createLiveExecution } from './live-execution.ts'
import { passAtKs, passRate } from './pass-rate.ts'
import { getEpisodes } from './task-queries.ts'

const RegradeButton = later(async () => (await import('../regrade/regrade-button.tsx')).RegradeButton)

/** `apart`: whether the tests of the task run in a machine of their own, which can be made again. */
type Props = {
  taskId: string
  run: TaskRun
  episodes: readonly TaskEpisode[]
  open: boolean
  now: number
  changed: () => void
  apart: boolean
}

/** One run of a task: who worked, how often the task was passed and how sure that is, and every episode; live while it runs. */
export function ExecutionBox(props: Props) {
  const { live, atWork } = createLiveExecution(() => props.run, props.changed)
  const run = createMemo(() => withHead(props.run, live()?.head))
  // Until somebody opens or closes it, the newest run is open.
  const [wanted, setWanted] = createSignal<boolean>()
  const open = () => wanted() ?? props.open
  // With a task come the episodes of its newest runs; those of older ones are asked for when they are looked at.
  const older = createAsync(async () => (open() && props.episodes.length === 0 ? getEpisodes(props.taskId, props.run.run_id) : undefined))
  const read = () => {
    const got = older.latest
    return props.episodes.length === 0 && got?.ok ? got.value : props.episodes
  }
  const episodes = createMemo(() => episodesNow(read(), live()?.feed ?? [], atWork()))
  const title = () => (run().agent === run().model ? run().agent : `${run().agent} · ${run().model}`)
  return (
    <section class="box @container" aria-label={`Run with ${title()}`}>
      <header class="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
        <h3 class="min-w-0 font-semibold [overflow-wrap:anywhere]">{title()}</h3>
        <RunMark status={run().status} />
        <span class="text-s text-faint" title={moment(run().created_at)}>
          {age(run().created_at, props.now)}
        </span>
        <span class="ml-auto flex items-center gap-2">
          <Show when={props.apart && isTerminal(run().status) && run().passed + run().failed > 0}>
            <RegradeButton runId={run().run_id} small>
              Regrade
            </RegradeButton>
          </Show>
          <A class="btn h-7 px-2 text-s" href={runPath(run().run_id)}>
            Run
          </A>
          <button type="button" class="btn h-7 px-2 text-s" aria-expanded={open()} onClick={() => setWanted(!open())}>
            {open() ? 'Fold' : `${count(run().episodes)} ${run().episodes === 1 ? 'episode' : 'episodes'}`}
          </button>
        </span>
      </header>
      <Numbers run={run()} now={props.now} />
      <Show when={open()}>
        <EpisodeTable episodes={episodes()} label={`Episodes of the run with ${title()}`} />
      </Show>
    </section>
  )
}

/** A run of the task with the counts that its stream has told since. */
function withHead(run: TaskRun, head: RunHead | undefined): TaskRun {
  if (!head) return run
  const tallies = Object.values(head.benchmarks)
  const sum = (key: 'right' | 'wrong' | 'failed' | 'score_sum') => tallies.reduce((total, tally) => total + tally[key], 0)
  const [passed, failed] = [sum('right'), sum('wrong')]
  const { status, started_at, completed_at } = head
  const mean_reward = passed + failed === 0 ? null : sum('score_sum') / (passed + failed)
  return { ...run, status, started_at, completed_at, passed, failed, errors: sum('failed'), mean_reward }
}

function Numbers(props: { run: TaskRun; now: number }) {
  const estimate = () => passRate(props.run)
  const done = () => props.run.passed + props.run.failed + props.run.errors
  const spentMs = () => {
    if (!props.run.started_at) return null
    return (props.run.completed_at ? Date.parse(props.run.completed_at) : props.now) - Date.parse(props.run.started_at)
  }
  const facts = () =>
    [
      ['Mean reward', rewardText(props.run.mean_reward), undefined],
      ...passAtKs(props.run).map(
        ({ k, share }) => [`pass@${k}`, percent(share), `Chance that at least one of ${k} episodes passes`] as const,
      ),
      ['Broken', count(props.run.errors), 'Episodes that could not be graded; they count neither way'],
      [isTerminal(props.run.status) ? 'Took' : 'Running for', duration(spentMs()), undefined],
    ] as const
  return (
    <div class="grid gap-x-6 gap-y-3 px-4 pb-3 @2xl:grid-cols-[auto_minmax(0,1fr)]">
      <div class="flex items-baseline gap-x-2">
        <span class="text-xl font-semibold whitespace-nowrap">{percent(estimate().value)}</span>
        <span class="text-s text-muted" title={meaningOf(estimate())}>
          {estimate().value === null ? 'none graded yet' : `passed (${limitsText(estimate())}) ${countText(estimate())}`}
        </span>
      </div>
      <dl class="flex flex-wrap gap-x-6 gap-y-1 @2xl:justify-end">
        <For each={facts()}>
          {([name, value, meaning]) => (
            <div class="flex items-baseline gap-2">
              <dt class="text-s text-faint" title={meaning}>
                {name}
              </dt>
              <dd>{value}</dd>
            </div>
          )}
        </For>
      </dl>
      <div class="@2xl:col-span-2">
        <ProgressBar tally={{ right: props.run.passed, wrong: props.run.failed, failed: props.run.errors }} total={props.run.episodes} />
        <p class="mt-1 text-s text-muted">
          {count(done())} of {count(props.run.episodes)} {props.run.episodes === 1 ? 'episode' : 'episodes'} done
        </p>
      </div>
    </div>
  )
}
