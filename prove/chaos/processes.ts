import { readdirSync, readFileSync } from 'node:fs'

/** What can be struck; `host` takes workerd along, `database` PostgreSQL, and without its supervisor nothing that ends comes back. */
export const parts = ['agent', 'workerd', 'host', 'postgres', 'database', 'supervisor'] as const
export type PartName = (typeof parts)[number]

type Process = { pid: number; parent: number; args: string[] }

const programs: Record<PartName, (args: string[]) => boolean> = {
  agent: (args) => args.some((arg) => arg.endsWith('/agent.mjs')),
  host: (args) => args.some((arg) => arg.endsWith('/edge/local/host.ts')),
  database: (args) => args.some((arg) => arg.endsWith('/edge/local/database.ts')),
  supervisor: (args) => args.some((arg) => arg.endsWith('/edge/local/supervise.ts')),
  workerd: ([file = '']) => /(^|\/)workerd$/.test(file),
  // The postmaster is started with its settings; its backends show a title instead.
  postgres: ([file = '', ...args]) => /(^|\/)postgres$/.test(file) && args.includes('-D'),
}

/** Every living process that descends from `root`, itself included. Reads /proc, so Linux only. */
export function descendants(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
  const found = all.filter(({ pid }) => pid === root)
  for (let at = 0; at < found.length; at++) found.push(...all.filter(({ parent }) => parent === found[at]!.pid))
  return found
}

/** The process that is this part of the system started as `root`; undefined while it is away. */
export function findPart(root: number, part: PartName): number | undefined {
  return descendants(root).find(({ args }) => programs[part](args))?.pid
}

/** Whether a process exists and is no zombie. */
export function isAlive(pid: number): boolean {
  return readProcess(pid) !== undefined
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return undefined
    return { pid, parent: Number(parent), args: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') }
  } catch {
    return undefined
  }
}
