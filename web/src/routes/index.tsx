import { createAsync, useNavigate, useSearchParams } from '@solidjs/router'
import { createMemo, createSignal, Show } from 'solid-js'
import { Run } from '#shared/contract/api.ts'
import { type ApiProblem, send } from '../api.ts'
import { getBenchmarks, getModels, getPlan } from '../queries.ts'
import { BenchmarkStep } from '../start/benchmark-step.tsx'
import { ModelStep } from '../start/model-step.tsx'
import { PlanCard, PlanStrip } from '../start/plan-card.tsx'
import { readSelection, type Selection, toCreateRun, writeSelection } from '../start/selection.ts'
import { SubsetStep } from '../start/subset-step.tsx'
import { Page } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem.tsx'

/** Choose a model and benchmarks, see what it would take, press run. */
export default function Start() {
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const [starting, setStarting] = createSignal(false)
  const [refused, setRefused] = createSignal<ApiProblem>()
  const benchmarks = createAsync(() => getBenchmarks())
  const all = () => {
    const got = benchmarks()
    return got?.ok ? got.value.benchmarks : []
  }
  const selection = createMemo(() => readSelection(search))
  const named = createAsync(() => getModels(selection().model ?? '', 50))
  const models = () => {
    const got = named()
    return got?.ok ? got.value : { models: [], total: 0 }
  }
  // A server with a single model (the demo one, a local LM Studio) leaves nothing to choose.
  const model = () => {
    const { model: slug, provider } = selection()
    if (!slug) return models().total === 1 ? models().models[0] : undefined
    return models().models.find((one) => one.slug === slug && (!provider || one.provider === provider))
  }
  const chosen = createMemo(
    () =>
      selection().benchmarks ??
      all()
        .filter((one) => one.default_selected && one.is_enabled)
        .map((one) => one.name),
  )
  const request = createMemo(() =>
    toCreateRun(
      { ...selection(), model: selection().model ?? model()?.slug, provider: selection().provider ?? model()?.provider },
      chosen(),
    ),
  )
  const plan = createAsync(async () => {
    const body = request()
    return body && getPlan(body)
  })
  const planned = () => {
    const got = plan.latest
    return request() && got?.ok ? got.value : undefined
  }
  const problem = () => {
    const got = plan.latest
    return refused() ?? (request() && got && !got.ok ? got.problem : undefined)
  }
  const change = (part: Partial<Selection>) => {
    setRefused(undefined)
    setSearch(writeSelection({ ...selection(), ...part }), { replace: true, scroll: false })
  }
  const missing = () => (!selection().model && !model() ? 'Choose a model' : chosen().length === 0 ? 'Choose a benchmark' : undefined)
  const start = async () => {
    setStarting(true)
    const answer = await send(Run, '/api/runs', request(), { headers: { 'idempotency-key': crypto.randomUUID() } })
    if (answer.ok) return navigate(`/runs/${answer.value.id}`)
    setStarting(false)
    setRefused(answer.problem)
  }
  const card = () => ({ plan: planned(), problem: problem(), all: all(), missing: missing(), starting: starting(), start })
  const broken = () => {
    const got = benchmarks()
    return got && !got.ok ? got.problem : undefined
  }
  return (
    <Page title="Run" tab="Start a run">
      <Show when={broken()}>{(got) => <ProblemNote problem={got()} page />}</Show>
      <div class="grid grid-cols-[minmax(0,1fr)] gap-5 max-lg:pb-16 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div class="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
          <ModelStep
            chosen={model()}
            named={selection().model ?? model()?.slug}
            choose={(one) => change({ model: one.slug, provider: one.provider })}
          />
          <BenchmarkStep all={all()} chosen={chosen()} selection={selection()} choose={(names) => change({ benchmarks: names })} />
          <SubsetStep selection={selection()} change={change} />
        </div>
        <PlanCard {...card()} />
      </div>
      <PlanStrip {...card()} />
    </Page>
  )
}
