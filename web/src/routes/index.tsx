import { createAsync, revalidate, useNavigate, useSearchParams } from '@solidjs/router'
import { createMemo, createSignal } from 'solid-js'
import { type BenchmarkInfo, Run } from '#shared/contract/api.ts'
import type { Model } from '#shared/contract/model.ts'
import type { RunDefaults } from '#shared/contract/run-defaults.ts'
import { getRunDefaults } from '../account/account-queries.ts'
import { getSignIn } from '../account/sign-in-query.ts'
import { type ApiProblem, send } from '../api.ts'
import { getBenchmarks, getModels, getPlan } from '../queries.ts'
import { BenchmarkStep } from '../start/benchmark-step.tsx'
import { DefaultsNote } from '../start/defaults-note.tsx'
import { JudgeStep } from '../start/judge-step.tsx'
import { ModelStep } from '../start/model-step.tsx'
import { areApplied, startingSelection } from '../start/own-defaults.ts'
import { ownJudges } from '../start/own-judges.ts'
import { PlanCard, PlanNotes, PlanStrip } from '../start/plan-card.tsx'
import { type Selection, toCreateRun, writeSelection } from '../start/selection.ts'
import { SubsetStep } from '../start/subset-step.tsx'
import { sweptRuns } from '../start/sweep.ts'
import { SweepStep } from '../start/sweep-step.tsx'
import { whatIsMissing } from '../start/what-is-missing.ts'
import { RunFor } from '../team/run-for.tsx'
import { Page } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem.tsx'
import { randomId } from '../ui/random-id.ts'
import { Show } from '../ui/show.tsx'

/** Choose a model and benchmarks, see what it would take, press run. */
export default function Start() {
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const [starting, setStarting] = createSignal(false)
  const [refused, setRefused] = createSignal<ApiProblem>()
  const defaults = createAsync(() => getOwnDefaults())
  const applied = () => areApplied(search, defaults() ?? null)
  const selection = createMemo(() => startingSelection(search, defaults() ?? null))
  const benchmarks = createAsync(() => getBenchmarks(selection().provider))
  const all = () => readBenchmarks(benchmarks())
  const named = createAsync(() => getModels(selection().model ?? '', 50))
  const model = () => findModel(selection(), named())
  const chosen = createMemo(() => chosenBenchmarks(selection(), all()))
  const chosenInfos = () => all().filter((one) => chosen().includes(one.name))
  const judged = createMemo(() => ownJudges(chosenInfos(), selection().profile).length > 0)
  const request = createMemo(() => toRequest(selection(), model(), chosen()))
  const sweep = () => ({ also: selection().also ?? [], levels: selection().levels ?? [] })
  const sweepTag = `sweep-${randomId().slice(0, 8)}`
  const runs = createMemo(() => {
    const body = request()
    return body ? sweptRuns(body, sweep(), sweepTag) : []
  })
  // Waits for the lists itself: the server renders the plan in the same answer as the page.
  const plan = createAsync(async () => {
    const asked = { ...search } // read before the first wait: nothing later is followed
    const now = startingSelection(asked, await getOwnDefaults())
    const [models, list] = await Promise.all([getModels(now.model ?? '', 50), getBenchmarks(now.provider)])
    const body = toRequest(now, findModel(now, models), chosenBenchmarks(now, readBenchmarks(list)))
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
  const missing = () =>
    whatIsMissing({ model: !!(selection().model || model()), benchmarks: chosen().length, refused: problem(), planned: !!planned() })
  const start = async () => {
    setStarting(true)
    setRefused(undefined) // an old refusal must not stand beside a new try
    if (runs().length > 1) return startAll()
    const answer = await send(Run, '/api/runs', request(), { headers: { 'idempotency-key': randomId() } })
    if (answer.ok) return navigate(`/runs/${answer.value.id}`)
    setStarting(false)
    setRefused(answer.problem)
  }
  /** Starts one after the other; a run that is refused is left out, and its reason stands where none was started. */
  const startAll = async () => {
    const answers = []
    for (const { body } of runs()) answers.push(await send(Run, '/api/runs', body, { headers: { 'idempotency-key': randomId() } }))
    if (answers.some(({ ok }) => ok)) return navigate(`/runs?tag=${sweepTag}`)
    setStarting(false)
    setRefused(answers.flatMap((answer) => (answer.ok ? [] : answer.problem))[0])
  }
  const retry = () => (refused() ? start() : revalidate([getPlan.key, getBenchmarks.key, getModels.key]))
  const card = () => ({
    plan: planned(),
    problem: problem(),
    all: all(),
    missing: missing(),
    budget: selection().budget,
    starting: starting(),
    start,
    retry,
  })
  const broken = () => {
    const got = benchmarks()
    return got && !got.ok ? got.problem : undefined
  }
  return (
    <Page title="Run" tab="Start a run">
      <Show when={broken()}>{(got) => <ProblemNote problem={got()} page />}</Show>
      <div class="grid grid-cols-[minmax(0,1fr)] gap-5 max-lg:pb-16 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div class="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
          <RunFor team={selection().team} choose={(team) => change({ team })} />
          <Show when={applied()}>
            <DefaultsNote />
          </Show>
          <ModelStep
            chosen={model()}
            price={ownPrice(selection()) ?? model()?.price ?? null}
            named={selection().model ?? model()?.slug}
            choose={(one) => change({ model: one.slug, provider: one.provider })}
          />
          <SubsetStep
            number={2}
            selection={selection()}
            model={model()}
            profiles={commonProfiles(all(), chosen())}
            benchmarks={chosenInfos()}
            change={change}
          />
          <BenchmarkStep
            number={3}
            all={all()}
            chosen={chosen()}
            plan={planned()}
            selection={selection()}
            choose={(names) => change({ benchmarks: names })}
          />
          <Show when={judged()}>
            <JudgeStep number={4} chosen={chosenInfos()} plan={planned()} model={model()} selection={selection()} change={change} />
          </Show>
          <SweepStep
            number={judged() ? 5 : 4}
            sweep={sweep()}
            runs={runs()}
            change={({ also, levels }) => change({ also: [...also], levels: [...levels] })}
          />
          <Show when={planned()?.notes.length}>
            <div class="box p-4 lg:hidden">
              <PlanNotes notes={planned()!.notes} />
            </div>
          </Show>
        </div>
        <PlanCard {...card()} />
      </div>
      <PlanStrip {...card()} />
    </Page>
  )
}

/** The defaults of whoever looks at the page; null for a stranger, who has none. */
async function getOwnDefaults(): Promise<RunDefaults | null> {
  const status = await getSignIn()
  if (!status.ok || !status.value.keeps_settings) return null
  const kept = await getRunDefaults()
  return kept.ok ? kept.value.defaults : null
}

/** The price that somebody gave in place of the provider's; half of one is none. */
function ownPrice({ priceIn, priceOut }: Selection) {
  if (priceIn === undefined || priceOut === undefined) return undefined
  return { input_per_million_usd: priceIn, output_per_million_usd: priceOut }
}

type Got<Load extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Load>> | undefined

function readBenchmarks(got: Got<typeof getBenchmarks>): BenchmarkInfo[] {
  return got?.ok ? got.value.benchmarks : []
}

/** The chosen model; a server with a single one (the demo, a local LM Studio) leaves nothing to choose. */
function findModel({ model, provider }: Selection, got: Got<typeof getModels>): Model | undefined {
  if (!got?.ok) return undefined
  const { models, total } = got.value
  if (!model) return total === 1 ? models[0] : undefined
  return models.find((one) => one.slug === model && (!provider || one.provider === provider))
}

function chosenBenchmarks(selection: Selection, all: readonly BenchmarkInfo[]): string[] {
  return selection.benchmarks ?? all.filter((one) => one.default_selected && one.is_enabled).map((one) => one.name)
}

function toRequest(selection: Selection, model: Model | undefined, chosen: readonly string[]) {
  const { model: slug, provider } = selection
  return toCreateRun({ ...selection, model: slug ?? model?.slug, provider: provider ?? model?.provider }, chosen, model)
}

/** Profiles that every chosen benchmark has: one profile is asked of all of them. */
function commonProfiles(all: readonly BenchmarkInfo[], chosen: readonly string[]): string[] {
  const sets = all.filter((one) => chosen.includes(one.name)).map((one) => one.card.profiles.map((profile) => profile.id))
  return (sets[0] ?? []).filter((id) => sets.every((ids) => ids.includes(id)))
}
