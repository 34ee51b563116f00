import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { createLanes } from '#fleet/lanes/lanes.ts'
import { createBubblewrap } from '#fleet/sandbox/bubblewrap/open-bubblewrap.ts'
import { roomOf } from '#fleet/sandbox/sandbox-room.ts'
import { createSandboxes } from '#fleet/trial/open-sandbox.ts'
import type { SandboxesOfKind } from '#fleet/trial/resources.ts'
import { framesOf } from '#shared/benchmarks/livecodebench/frames.ts'
import { HiddenTests } from '#shared/benchmarks/livecodebench/hidden-tests.ts'
import { lcbSandbox } from '#shared/benchmarks/livecodebench/lcb-sandbox.ts'
import { testSeconds } from '#shared/benchmarks/livecodebench/run-program.ts'
import { runner } from '#shared/benchmarks/livecodebench/runner.ts'
import task from '#shared/benchmarks/livecodebench/task.ts'
import { listRows } from '#shared/benchmarks/rows.ts'
import { type OpenedTask, openTask } from '#shared/benchmarks/task.ts'
import { noTables } from '#shared/scorers/tables.ts'
import { scriptedKit } from '#shared/solvers/testing/scripted-kit.ts'
import { countingProblem, countingProgram } from './cpu-bound-programs.ts'
import { costOf, costOfTree, machineCost } from './process-cost.ts'

/** CPU time of processes that were started and have ended, of this process, of others, and the time it took, all in milliseconds. */
export type CoreUse = { children_ms: number; own_ms: number; others_ms: number; wall_ms: number }

const never = new AbortController().signal
/** Share of the reserved cores that sandboxes are to use. */
const wanted = 0.9
/** Memory of the lane, in MB: more than all sandboxes at once ask for, so that cores alone bound them. */
const plenty = { memory_mb: 1_000_000, disk_mb: 1_000_000 }

/**
 * How much of the cores that are reserved for sandboxes is used by so many right programs of LiveCodeBench's form, through the real solver, the agent's
 * lanes and bubblewrap, beside a bare loop that gives the same programs to the same runner without a sandbox, as many at once. Throws when a program is
 * not right, or cannot be tested.
 */
export async function measureCoreUse({ cores, programs, python }: { cores: number; programs: number; python: string }): Promise<void> {
  const rows = { test: listRows(Array.from({ length: programs }, (_, number) => countingProblem(number))) }
  const opened = await openTask(task, { profile: task.card.profiles.find(({ id }) => id === 'builtin')!, texts: {}, rows })
  const bare = await usedBy(() => inTurns(programs, cores, (index) => runBare(opened, index, python)))
  const boxed = await usedBy(() => runBoxed(opened, cores))
  const share = shareOf(boxed, cores)
  console.log(`\nLiveCodeBench fixture of ${programs} programs on ${cores} reserved cores`)
  console.log(
    `${'what'.padEnd(44)}${'s'.padStart(8)}${'CPU s'.padStart(8)}${'cores'.padStart(8)}${'others'.padStart(8)}${'Node'.padStart(8)}`,
  )
  console.log(lineOf('bare loop, no sandbox', bare, cores))
  console.log(lineOf('solver, lanes and bubblewrap', boxed, cores))
  console.log(
    `LiveCodeBench fixture of ${programs} programs uses ≥ ${percent(wanted)} of the reserved cores: ${share >= wanted ? 'yes' : 'no'}, ${percent(share)}, the programs alone ${percent(shareOf({ ...boxed, children_ms: bare.children_ms }, cores))}; bare loop ${percent(shareOf(bare, cores))}`,
  )
}

const shareOf = ({ children_ms, wall_ms }: CoreUse, cores: number): number => children_ms / (wall_ms * cores)
const percent = (share: number): string => `${Math.round(share * 100)} %`

function lineOf(what: string, use: CoreUse, cores: number): string {
  const seconds = [use.wall_ms, use.children_ms].map((ms) => (ms / 1000).toFixed(1).padStart(8))
  const machine = (ms: number): string => percent(ms / (use.wall_ms * availableParallelism())).padStart(8)
  return `${what.padEnd(44)}${seconds.join('')}${percent(shareOf(use, cores)).padStart(8)}${machine(use.others_ms)}${machine(use.own_ms)}`
}

/** What is done meanwhile, by the kernel's count; children count when they have ended, with all that they had started. */
async function usedBy(work: () => Promise<void>): Promise<CoreUse> {
  const read = () => {
    const own = costOf(process.pid).cpu_us
    return { own, children: costOfTree([process.pid]).cpu_us - own, machine: machineCost().busy_us, at: performance.now() }
  }
  const before = read()
  await work()
  const after = read()
  const [own_ms, children_ms, machine_ms] = (['own', 'children', 'machine'] as const).map(
    (name) => (after[name] - before[name]) / 1000,
  ) as [number, number, number] // one for each name
  return { own_ms, children_ms, others_ms: Math.max(0, machine_ms - own_ms - children_ms), wall_ms: after.at - before.at }
}

/** Does all of `count`, so many at once. */
async function inTurns(count: number, width: number, work: (index: number) => Promise<void>): Promise<void> {
  const left = Array.from({ length: count }, (_, index) => index).values()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const index of left) await work(index)
    }),
  )
}

/** One process of the runner for all tests of a program, as in a sandbox. */
async function runBare(opened: OpenedTask, index: number, python: string): Promise<void> {
  const { inputs, outputs, fn_name } = HiddenTests.parse(await opened.hidden!(index))
  const child = spawn(python, ['-I', '-B', '-X', 'utf8', '-c', runner], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify({ nonce: 'bare', program: countingProgram, fn_name, inputs, seconds: testSeconds }))
  const [said] = await Promise.all([text(child.stdout), once(child, 'close')])
  const written = framesOf(new TextEncoder().encode(said), 'bare').flatMap((frame) => (frame.type === 'wrote' ? [frame.output] : []))
  if (written.join() !== outputs.join()) throw new Error(`program ${index} wrote something else in the bare loop: ${said.slice(0, 500)}`)
}

/** All trials begin at once; only the lane bounds them. */
async function runBoxed(opened: OpenedTask, cores: number): Promise<void> {
  const provider = await createBubblewrap()
  const sandboxes: SandboxesOfKind[] = [{ kind: 'bwrap', lane: 'sandbox', provider }]
  const lanes = createLanes({ calls: 1, sandbox: roomOf({ kinds: ['bwrap'], cpus: cores, ...plenty }) }).of('bench')
  const solve = task.solver('builtin', {})
  const trial = async (index: number): Promise<void> => {
    await using boxes = new AsyncDisposableStack()
    const sandbox = createSandboxes({ sandboxes, lanes }, ['bwrap'], boxes, () => () => undefined, never)
    const item = await opened.item(index, 0)
    const answer = `\`\`\`python\n${countingProgram}\n\`\`\``
    const hidden = async () => ({ ok: true as const, value: await opened.hidden!(index) })
    const solved = await solve(item, { ...scriptedKit({ model: [answer] }), now: () => performance.now(), hidden, sandbox })
    if (!solved.ok) throw new Error(solved.failure.detail)
    const { value, explanation } = task.score(item, solved.value, 'builtin', noTables)
    if (value !== 1) throw new Error(`program ${index} in a sandbox: ${explanation}`)
  }
  await Promise.all(Array.from({ length: opened.count }, (_, index) => trial(index)))
  provider.close()
}
