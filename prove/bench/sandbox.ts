import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { OpenedHost } from '#fleet/sandbox/sandbox-host.ts'
import { sandboxHosts } from '#fleet/sandbox/sandbox-hosts.ts'
import type { Sandbox, SandboxSpec } from '#shared/solvers/sandbox.ts'

const usage = `npm run bench -- sandbox [options]

  --rounds 100        how often each is measured
  --python PATH       the Python that starts inside and beside`

const options = { rounds: { type: 'string', default: '100' }, python: { type: 'string', default: '/usr/bin/python3' } } as const
const spec: SandboxSpec = { image: null, cpus: 1, memory_mb: 256, disk_mb: 64, network: false }
const never = new AbortController().signal

/** How long it takes to open and close a sandbox of every kind that is there and to run small commands in an open one, beside the bare commands. */
export async function sandbox(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) {
    console.error(usage)
    return 2
  }
  const commands = [['true'], [values.python, '-c', 'pass']] as [string, ...string[]][]
  console.log(`${rounds} rounds each, in milliseconds; load of this machine before: ${loadavg()[0]!.toFixed(1)}\n`)
  console.log(`${'what'.padEnd(44)}${'median'.padStart(8)}${'p95'.padStart(8)}`)
  for (const argv of commands) await measure(`bare: ${argv.join(' ')}`, rounds, () => bare(argv))
  const hosts = sandboxHosts(process.env).filter((host) => host.absence() === null)
  if (hosts.length === 0) console.log('no kind of sandbox is there')
  for (const { kind, create } of hosts) await measureHost(kind, await create(), commands, rounds)
  return 0
}

async function measureHost(kind: string, host: OpenedHost, commands: [string, ...string[]][], rounds: number): Promise<void> {
  const open = async (): Promise<Sandbox & AsyncDisposable> => {
    const outcome = await host.open(spec, never)
    if (!outcome.ok) throw new Error(`${kind}: ${outcome.failure.detail}`)
    return outcome.value
  }
  await measure(`${kind}: open`, rounds, open, (box) => box[Symbol.asyncDispose]())
  const boxes = await Promise.all(Array.from({ length: Math.min(rounds, 20) }, open))
  await measure(`${kind}: close`, boxes.length, async () => boxes.pop()![Symbol.asyncDispose]())
  const box = await open()
  for (const argv of commands)
    await measure(`${kind}: ${argv.join(' ')}`, rounds, async () => {
      const { end, exit_code } = await box.exec({ argv, timeout_ms: 60_000, output_bytes: 1000 })
      if (end !== 'exited' || exit_code !== 0) throw new Error(`${kind}: ${argv.join(' ')} ended as ${end} ${exit_code}`)
    })
  await box[Symbol.asyncDispose]()
  await host.close()
}

/** Started as a program of Node's starts one, without anything around it. */
async function bare([file, ...args]: [string, ...string[]]): Promise<void> {
  const [code] = await once(spawn(file, args), 'close')
  if (code !== 0) throw new Error(`${file} ended with ${code}`)
}

/** Runs something one after the other and prints how long it took; `after` is not measured. */
async function measure<T>(what: string, rounds: number, run: () => Promise<T>, after?: (value: T) => PromiseLike<void>): Promise<void> {
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    const fromMs = performance.now()
    const value = await run()
    took.push(performance.now() - fromMs)
    await after?.(value)
  }
  took.sort((a, b) => a - b)
  const at = (part: number): string => took[Math.min(took.length - 1, Math.floor(part * took.length))]!.toFixed(1).padStart(8)
  console.log(`${what.padEnd(44)}${at(0.5)}${at(0.95)}`)
}
