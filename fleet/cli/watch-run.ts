import { Done, Run, Status } from '#shared/contract/api.ts'
import type { RunPending } from '#shared/contract/pending.ts'
import type { RunPulse } from '#shared/contract/pulse.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import { forecastText } from '#shared/run/forecast-text.ts'
import { pendingText } from '#shared/run/pending-text.ts'
import { type Client, createClient } from './client.ts'
import { followRun } from './follow-run.ts'
import { CommandError, exitCodes, type Io } from './io.ts'
import { askPending } from './pending-lines.ts'
import { progressOf } from './progress-line.ts'
import { runText } from './run-text.ts'
import { cleanLine } from './terminal.ts'

/** Milliseconds between two requests for the reason of a wait. */
const lookMs = 3000
/** Of these requests, a run that has an agent needs one in so many: its expected end changes slowly. */
const calmly = 5

/** `cancels`: Ctrl-C cancels the run as well as the watching. */
export type WatchMode = { json: boolean; quiet: boolean; cancels?: boolean }

/** Follows runs that were started together, one after the other, to the end of the last; exit code 0 only when all succeeded. */
export async function watchRuns(client: Client, io: Io, ids: readonly string[], mode: WatchMode): Promise<number> {
  let worst: number = exitCodes.ok
  for (const [at, id] of ids.entries()) {
    if (ids.length > 1 && !mode.quiet) io.err(`run ${at + 1} of ${ids.length}: ${id}`)
    const code = await watchRun(client, io, id, mode, ids.slice(at + 1))
    worst ||= code
  }
  return worst
}

/**
 * Follows a run to its end: a progress line on a terminal, a line every ten seconds elsewhere, events as JSON lines with `json`.
 * `others` were started with it: what an interruption says and does is for them too. Shows the result; exit code 0 only for a run that succeeded. Ctrl-C ends the watching and says what becomes of the run.
 */
export async function watchRun(client: Client, io: Io, runId: string, mode: WatchMode, others: readonly string[] = []): Promise<number> {
  if (mode.cancels) io.holdOn()
  await tellWithoutAgents(client, io)
  const show = progressOf(io, mode.quiet)
  let seen: RunHead | undefined
  let doing: RunPulse | null = null
  let waiting: string | null = null
  let ends_at: string | null = null
  let looked = 0
  const look = async () => {
    if (!seen || isTerminal(seen.status) || seen.status === 'paused') return
    if (looked++ % calmly !== 0 && !isIdle(seen)) return
    const pending = await askPending(client, runId)
    if (!pending) return
    ends_at = pending.forecast?.ends_at ?? null
    if (isIdle(seen)) waiting = waitText(pending, io.now())
    show(seen, doing, waiting, ends_at)
  }
  const looks = setInterval(() => void look(), lookMs)
  try {
    await followRun(client, io, runId, {
      event: (event) => {
        if (mode.json) io.out(JSON.stringify({ type: 'event', ...event }))
      },
      pulse: (pulse) => {
        if (mode.json) io.out(JSON.stringify({ type: 'pulse', ...pulse }))
        doing = pulse
        if (seen) show(seen, doing, waiting, ends_at)
      },
      head: (head) => {
        seen = head
        if (!isIdle(head)) waiting = null
        show(head, doing, waiting, ends_at)
      },
      away: ({ message }) => io.err(`${message}\nTrying again for two minutes.`),
      back: () => io.err('Connected again.'),
    })
    const run = await client.get(`/api/runs/${runId}`, Run)
    if (mode.json) io.out(JSON.stringify({ type: 'done', run }))
    else for (const line of [...runText(run, io), '', `${client.url}/runs/${run.id}`]) io.out(line)
    return run.status === 'succeeded' ? exitCodes.ok : exitCodes.error
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 'interrupted') throw error
    throw await interrupted(client, io, [runId, ...others], mode, error)
  } finally {
    clearInterval(looks)
  }
}

/** Why a run waits, and when it is expected to start and to end. */
function waitText(pending: RunPending, nowMs: number): string {
  const { title } = pendingText(pending)
  return pending.forecast ? `${title} ${forecastText(pending.forecast, nowMs)}` : title
}

/** Whether an active run has no agent. */
const isIdle = (head: RunHead): boolean =>
  !isTerminal(head.status) && head.status !== 'paused' && (head.status === 'queued' || Object.keys(head.agents).length === 0)

/** Says when nobody is there to work: a run then waits without a sign. */
export async function tellWithoutAgents(client: Client, io: Io): Promise<void> {
  const status = await client.get('/api/status', Status).catch(() => undefined) // an older service may not tell; the run says the rest
  if (status?.agents !== 0) return
  const { title } = pendingText({ ...status, given: 0, reasons: [] })
  io.err(`${title} "npm start" brings one, "bench agent" is one.`)
}

async function interrupted(client: Client, io: Io, ids: readonly string[], mode: WatchMode, cause: CommandError): Promise<CommandError> {
  const end = (sentence: string) => new CommandError(sentence, 'interrupted', null, { cause })
  const [goes, spends] = ids.length === 1 ? ['The run goes on', 'it spends'] : ['The runs go on', 'they spend']
  const looks = ids.map((id) => `  bench watch ${id}    looks at it again\n  bench cancel ${id}   ends it`).join('\n')
  const goesOn = `${goes}, and so does what ${spends}.\n${looks}`
  if (!mode.cancels) return end(goesOn)
  const again = createClient({ ...io, signal: AbortSignal.timeout(10_000) }, client.url)
  const failed: string[] = []
  for (const id of ids) {
    const done = await again.post(`/api/runs/${id}/cancel`, undefined, Done).catch((error: unknown) => error)
    // One of several may have ended meanwhile.
    if (done instanceof Error && !(ids.length > 1 && done instanceof CommandError && done.status === 409)) failed.push(done.message)
  }
  if (failed.length === 0)
    return end(ids.length === 1 ? 'The run is canceled; what is scored stays.' : 'The runs are canceled; what is scored stays.')
  return end(
    `${ids.length === 1 ? 'The run' : `${failed.length} of ${ids.length} runs`} could not be canceled: ${cleanLine(failed.join(' '), 300)}\n${goesOn}`,
  )
}
