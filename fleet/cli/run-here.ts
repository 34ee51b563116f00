import { relative, resolve } from 'node:path'
import { type AskedHere, type LocalRunResult, type LocalSurroundings, ResultsUnwritable, resumeLocal, runLocal } from '#fleet/run-local.ts'
import { card as terminalTasks } from '#shared/benchmarks/terminal_tasks/card.ts'
import type { CreateRun } from '#shared/contract/create-run.ts'
import { rolesOf } from '#shared/contract/role.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { nothingScored } from '#shared/metrics/estimate.ts'
import { RunRefused } from '#shared/run/run-refused.ts'
import { scoreWarning } from '#shared/run/score-warning.ts'
import { applyStreamed } from '#shared/run/stream.ts'
import { failureLines } from './failure-lines.ts'
import { CommandError, exitCodes, type Io } from './io.ts'
import { costParts, count, duration, score } from './numbers.ts'
import { parkedLines } from './parked-lines.ts'
import { preflightShown } from './preflight-shown.ts'
import { progressOf } from './progress-line.ts'
import { rolesText } from './roles-text.ts'
import { statusText } from './run-text.ts'
import { scoreDetails } from './score-details.ts'
import { scoredOn } from './scored-on.ts'
import { soundnessOf, soundnessText } from './soundness-text.ts'
import { cleanLine, paint, table } from './terminal.ts'

const columns = [
  { title: 'benchmark', whole: true },
  { title: 'score', right: true },
  { title: 'n', right: true },
  { title: 'right', right: true },
  { title: 'wrong', right: true },
  { title: 'failed', right: true },
  { title: 'state' },
  { title: 'data' },
]

type Mode = { json: boolean; quiet: boolean }

/** `bench run --local`: the same run without any service. Its records go to a folder below `out`. */
export async function runHere(body: CreateRun, out: string, mode: Mode, io: Io): Promise<number> {
  return tellRun((told) => runLocal({ ...askedHere(body, io), out: resolve(out), ...told }), mode, io)
}

/** What a request asks of this machine. */
export function askedHere(body: CreateRun, io: Io): AskedHere {
  return {
    model: body.model_id,
    benchmarks: body.selected_benchmarks ?? [],
    subset: { pct: body.subset_pct, count: body.subset_count ?? null, seed: body.subset_seed ?? null, sampling: body.sampling },
    request: body,
    profile: body.profile ?? null,
    data: body.data,
    concurrency: body.concurrency,
    ...{ env: io.env, signal: io.signal },
  }
}

/** `bench resume FOLDER`: goes on with a local run that was stopped. */
export async function resumeHere(dir: string, mode: Mode, io: Io): Promise<number> {
  return tellRun((told) => resumeLocal(resolve(dir), told), mode, io)
}

async function tellRun(start: (told: LocalSurroundings) => Promise<LocalRunResult>, mode: Mode, io: Io): Promise<number> {
  if (io.signal.aborted) throw new CommandError('interrupted', 'interrupted')
  io.holdOn()
  const show = progressOf(io, mode.quiet)
  let head: RunHead | undefined
  const result = await start({
    env: io.env,
    signal: io.signal,
    onStart(started) {
      head = started.head
      if (mode.json) io.out(JSON.stringify({ type: 'run', ...started }))
      else if (!mode.quiet) for (const line of startText(started.spec, shown(started.dir))) io.err(line)
    },
    onEvent(event) {
      if (mode.json) io.out(JSON.stringify({ type: 'event', ...event }))
      if (!head) return
      head = applyStreamed(head, event)
      show(head)
    },
    onNote: (sentence) => io.err(cleanLine(sentence, 300)),
  }).catch(refusedHere(io))
  const tasks = result.spec.imported ? [] : await soundnessOf(result.dir, result.spec)
  if (mode.json && tasks.length > 0) io.out(JSON.stringify({ type: 'soundness', tasks }))
  if (mode.json) io.out(JSON.stringify({ type: 'done', ...result }))
  else for (const line of [...resultText(result, io), ...(tasks.length > 0 ? soundnessText(tasks, io) : [])]) io.out(line)
  if (io.signal.aborted && result.head.status !== 'succeeded') return exitCodes.interrupted
  return result.head.status === 'succeeded' && tasks.every(({ verdict }) => verdict === 'sound') ? exitCodes.ok : exitCodes.error
}

/** Throws what went wrong on this machine as an end of the command. */
export const refusedHere =
  (io: Io) =>
  (error: unknown): never => {
    throw io.signal.aborted ? new CommandError('interrupted', 'interrupted', null, { cause: error }) : commandError(error)
  }

function commandError(error: unknown): unknown {
  if (error instanceof RunRefused) return new CommandError(error.message, error.code, null, { cause: error, pointer: error.pointer })
  if (error instanceof ResultsUnwritable) return new CommandError(error.message, 'unwritable', null, { cause: error })
  return error
}

function startText(spec: RunSpec, dir: string): string[] {
  const asked = spec.benchmarks.map(({ name, sampled_items, epochs, profile, data, ...one }) => {
    const times = epochs > 1 ? ` × ${epochs}` : ''
    const { judge } = rolesOf(one)
    const by = judge ? `, judged by ${cleanLine(judge.model.slug)} on ${cleanLine(judge.model.provider)}` : ''
    return `${name}: ${count(sampled_items)} ${one.chosen ? 'chosen ' : ''}items${times}, profile ${profile}, ${data.source} data${by}`
  })
  const { slug, provider } = spec.model
  const answers = provider === 'demo' ? ' (answers are invented)' : ''
  const asks = spec.replay ? 'replayed: no model is asked' : `on ${cleanLine(provider)}${answers}`
  return [`${cleanLine(slug)} ${asks}`, ...asked, `results go to ${dir}`]
}

/** A local run as people read it. */
export function resultText({ spec, head, dir, metrics, bundle }: LocalRunResult, io: Io): string[] {
  const details = spec.benchmarks.map((planned) => {
    const tally = head.benchmarks[planned.name]!
    const own = metrics[planned.name] ?? {}
    const [estimate = nothingScored] = Object.values(own)
    return { name: planned.name, estimate, warning: scoreWarning(tally, planned, head), metrics: own }
  })
  const rows = spec.benchmarks.map(({ name, data, chosen }, at) => {
    const { right, wrong, failed, total, status } = head.benchmarks[name]!
    const headline = details[at]?.estimate ?? nothingScored
    const numbers = [headline.n, right, wrong, failed].map(count)
    const state = `${status} ${right + wrong + failed}/${total}`
    return [name, score(headline), ...numbers, state, scoredOn(data.source, chosen)]
  })
  const { usage, started_at, completed_at } = head
  const spent = [`tokens ${count(usage.input_tokens)} in, ${count(usage.output_tokens)} out`, ...costParts(head)]
  if (started_at && completed_at) spent.push(`took ${duration(Date.parse(completed_at) - Date.parse(started_at))}`)
  const lines = [
    `${paint(cleanLine(spec.model.slug), 'bold', io.colour)}  ${statusText(head.status, io.colour, head.parked !== null)}`,
    `run ${head.run_id}`,
    ...importedLine(spec),
    '',
    ...table(columns, rows, io.columns),
    ...scoreDetails(details, io.colour),
    '',
    spent.join('  ·  '),
    ...rolesText(spec, head),
    ...preflightShown(head, spec, io.colour),
  ]
  lines.push(...parkedLines(head, io))
  lines.push(...failureLines(Object.entries(head.failures), io.columns, head.causes))
  lines.push('', `records  ${shown(dir)}`)
  if (bundle === null && spec.imported) lines.push('signed   nothing: attempts are missing; bench export does it all the same')
  else if (bundle === null)
    lines.push(
      'signed   nothing: the run did not reach its end',
      `go on    bench resume ${shown(dir)}${ofTasks(spec) ? ' --tasks DIR' : ''}`,
    )
  else lines.push(`signed   ${shown(bundle)}`, `check    bench verify ${shown(bundle)} --key ${shown(dir)}/public_key.txt`)
  return lines
}

/** Whether its items are tasks of a folder, which is to be named again. */
const ofTasks = ({ benchmarks }: RunSpec): boolean =>
  benchmarks.some(({ name, data }) => name === terminalTasks.name && data.source === 'override')

/** That a run was not made here, and by whom. */
function importedLine({ imported }: RunSpec): string[] {
  if (!imported) return []
  return [
    `imported from the Harbor job ${cleanLine(imported.job)} (${imported.job_id}), by ${cleanLine(imported.agent)}: its numbers, not asked here`,
  ]
}

/** A path as one would type it here. */
function shown(path: string): string {
  const near = relative('', path)
  return near.startsWith('..') ? path : near
}
