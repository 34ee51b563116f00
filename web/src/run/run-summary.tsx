import type { Run } from '#shared/contract/api.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import type { ItemFilter } from '../item/item-filter.ts'
import type { Live } from '../live-state.ts'
import { workedAtMachines } from '../regrade/may-regrade.ts'
import { later } from '../ui/later.tsx'
import { Show } from '../ui/show.tsx'
import { BenchmarkTable } from './benchmark-table.tsx'
import type { scoresAt } from './live-scores.ts'
import { mayManage } from './may-manage.ts'
import { RoleLines } from './role-lines.tsx'
import { EndNote, FailureClasses } from './run-notes.tsx'
import { RunTiles } from './run-tiles.tsx'

/** What only some runs show: loaded once it is shown. */
const PreflightBox = later(async () => (await import('./preflight-box.tsx')).PreflightBox)
const RunFacts = later(async () => (await import('./run-facts.tsx')).RunFacts)
const RunBoards = later(async () => (await import('./run-boards.tsx')).RunBoards)
const RunComposites = later(async () => (await import('./run-composites.tsx')).RunComposites)
const RunNow = later(async () => (await import('./run-now.tsx')).RunNow)
const RunStreams = later(async () => (await import('./run-streams.tsx')).RunStreams)
const RunRescores = later(async () => (await import('./run-rescores.tsx')).RunRescores)
const UnderWayList = later(async () => (await import('./under-way.tsx')).UnderWayList)
const RegradeComparison = later(async () => (await import('../regrade/regrade-comparison.tsx')).RegradeComparison)
const RunRegrades = later(async () => (await import('../regrade/run-regrades.tsx')).RunRegrades)

type Props = {
  run: Run
  head: RunHead
  live: Live
  scores: ReturnType<typeof scoresAt>
  /** Whether this page has seen the run before its end. */
  seenAlive: boolean
  ended: boolean
  filter: ItemFilter
  changed: () => void
}

/** Everything of a run above its items: what goes on, its numbers, benchmarks, failures, facts, and what else was made of it. */
export function RunSummary(props: Props) {
  const nameOf = (benchmark: string) => props.run.benchmarks.find((one) => one.benchmark_name === benchmark)?.display_name ?? benchmark
  return (
    <>
      <Show when={props.seenAlive} fallback={<EndNote run={props.run} head={props.head} />}>
        <RunNow run={props.run} head={props.head} live={props.live} changed={props.changed} />
      </Show>
      <RunTiles
        run={props.run}
        head={props.head}
        scores={props.scores}
        samples={props.live.connection === 'waiting' ? [] : props.live.samples}
      />
      <Show when={props.run.spec.regrade}>
        <RegradeComparison id={props.run.id} done={props.head.done} />
      </Show>
      <RoleLines spec={props.run.spec} head={props.head} />
      <Show when={props.head.preflight}>{(state) => <PreflightBox state={state()} benchmarks={props.run.spec.benchmarks} />}</Show>
      <BenchmarkTable run={props.run} head={props.head} scores={props.scores} />
      <Show when={props.ended && props.run.arriving === null && props.run.composites.length > 0}>
        <RunComposites id={props.run.id} />
      </Show>
      <Show when={props.run.streaming}>{(streaming) => <RunStreams streaming={streaming()} />}</Show>
      <FailureClasses run={props.run} head={props.head} />
      <RunFacts run={props.run} fallback={<div class="box h-[2.625rem]" />} />
      <Show when={props.seenAlive}>
        <UnderWayList runId={props.run.id} nameOf={nameOf} filter={props.filter} alive={!isTerminal(props.head.status)} />
      </Show>
      <Show when={props.ended}>
        <RunRescores id={props.run.id} />
        <Show when={workedAtMachines(props.run.spec) && !props.run.spec.regrade}>
          <RunRegrades id={props.run.id} />
        </Show>
      </Show>
      <Show when={props.ended && mayManage(props.run)}>
        <RunBoards id={props.run.id} />
      </Show>
    </>
  )
}
