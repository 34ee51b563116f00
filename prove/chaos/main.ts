import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ChaosReport, playChaos } from './play.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    seed: { type: 'string', default: '1' },
    port: { type: 'string', default: process.env.PORT ?? '0' },
    trials: { type: 'string' },
    'latency-ms': { type: 'string', default: '30' },
    width: { type: 'string', default: '100' },
    keep: { type: 'boolean', default: false },
  },
})
if (process.platform !== 'linux') {
  console.error('This proof finds processes by /proc, so it runs on Linux only.')
  process.exit(2)
}
const minutes = values.quick ? null : Number(values.minutes ?? 3)
const dir = mkdtempSync(join(tmpdir(), 'bench-chaos-'))
const seed = Number(values.seed)
console.log(`seed ${seed}, ${values.width} wide, ${values['latency-ms']} ms latency, kept in ${dir}`)
console.log('struck                      at done serving again s going on s')
const report = await playChaos({
  dir,
  port: Number(values.port),
  trials: Number(values.trials ?? (minutes === null ? 8_000 : 10_000)),
  latencyMs: Number(values['latency-ms']),
  width: Number(values.width),
  seed,
  minutes,
  say: (line) => console.log(line),
})
print(report)
if (report.breaches.length === 0 && !values.keep) rmSync(dir, { recursive: true, force: true })
process.exit(report.breaches.length === 0 ? 0 : 1)

function print({ strikes, runs, breaches }: ChaosReport): void {
  const tokens = ({ input_tokens, output_tokens }: { input_tokens: number; output_tokens: number }) => `${input_tokens}+${output_tokens}`
  console.log(
    '\nrun        trials      s  extra requests (allowed; in flight at the provider at each agent kill)  tokens billed = counted + lost',
  )
  for (const run of runs) {
    const flights = run.in_flight.length > 0 ? ` (${run.allowed}; ${run.in_flight.join(', ')})` : ' (0)'
    const sums = `${tokens(run.billed)} = ${tokens(run.counted)} + ${tokens(run.lost)}`
    console.log(
      `${run.run_id.slice(0, 8)} ${String(run.trials).padStart(8)} ${run.seconds.toFixed(1).padStart(6)}  ${run.extra}${flights}  ${sums}`,
    )
  }
  const trials = runs.reduce((sum, run) => sum + run.trials, 0)
  console.log(`\n${runs.length} runs, ${trials} trials, ${strikes.length} blows, ${breaches.length} breaches`)
  for (const breach of breaches.slice(0, 20)) console.log(`  ${breach}`)
}
