import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createDocker } from '#fleet/sandbox/docker/open-docker.ts'
import { testImage } from '#fleet/sandbox/docker/testing/base-image.ts'
import type { OpenedHost } from '#fleet/sandbox/sandbox-host.ts'
import { sandboxHosts } from '#fleet/sandbox/sandbox-hosts.ts'
import type { Sandbox, SandboxSpec } from '#shared/solvers/sandbox.ts'
import { measureCoreUse } from './core-use.ts'

const usage = `npm run bench -- sandbox [options]

  --rounds 100        how often each is measured
  --python PATH       the Python that starts inside and beside
  --image NAME        the image of Docker's sandboxes, never pulled (BENCH_SANDBOX_IMAGE, else ${testImage})
  --programs 200      programs of LiveCodeBench's form that use the cores; 0 leaves them out
  --steps 2000000     how far each counts, in each of its three tests
  --cores N           cores that are reserved for them (all of the machine's)`

const options = {
  rounds: { type: 'string', default: '100' },
  python: { type: 'string', default: '/usr/bin/python3' },
  image: { type: 'string', default: process.env.BENCH_SANDBOX_IMAGE ?? testImage },
  programs: { type: 'string', default: '200' },
  steps: { type: 'string', default: '2000000' },
  cores: { type: 'string', default: String(availableParallelism()) },
} as const
const spec: SandboxSpec = { image: null, cpus: 1, memory_mb: 256, disk_mb: 64, network: false }
type Numbers = [number, number, number, number]
type Command = readonly [string, ...string[]]
const never = new AbortController().signal

/**
 * How long it takes to open and close a sandbox of every kind that is there and to run small commands in an open one, beside the bare commands; for
 * Docker also a container of its own for one command; then how much of the reserved cores programs in sandboxes use.
 */
export async function sandbox(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const [rounds, programs, steps, cores] = ([values.rounds, values.programs, values.steps, values.cores] as const).map(Number) as Numbers // one for each
  if (![rounds, programs, steps, cores].every(Number.isInteger) || Math.min(rounds, steps, cores) < 1 || programs < 0) {
    console.error(usage)
    return 2
  }
  const commands: Command[] = [['true'], [values.python, '-c', 'pass']]
  console.log(`${rounds} rounds each, in milliseconds; load of this machine before: ${loadavg()[0]!.toFixed(1)}\n`)
  console.log(`${'what'.padEnd(44)}${'median'.padStart(8)}${'p95'.padStart(8)}`)
  for (const argv of commands) await measure(`bare: ${argv.join(' ')}`, rounds, () => bare(argv))
  process.env.BENCH_SANDBOX_IMAGE = values.image // where Docker's sandboxes look for it
  const hosts = sandboxHosts(process.env).filter((host) => host.absence() === null)
  if (hosts.length === 0) console.log('no kind of sandbox is there')
  for (const { kind, create } of hosts) await measureHost(kind, await create(), commands, rounds)
  if (hosts.some(({ kind }) => kind === 'docker')) await measureCold(commands, rounds)
  if (programs > 0) {
    if (hosts.some(({ kind }) => kind === 'bwrap')) await measureCoreUse({ cores, programs, steps, python: values.python })
    else console.log('no core use is measured without bubblewrap')
  }
  return 0
}

async function measureHost(kind: string, host: OpenedHost, commands: Command[], rounds: number): Promise<void> {
  const first = await host.open(spec, never)
  if (!first.ok) {
    console.log(`${kind}: not measured: ${first.failure.detail}`)
    return void (await host.close())
  }
  await first.value[Symbol.asyncDispose]()
  const open = () => openIn(host)
  await measure(`${kind}: open`, rounds, open, (box) => box[Symbol.asyncDispose]())
  const boxes = await Promise.all(Array.from({ length: Math.min(rounds, 20) }, open))
  await measure(`${kind}: close`, boxes.length, async () => boxes.pop()![Symbol.asyncDispose]())
  const box = await open()
  for (const argv of commands) await measure(`${kind}: ${argv.join(' ')}`, rounds, () => execIn(box, argv))
  await box[Symbol.asyncDispose]()
  await host.close()
}

/** Containers of which none is ready: one is made, runs the command, and is removed when the clock has stopped. */
async function measureCold(commands: Command[], rounds: number): Promise<void> {
  const host = await createDocker({ warm: 0 })
  if (
    (await openIn(host).then(
      (box) => box[Symbol.asyncDispose]().then(() => true),
      () => false,
    )) === false
  )
    return host.close()
  for (const argv of commands) {
    const once = async () => {
      const box = await openIn(host)
      await execIn(box, argv)
      return box
    }
    await measure(`docker, cold: open, ${argv.join(' ')}`, rounds, once, (box) => box[Symbol.asyncDispose]())
  }
  await host.close()
}

async function openIn(host: OpenedHost): Promise<Sandbox & AsyncDisposable> {
  const outcome = await host.open(spec, never)
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  return outcome.value
}

async function execIn(box: Sandbox, argv: Command): Promise<void> {
  const { end, exit_code } = await box.exec({ argv, timeout_ms: 60_000, output_bytes: 1000 })
  if (end !== 'exited' || exit_code !== 0) throw new Error(`${argv.join(' ')} ended as ${end} ${exit_code}`)
}

/** Started as a program of Node's starts one, without anything around it. */
async function bare([file, ...args]: Command): Promise<void> {
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
