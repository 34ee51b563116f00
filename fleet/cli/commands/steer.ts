import * as z from 'zod'
import { Done } from '#shared/contract/api.ts'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { findRunId, isLocalRun } from '../find-run.ts'
import { exitCodes, type Io } from '../io.ts'
import { cleanLine } from '../terminal.ts'

/** `ofFolder` takes what is no run of a service but a folder here. */
const steer = (name: string, route: string, summary: string, ofFolder?: typeof resumeFolder) =>
  defineCommand({
    name,
    summary,
    arguments: ['RUN'],
    options: {},
    values: z.object({}),
    examples: [`bench ${name} last`, ...(ofFolder ? [`bench ${name} runs/0199c0de-…`] : [])],
    async run({ positionals, json, url, quiet }, io) {
      const [named = ''] = positionals
      if (ofFolder && isLocalRun(named)) return ofFolder(named, { json, quiet }, io)
      const client = createClient(io, url)
      const id = await findRunId(client, named)
      const done = await client.post(`/api/runs/${id}/${route}`, undefined, Done)
      io.out(json ? JSON.stringify({ run_id: id, ...done }) : cleanLine(done.message))
      return exitCodes.ok
    },
  })

export const cancel = steer('cancel', 'cancel', 'Cancels a run for good; what is scored stays.')
export const pause = steer('pause', 'pause', 'Pauses a run: requests in flight end, no new ones start.')
export const resume = steer(
  'resume',
  'resume',
  'Goes on with a paused or waiting run, or with a stopped local one, named by its folder: what that has is not asked again.',
  resumeFolder,
)
export const retry = steer('retry', 'retry-failed', 'Tries again the failed trials that may still succeed; answers, right or wrong, stay.')

async function resumeFolder(dir: string, mode: { json: boolean; quiet: boolean }, io: Io): Promise<number> {
  const { resumeHere } = await import('../run-here.ts')
  return resumeHere(dir, mode, io)
}
