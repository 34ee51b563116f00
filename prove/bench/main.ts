import { bundle } from './bundle.ts'
import { crowd } from './crowd.ts'
import { episodes } from './episodes.ts'
import { leaderboard } from './leaderboard.ts'
import { match } from './match.ts'
import { rateLimit } from './rate-limit.ts'
import { refusals } from './refusals.ts'
import { rows } from './rows.ts'
import { sandbox } from './sandbox.ts'
import { scorers } from './scorers.ts'
import { search } from './search.ts'
import { soak } from './soak.ts'
import { streamTruth } from './stream-truth.ts'
import { throughput } from './throughput.ts'

/** Every measurement by name; each prints a table with units and gives the process's exit code. */
const benches: Record<string, { what: string; run(args: string[]): Promise<number> }> = {
  throughput: {
    what: 'trials a second of the whole system, CPU and memory by process, beside bare loops against the same model',
    run: throughput,
  },
  'rate-limit': { what: 'how much of a limited key several runs use, and how many requests are refused', run: rateLimit },
  refusals: { what: 'what a share of random refusals leaves of the pace, and how a limit is used that names no wait', run: refusals },
  crowd: { what: 'how long something cheap takes while strangers search, download and verify', run: crowd },
  search: { what: 'draining, listing, filtering and searching a run of 100,000 trials', run: search },
  leaderboard: { what: 'what a leaderboard over 10,000 runs costs, and the end of a run that comes to it', run: leaderboard },
  match: { what: 'CPU of the fleet’s object with a thousand agents, and how much work it moves about', run: match },
  bundle: {
    what: 'time and memory to write and to verify the signed ZIP of a large run, in Node with a small heap and in Chromium',
    run: bundle,
  },
  rows: { what: 'time and memory to index, survey and read a data file of 5 GB, and how long the agent stands still', run: rows },
  soak: { what: 'run after run for an hour: what processes and files hold, and whether it grows', run: soak },
  sandbox: { what: 'opening a sandbox and running small commands in one, beside the bare commands', run: sandbox },
  episodes: { what: 'episodes a second at machines of one Docker engine, beside a bare loop of Docker commands', run: episodes },
  'stream-truth': {
    what: 'first token and longest gap of streamed answers beside the simulated provider’s log of what it sent when',
    run: streamTruth,
  },
  scorers: { what: 'items a second of every scorer on one core, and the slowest checks on 100 kB', run: scorers },
}

const [name, ...args] = process.argv.slice(2)
const bench = name === undefined ? undefined : benches[name]
if (bench) process.exit(await bench.run(args).catch(refused))
console.log('npm run bench -- NAME [options]\n')
for (const [known, { what }] of Object.entries(benches)) console.log(`  ${known.padEnd(12)} ${what}`)
process.exit(name === undefined ? 0 : 2)

function refused(error: Error & { code?: string }): number {
  if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error
  console.error(`npm run bench -- ${name}: ${error.message}`)
  return 2
}
