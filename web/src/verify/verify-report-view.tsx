import { For, Switch } from 'solid-js'
import { packedAnew } from '#shared/export/bundle-files.ts'
import type { Check, VerifyReport } from '#shared/export/verify-report.ts'
import CircleCheck from '~icons/lucide/circle-check'
import CircleDashed from '~icons/lucide/circle-dashed'
import CircleMinus from '~icons/lucide/circle-minus'
import OctagonX from '~icons/lucide/octagon-x'
import { runPath } from '../paths.ts'
import { count, moment, percent } from '../ui/format.ts'
import { Labels } from '../ui/label.tsx'
import { Match, Show } from '../ui/show.tsx'
import { checkMeanings, inPart, notProven, partSentence, verdictOf } from './check-meanings.ts'
import { ResultTable } from './result-table.tsx'

/** The verdict on a bundle, then every check with what it proves. */
export function VerifyReportView(props: { report: VerifyReport; name: string }) {
  return (
    <div class="grid grid-cols-[minmax(0,1fr)] gap-5">
      <section aria-label="Verdict" class={`box p-4 ${props.report.valid ? 'border-moss-fill' : 'border-papaya-fill'}`} role="status">
        <p class="flex items-center gap-2 text-xl font-semibold">
          <Show when={props.report.valid} fallback={<OctagonX size={22} class="text-papaya" aria-hidden="true" />}>
            <CircleCheck size={22} class="text-moss" aria-hidden="true" />
          </Show>
          {verdictOf(props.report)}
          <span class="min-w-0 text-m font-normal break-all text-muted">{props.name}</span>
        </p>
        <Show when={props.report.valid && inPart(props.report).length}>
          <ul class="mt-1 grid grid-cols-[minmax(0,1fr)] gap-1 text-muted">
            <For each={inPart(props.report)}>{(check) => <li class="break-words">{partSentence(check)}</li>}</For>
          </ul>
        </Show>
        <ul class="mt-2 grid grid-cols-[minmax(0,1fr)] gap-1 text-papaya empty:hidden">
          <For each={props.report.errors}>{(error) => <li class="break-words">{error}</li>}</For>
        </ul>
        <Show
          when={props.report.hash_match && props.report.run_id}
          fallback={<p class="mt-2 text-muted">No number of it is shown, since none can be trusted.</p>}
        >
          <Summary report={props.report} />
        </Show>
      </section>
      <Show when={props.report.hash_match && props.report.results.length}>
        <ResultTable results={props.report.results} />
      </Show>
      <section class="box overflow-hidden">
        {/* A caption that is hidden would take the place of the first row, which gives the widths. */}
        <table class="w-full table-fixed" aria-label="Checks">
          <tbody>
            <For each={props.report.checks}>{(check) => <CheckRow check={check} />}</For>
          </tbody>
        </table>
      </section>
    </div>
  )
}

function Summary(props: { report: VerifyReport }) {
  const { report } = props
  return (
    <dl class="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
      <dt class="text-faint">Model</dt>
      <dd class="flex flex-wrap items-center gap-2">
        {report.model_slug} <Labels names={report.labels} />
      </dd>
      <dt class="text-faint">Overall score</dt>
      <dd>{report.overall_score === null ? 'none: not every benchmark has a score' : percent(report.overall_score)}</dd>
      <dt class="text-faint">Asked</dt>
      <dd>
        {report.subset_count ? `${count(report.subset_count)} items a benchmark` : `${report.subset_pct} %`} of{' '}
        {count(report.benchmark_count)} {report.benchmark_count === 1 ? 'benchmark' : 'benchmarks'}, {count(report.items)} trials,{' '}
        {count(report.rescored)} scored anew here
      </dd>
      <dt class="text-faint">Run</dt>
      <dd>
        <a class="link break-all" href={runPath(report.run_id!)}>
          {report.run_id}
        </a>
      </dd>
      <dt class="text-faint">Exported</dt>
      <dd>{report.exported_at && moment(report.exported_at)}</dd>
      <dt class="text-faint">Signed by</dt>
      <dd>
        <code class="break-all">{report.public_key_fingerprint}</code>
      </dd>
      <Show when={report.format === 'predecessor'}>
        <dt class="text-faint">Format</dt>
        <dd>of the predecessor: signature and hash can be checked, scores cannot be computed anew</dd>
      </Show>
    </dl>
  )
}

function CheckRow(props: { check: Check }) {
  return (
    <tr class="not-last:border-b border-line align-top">
      <td class="w-10 py-2.5 pl-4">
        <Switch fallback={<CircleMinus size={17} class="text-faint" aria-label="not made" />}>
          <Match when={props.check.partial}>
            <CircleDashed size={17} class="text-papaya" aria-label="holds for a part" />
          </Match>
          <Match when={props.check.ok === true}>
            <CircleCheck size={17} class="text-moss" aria-label="holds" />
          </Match>
          <Match when={props.check.ok === false}>
            <OctagonX size={17} class="text-papaya" aria-label="fails" />
          </Match>
        </Switch>
      </td>
      <th scope="row" class="w-32 py-2.5 font-medium max-sm:w-28">
        {props.check.name}
      </th>
      <td class="py-2.5 pr-4">
        {checkMeanings[props.check.name]}
        <span
          class={`block text-s [overflow-wrap:anywhere] ${props.check.ok === false || props.check.partial ? 'text-papaya' : 'text-faint'}`}
        >
          {props.check.ok === null && props.check.detail !== packedAnew ? 'Not made: ' : props.check.partial ? 'In part: ' : ''}
          {props.check.detail}
        </span>
      </td>
    </tr>
  )
}

export function NotProven() {
  return (
    <section class="box p-4">
      <h2 class="font-semibold">What this does not prove</h2>
      <ul class="mt-1 list-disc pl-5 text-muted">
        <For each={notProven}>{(one) => <li>{one}</li>}</For>
      </ul>
    </section>
  )
}
