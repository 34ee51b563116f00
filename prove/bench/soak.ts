import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { stopChild } from '../../edge/local/child.ts'
import { simulatedRun } from '../provider/run-body.ts'
import { startAndFollow } from './follow-run.ts'
import { canMeasure, descendants, heldMb } from './process-cost.ts'
import { writeSyntheticItems } from './synthetic-items.ts'
import { type Started, type System, startModel, startSystem } from './system.ts'

const usage = `npm run bench -- soak [options]

  --minutes 60     how long run follows run
  --trials 500     trials of each run
  --pause 2        seconds between two runs
  --every 20       runs between two lines of figures`

/** What each ended run may leave behind for ever in a process or in the objects' files, in MiB (findings.md F7: 2.6 and 3.7). */
const mostARun = 0.2

/** Runs one after another on one system: prints what its processes and the objects' files hold. Exit code 1 when one of them grows with the runs. */
export async function soak(args: string[]): Promise<number> {
  const text = (standard: string) => ({ type: 'string' as const, default: standard })
  const { values } = parseArgs({ args, options: { minutes: text('60'), trials: text('500'), pause: text('2'), every: text('20') } })
  const [minutes, trials, seconds, every] = [values.minutes, values.trials, values.pause, values.every].map(Number) as [
    number,
    number,
    number,
    number,
  ]
  if (!(minutes > 0 && Number.isInteger(trials) && trials > 0 && seconds >= 0 && Number.isInteger(every) && every > 0 && canMeasure)) {
    console.error(canMeasure ? usage : 'what processes hold is told by Linux only')
    return 2
  }
  const dir = mkdtempSync(join(tmpdir(), 'bench-soak-'))
  const itemsPath = join(dir, 'items.jsonl')
  writeSyntheticItems(itemsPath, trials)
  const model = await startModel({ latency: 5, mode: 'stream' }, dir)
  try {
    const system = await startSystem({ dataDir: join(dir, 'data'), itemsPath, modelUrl: String(model.said.url), slots: 256, agentEnv: {} })
    try {
      const held = await runOnAndOn({ minutes, trials, seconds, every }, system, join(dir, 'data', 'edge'))
      return judge(held)
    } finally {
      await system.stop()
    }
  } finally {
    await stopChild(model.child, 5_000)
    rmSync(dir, { recursive: true, force: true })
  }
}

/** What processes and files hold after so many runs and minutes. */
export type Held = { runs: number; minute: number; mb: Record<string, number> }
type Plan = { minutes: number; trials: number; seconds: number; every: number }

async function runOnAndOn({ minutes, trials, seconds, every }: Plan, system: System, edgeDir: string): Promise<Held[]> {
  const { url, databaseUrl } = system
  const untilMs = Date.now() + minutes * 60_000
  const held: Held[] = []
  for (let runs = 1; Date.now() < untilMs; runs++) {
    const { status, rows } = await startAndFollow({ url, databaseUrl, body: { ...simulatedRun, concurrency: 50 }, trials })
    if (status !== 'succeeded' || rows !== trials) throw new Error(`run ${runs} is ${status} with ${rows} of ${trials} rows`)
    await pause(seconds * 1000)
    if (runs % every > 0) continue
    const mb = holdings(system, edgeDir)
    const minute = minutes - (untilMs - Date.now()) / 60_000
    held.push({ runs, minute, mb })
    const figures = Object.entries(mb).map(([name, size]) => `${name} ${size.toFixed(0)}`)
    console.log(`${String(Math.round(minute)).padStart(3)} min  ${String(runs).padStart(5)} runs  MiB: ${figures.join(', ')}`)
  }
  return held
}

function holdings({ agent, edge, database }: System, edgeDir: string): Record<string, number> {
  const own = ({ pid }: Started) => heldMb([pid])
  return {
    agent: own(agent),
    workerd: heldMb(descendants(edge.pid)),
    'edge host': own(edge),
    endpoint: own(database),
    'objects’ files': bytesIn(edgeDir) / 2 ** 20,
  }
}

function bytesIn(dir: string): number {
  let bytes = 0
  for (const { name, parentPath } of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const found = lstatSync(join(parentPath, name), { throwIfNoEntry: false }) // files come and go meanwhile
    if (found?.isFile()) bytes += found.size
  }
  return bytes
}

const warm_minutes = 10

/** Figures from the time in which everything is warm: after ten minutes, or the second half of a shorter soak. */
export const warmFigures = (held: readonly Held[]): readonly Held[] => {
  const late = held.filter(({ minute }) => minute >= warm_minutes)
  return late.length >= held.length / 2 ? late : held.slice(Math.floor(held.length / 2))
}

function judge(held: readonly Held[]): number {
  const late = warmFigures(held)
  if (late.length < 3) {
    console.log('too few figures to tell whether something grows')
    return 2
  }
  let grows = 0
  console.log(`\ngrowth from minute ${Math.round(late[0]!.minute)} on, in MiB:`)
  for (const name of Object.keys(late[0]!.mb)) {
    const each = slope(late.map(({ runs, mb }) => [runs, mb[name]!]))
    const minutely = slope(late.map(({ minute, mb }) => [minute, mb[name]!]))
    if (each > mostARun) grows++
    console.log(
      `  ${name.padEnd(16)} ${each.toFixed(3)} a run, ${minutely.toFixed(3)} a minute${each > mostARun ? `  more than ${mostARun} a run` : ''}`,
    )
  }
  return grows > 0 ? 1 : 0
}

/** Least squares. */
export function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [middleX, middleY] = [mean(([x]) => x), mean(([, y]) => y)]
  return mean(([x, y]) => (x - middleX) * (y - middleY)) / mean(([x]) => (x - middleX) ** 2)
}
