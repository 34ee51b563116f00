import * as z from 'zod'
import { BenchmarkPage, Run, RunItemDetail } from '#shared/contract/api.ts'
import type { Step } from '#shared/contract/transcript.ts'
import { outcomes } from '#shared/contract/trial.ts'
import { openStepLines } from '#shared/run/step-lines.ts'
import { type Client, createClient } from '../client.ts'
import { defineCommand, integer } from '../command.ts'
import { findRunId, isLocalRun } from '../find-run.ts'
import { followItem } from '../follow-item.ts'
import { CommandError, exitCodes, type Io } from '../io.ts'
import { itemText, pageText } from '../item-text.ts'
import { askPending, pendingLines } from '../pending-lines.ts'
import { noRecording, recordingText } from '../recording-text.ts'
import { runText } from '../run-text.ts'

const Values = z.object({
  outcome: z.enum(outcomes).optional(),
  search: z.string().optional(),
  epoch: integer(0, 63).optional(),
  limit: integer(1, 500).default(20),
  offset: integer(0, 10_000_000).default(0),
  follow: z.boolean().default(false),
  recording: z.boolean().default(false),
})

export const show = defineCommand({
  name: 'show',
  summary:
    'Shows a run, of the service or in the folder of a local one; with a benchmark its items; with an item its prompt, its answer and its score.',
  arguments: ['RUN', '[BENCHMARK]', '[ITEM]'],
  options: {
    outcome: { help: 'only items that ended so', value: 'KIND', choices: outcomes },
    search: { help: 'only items that contain this text', value: 'TEXT' },
    epoch: { help: 'which repeat of the item (default 0)', value: 'N' },
    limit: { help: 'items at most (default 20)', value: 'N' },
    offset: { help: 'items to leave out at the beginning', value: 'N' },
    follow: { help: 'an item without a result is shown while it is answered' },
    recording: { help: 'how the terminal of an item looked at its end, as it was recorded' },
  },
  values: Values,
  examples: [
    'bench show last',
    'bench show last mmlu_pro --outcome wrong',
    'bench show last mmlu_pro 1042',
    'bench show last mmlu_pro 1042 --follow',
    'bench show runs/0199c0de-…',
  ],
  async run({ values, positionals, json, url }, io) {
    const [named = '', benchmark, item] = positionals
    if (isLocalRun(named)) {
      const { showHere } = await import('../show-here.ts')
      const shown = await showHere(named, { ...values, benchmark, item }, io)
      for (const line of json ? [JSON.stringify(shown.record)] : shown.lines) io.out(line)
      return exitCodes.ok
    }
    const client = createClient(io, url)
    const { record, lines } = await look(client, await findRunId(client, named), { benchmark, item, values, json, io })
    for (const line of json ? [JSON.stringify(record)] : lines) io.out(line)
    return exitCodes.ok
  },
})

type Look = { benchmark: string | undefined; item: string | undefined; values: z.infer<typeof Values>; json: boolean; io: Io }

async function look(
  client: Client,
  runId: string,
  { benchmark, item, values, json, io }: Look,
): Promise<{ record: unknown; lines: string[] }> {
  if (benchmark === undefined) {
    const record = await client.get(`/api/runs/${runId}`, Run)
    const pending = record.status === 'queued' ? await askPending(client, record.id) : undefined
    return { record, lines: [...runText(record, io), ...(pending ? pendingLines(pending) : [])] }
  }
  const name = encodeURIComponent(benchmark)
  if (item === undefined) {
    const query = new URLSearchParams({ limit: String(values.limit), offset: String(values.offset) })
    if (values.outcome) query.set('outcome', values.outcome)
    if (values.search) query.set('q', values.search)
    if (values.epoch !== undefined) query.set('epoch', String(values.epoch))
    const record = await client.get(`/api/runs/${runId}/benchmarks/${name}?${query}`, BenchmarkPage)
    return { record, lines: pageText(record, io.columns) }
  }
  const path = `/api/runs/${runId}/items/${name}/${encodeURIComponent(item)}?epoch=${values.epoch ?? 0}`
  const record = values.follow ? await followItem(client, io, path, json) : await client.get(path, RunItemDetail)
  if (json) return { record, lines: [] }
  if (values.recording) return { record, lines: await keptScreens(client, record, io) }
  const transcript = record.record.transcript ?? (await keptSteps(client, record, io))
  return { record, lines: itemText({ ...record, record: { ...record.record, transcript } }, io.colour) }
}

/** The last screens of an item's recordings. */
async function keptScreens(client: Client, { artifacts }: RunItemDetail, io: Io): Promise<string[]> {
  const lines: string[] = []
  for (const { name, kind, url } of artifacts) {
    if (kind !== 'recording' || url === null) continue
    lines.push(...recordingText(name, await (await client.open(url, {})).text(), io.colour))
  }
  return lines.length > 0 ? lines : [noRecording]
}

/** All steps of a transcript that is an artifact; none, and why on the side, where it cannot be had. */
async function keptSteps(client: Client, { artifacts }: RunItemDetail, io: Io): Promise<Step[]> {
  const file = artifacts.find(({ kind, url }) => kind === 'transcript' && url !== null)
  if (!file) return []
  const read = async (from: number, to: number) => {
    const response = await client.open(file.url!, { range: `bytes=${from}-${to - 1}` })
    return new Uint8Array(await response.arrayBuffer())
  }
  try {
    return await openStepLines(read, file.bytes).next(Number.MAX_SAFE_INTEGER)
  } catch (error) {
    if (!(error instanceof CommandError) || io.signal.aborted) throw error
    io.err(`The steps cannot be read: ${error.message}`)
    return []
  }
}
