import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RunList } from '#shared/contract/api.ts'
import { RunId } from '#shared/contract/ids.ts'
import type { Client } from './client.ts'
import { CommandError } from './io.ts'

/** The run a user named: its id, its address, or `last` for the newest of their own. */
export async function findRunId(client: Client, text: string): Promise<string> {
  if (text === 'last') {
    const { runs } = await client.get('/api/runs?limit=1&mine=true', RunList)
    if (runs[0]?.mine) return runs[0].id
    throw new CommandError(
      'You have no runs here: "last" is the newest run of your own key (BENCH_API_KEY). "bench list" shows everybody\'s.',
      'run-not-found',
    )
  }
  const id = RunId.safeParse(
    text
      .split('/')
      .findLast((part) => part !== '')
      ?.toLowerCase(),
  )
  if (id.success) return id.data
  throw new CommandError(`"${text}" is not a run: give its id, its address, or "last".`, 'run-not-found')
}

/** Whether this is the folder of a run that `bench run --local` made. */
export function isLocalRun(text: string): boolean {
  return text !== 'last' && existsSync(join(text, 'spec.json')) && existsSync(join(text, 'records.jsonl'))
}
