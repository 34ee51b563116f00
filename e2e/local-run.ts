import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { StreamedEvent } from '#shared/contract/event.ts'
import { TrialRecord } from '#shared/contract/trial.ts'

/** A command line that runs, with an agent of its own where it runs trials. */
export type BenchRun = { pid: number; ended: Promise<{ code: number | null; out: string; err: string }> }

/** Starts the command line of a checkout with this environment and no other but the path of programs. */
export function startBench(checkout: string, args: readonly string[], env: Record<string, string>): BenchRun {
  const child = spawn(process.execPath, [join(checkout, 'fleet/cli/bench.ts'), ...args], {
    cwd: checkout,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { pid: child.pid!, ended: ended.then(([[code], out, err]) => ({ code: code as number | null, out, err })) }
}

/** Processes of this machine that sleep for so many seconds, as nobody else does. */
export const sleeping = (seconds: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${seconds}\0`
    } catch {
      return false // it ended meanwhile, or is no process
    }
  })

/** What a program prints, by lines. */
export const linesOf = (program: string, ...args: string[]): string[] =>
  spawnSync(program, args).stdout.toString().split('\n').filter(Boolean)

/** All containers that an agent made: its process, their names and their ids. */
export function containersOf(pid: number): string[] {
  const columns = '{{.Label "chutes-bench.process"}} {{.Names}} {{.ID}}'
  return linesOf('docker', 'ps', '--all', '--no-trunc', '--format', columns).filter((line) => line.startsWith(`${pid} `))
}

/** What the machine has of containers of these ids: mounts and control groups. */
export function tracesOf(ids: readonly string[]): string[] {
  const seen = [...readFileSync('/proc/self/mountinfo', 'utf8').split('\n'), ...linesOf('find', '/sys/fs/cgroup', '-type', 'd')]
  return seen.filter((line) => ids.some((id) => line.includes(id)))
}

/** The folder of the only run below another. */
export const onlyRun = (out: string): string =>
  join(out, readdirSync(out, { withFileTypes: true }).find((entry) => entry.isDirectory())!.name)

/** What a run that was asked for in JSON said last. */
export const lastSaid = (out: string): unknown => JSON.parse(out.trim().split('\n').at(-1)!)

/** A run's records, and the ordinals of all results that its events tell, in order. */
export function resultsOf(folder: string): { records: TrialRecord[]; told: number[] } {
  const records = jsonLines(join(folder, 'records.jsonl')).map((line) => TrialRecord.parse(line))
  const events = jsonLines(join(folder, 'events.jsonl')).map((line) => StreamedEvent.parse(line))
  const results = events.filter(({ event_type }) => event_type === 'benchmark_progress').flatMap(({ data }) => data.results)
  return { records, told: (results as { ordinal: number }[]).map(({ ordinal }) => ordinal).sort((a, b) => a - b) }
}

const jsonLines = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
