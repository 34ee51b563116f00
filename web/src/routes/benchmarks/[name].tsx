import { A, createAsync, type RouteSectionProps } from '@solidjs/router'
import { Switch } from 'solid-js'
import type { ApiProblem } from '../../api.ts'
import { BenchmarkDetails } from '../../benchmark/benchmark-details.tsx'
import { getBenchmarks } from '../../queries.ts'
import { Labels } from '../../ui/label.tsx'
import { Page } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { Match, Show } from '../../ui/show.tsx'

export default function Benchmark(props: RouteSectionProps) {
  const answer = createAsync(() => getBenchmarks(undefined))
  const one = () => {
    const got = answer()
    return got?.ok ? got.value.benchmarks.find((benchmark) => benchmark.name === props.params.name) : undefined
  }
  const problem = (): ApiProblem | undefined => {
    const got = answer()
    if (!got || one()) return undefined
    if (!got.ok) return got.problem
    return {
      code: 'unknown-benchmark',
      status: 404,
      title: 'No such benchmark',
      detail: `There is no benchmark ${props.params.name} here.`,
      errors: [],
      request_id: null,
    }
  }
  return (
    <Switch>
      <Match when={one()}>
        {(got) => (
          <Page
            title={got().display_name}
            lead={
              <Show when={got().data_source !== 'pinned'}>
                <Labels names={[got().data_source as 'sample' | 'override']} />
              </Show>
            }
            actions={
              <>
                <A href={`/leaderboard?benchmark=${got().name}`} class="btn">
                  Leaderboard
                </A>
                <A href={`/?benchmarks=${got().name}`} class="btn btn-main">
                  Run it
                </A>
              </>
            }
          >
            <p class="mb-5 max-w-[75ch] text-l">{got().description}</p>
            <BenchmarkDetails one={got()} />
          </Page>
        )}
      </Match>
      <Match when={problem()}>
        {(got) => (
          <Page title="Benchmark">
            <ProblemNote problem={got()} page>
              <A class="btn" href="/benchmarks">
                All benchmarks
              </A>
            </ProblemNote>
          </Page>
        )}
      </Match>
    </Switch>
  )
}
