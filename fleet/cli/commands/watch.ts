import * as z from 'zod'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { findRunId } from '../find-run.ts'
import { watchRun } from '../watch-run.ts'

export const watch = defineCommand({
  name: 'watch',
  summary: 'Follows a run until it has ended, over broken connections, and shows its result. Ctrl-C stops watching, not the run.',
  arguments: ['RUN'],
  options: {},
  values: z.object({}),
  examples: ['bench watch last', 'bench watch 0199c0de-0000-7000-8000-000000000000 --json'],
  async run({ positionals, json, url, quiet }, io) {
    const client = createClient(io, url)
    return watchRun(client, io, await findRunId(client, positionals[0] ?? ''), { json, quiet })
  },
})
