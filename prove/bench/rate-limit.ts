import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfChanged } from '../../edge/local/build.ts'
import type { LedgerEntry } from '../provider/ledger.ts'
import { startProvider } from '../provider/provider.ts'
import { simulatedRun } from '../provider/run-body.ts'
import { startAndFollow } from './follow-run.ts'
import { writeSyntheticItems } from './synthetic-items.ts'
import { root, startSystem } from './system.ts'

const usage = `npm run bench -- rate-limit [options]

  --limit 50       requests a second that the model's key allows
  --runs 3         runs at once over that key
  --items 600      questions of each run
  --agents 1       agents that work on them
  --unknown        do not tell the system the limit: it has to find it out`

const binMs = 5000

/** Several runs over one limited key: how much of the limit is used, and how many requests are refused. Exit code 1 below 95 % or above 2 %. */
export async function rateLimit(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      limit: { type: 'string', default: '50' },
      runs: { type: 'string', default: '3' },
      items: { type: 'string', default: '600' },
      agents: { type: 'string', default: '1' },
      unknown: { type: 'boolean', default: false },
    },
  })
  const [limit, runs, items, agents] = [values.limit, values.runs, values.items, values.agents].map(Number) as [
    number,
    number,
    number,
    number,
  ]
  if (![limit, runs, items, agents].every((count) => Number.isInteger(count) && count >= 1)) {
    console.error(usage)
    return 2
  }
  const dir = mkdtempSync(join(tmpdir(), 'bench-rate-'))
  const itemsPath = join(dir, 'items.jsonl')
  writeSyntheticItems(itemsPath, items)
  await buildIfChanged(root, join(dir, 'build.log'), () => undefined)
  const provider = await startProvider({ latency_ms: 200, rate: { per_second: limit, retry_after: 'seconds' } })
  const options = { dataDir: join(dir, 'data'), itemsPath, modelUrl: provider.url, slots: 256, agentEnv: {} }
  const system = await startSystem({ ...options, more: agents - 1, rateLimit: values.unknown ? null : limit })
  try {
    const body = { ...simulatedRun, concurrency: 64 }
    const follow = () => startAndFollow({ url: system.url, databaseUrl: system.databaseUrl, body, trials: items })
    const ended = await Promise.all(Array.from({ length: runs }, follow))
    return report(
      provider.ledger.entries,
      limit,
      ended.every((run) => run.status === 'succeeded' && run.rows === items),
    )
  } finally {
    await system.stop()
    await provider.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Five seconds at a time, so that the beginning, until every agent has its part, and the end show; their median is what counts. */
function report(entries: readonly LedgerEntry[], limit: number, complete: boolean): number {
  const [first, last] = [entries[0]!.started_ms, entries.at(-1)!.started_ms]
  const answered = entries.filter((entry) => entry.status === 200)
  const bins = Array.from({ length: Math.floor((last - first) / binMs) }, () => 0)
  for (const { started_ms } of answered) {
    const bin = Math.floor((started_ms - first) / binMs)
    if (bin < bins.length) bins[bin]!++
  }
  const rates = bins.map((count) => (count * 1000) / binMs)
  const steady = rates.toSorted((a, b) => b - a)[Math.floor(rates.length / 2)]! // the median of the fives
  const refused = entries.filter((entry) => entry.status === 429).length / entries.length
  console.log(
    `${answered.length} answers in ${((last - first) / 1000).toFixed(1)} s, ${complete ? 'every trial there' : 'TRIALS ARE MISSING'}`,
  )
  console.log(`answered a second, by five seconds: ${rates.map((rate) => rate.toFixed(1)).join('  ')}`)
  console.log(
    `median ${steady.toFixed(1)} of ${limit} requests/s: ${((100 * steady) / limit).toFixed(1)} % of the limit; ${(100 * refused).toFixed(2)} % refused with 429`,
  )
  return complete && steady >= 0.95 * limit && refused < 0.02 ? 0 : 1
}
