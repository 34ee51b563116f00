import * as z from 'zod'
import { Done } from '#shared/contract/api.ts'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { findRunId } from '../find-run.ts'
import { exitCodes } from '../io.ts'
import { cleanLine } from '../terminal.ts'

const steer = (name: string, route: string, summary: string) =>
  defineCommand({
    name,
    summary,
    arguments: ['RUN'],
    options: {},
    values: z.object({}),
    examples: [`bench ${name} last`],
    async run({ positionals, json, url }, io) {
      const client = createClient(io, url)
      const id = await findRunId(client, positionals[0] ?? '')
      const done = await client.post(`/api/runs/${id}/${route}`, undefined, Done)
      io.out(json ? JSON.stringify({ run_id: id, ...done }) : cleanLine(done.message))
      return exitCodes.ok
    },
  })

export const cancel = steer('cancel', 'cancel', 'Cancels a run for good; what is scored stays.')
export const pause = steer('pause', 'pause', 'Pauses a run: requests in flight end, no new ones start.')
export const resume = steer('resume', 'resume', 'Goes on with a paused or waiting run.')
export const retry = steer('retry', 'retry-failed', 'Tries again the failed trials that may still succeed; answers, right or wrong, stay.')
