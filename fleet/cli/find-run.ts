import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RunList } from '#shared/contract/api.ts'
import { RunId } from '#shared/contract/ids.ts'
import type { Client } from './client.ts'
import { CommandError } from './io.ts'

/** The run a user named: its id or the first characters of it (at least 4), its address, or `last` for the newest of their own. */
export async function findRunId(client: Client, text: string): Promise<string> {
  if (text === 'last') {
    const { runs } = await client.get('/api/runs?limit=1&mine=true', RunList)
    if (runs[0]?.mine) return runs[0].id
    throw new CommandError(
      'You have no runs here: "last" is the newest run of your own key (BENCH_API_KEY). "bench list" shows everybody\'s.',
      'run-not-found',
    )
  }
  const named = text
    .split('/')
    .findLast((part) => part !== '')
    ?.toLowerCase()
  const id = RunId.safeParse(named)
  if (id.success) return id.data
  if (named && beginsId.test(named)) return findByPrefix(client, named)
  throw new CommandError(
    `"${text}" is not a run: give its id or at least 4 characters of its beginning, its address, or "last".`,
    'run-not-found',
  )
}

const beginsId = /^[0-9a-f]{4,8}(?:-[0-9a-f-]{0,27})?$/

async function findByPrefix(client: Client, prefix: string): Promise<string> {
  const { runs } = await client.get(`/api/runs?${new URLSearchParams({ q: prefix, limit: '200' })}`, RunList)
  const ids = runs.map(({ id }) => id).filter((id) => id.startsWith(prefix))
  if (ids[0] && ids.length === 1) return ids[0]
  if (ids.length === 0) throw new CommandError(`No run that you may see begins with "${prefix}".`, 'run-not-found')
  throw new CommandError(`${ids.length} runs begin with "${prefix}": ${ids.slice(0, 5).join(', ')}. Give more of the id.`, 'run-not-found')
}

/** Whether this is the folder of a run that `bench run --local` made. */
export function isLocalRun(text: string): boolean {
  return text !== 'last' && existsSync(join(text, 'spec.json')) && existsSync(join(text, 'records.jsonl'))
}
