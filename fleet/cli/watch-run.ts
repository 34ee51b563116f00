import { Done, Run, Status } from '#shared/contract/api.ts'
import type { RunPulse } from '#shared/contract/pulse.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { waitsFor } from '#shared/run/waits-for.ts'
import { type Client, createClient } from './client.ts'
import { followRun } from './follow-run.ts'
import { CommandError, exitCodes, type Io } from './io.ts'
import { progressOf } from './progress-line.ts'
import { runText } from './run-text.ts'
import { cleanLine } from './terminal.ts'

/** `cancels`: Ctrl-C cancels the run as well as the watching. */
export type WatchMode = { json: boolean; quiet: boolean; cancels?: boolean }

/**
 * Follows a run to its end: a progress line on a terminal, a line every ten seconds elsewhere, events as JSON lines with `json`.
 * Shows the result; exit code 0 only for a run that succeeded. Ctrl-C ends the watching and says what becomes of the run.
 */
export async function watchRun(client: Client, io: Io, runId: string, mode: WatchMode): Promise<number> {
  if (mode.cancels) io.holdOn()
  await tellWithoutAgents(client, io)
  const show = progressOf(io, mode.quiet)
  let seen: RunHead | undefined
  let doing: RunPulse | null = null
  try {
    await followRun(client, io, runId, {
      event: (event) => {
        if (mode.json) io.out(JSON.stringify({ type: 'event', ...event }))
      },
      pulse: (pulse) => {
        if (mode.json) io.out(JSON.stringify({ type: 'pulse', ...pulse }))
        doing = pulse
        if (seen) show(seen, doing)
      },
      head: (head) => {
        seen = head
        show(head, doing)
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
    throw await interrupted(client, io, runId, mode, error)
  }
}

/** Says when nobody is there to work: a run then waits without a sign. */
export async function tellWithoutAgents(client: Client, io: Io): Promise<void> {
  const status = await client.get('/api/status', Status).catch(() => undefined) // an older service may not tell; the run says the rest
  if (status?.agents === 0) io.err(`${waitsFor(status).title} "npm start" brings one, "bench agent" is one.`)
}

async function interrupted(client: Client, io: Io, runId: string, mode: WatchMode, cause: CommandError): Promise<CommandError> {
  const end = (sentence: string) => new CommandError(sentence, 'interrupted', null, { cause })
  const goesOn = `The run goes on, and so does what it spends.\n  bench watch ${runId}    looks at it again\n  bench cancel ${runId}   ends it`
  if (!mode.cancels) return end(goesOn)
  const again = createClient({ ...io, signal: AbortSignal.timeout(10_000) }, client.url)
  const done = await again.post(`/api/runs/${runId}/cancel`, undefined, Done).catch((error: unknown) => error)
  if (!(done instanceof Error)) return end('The run is canceled; what is scored stays.')
  return end(`The run could not be canceled: ${cleanLine(done.message, 300)}\n${goesOn}`)
}
