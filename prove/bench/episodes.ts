import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { createMachines } from '#fleet/machine/open-machines.ts'
import { ensureMachineImage, machineImage } from '#fleet/machine/testing/machine-image.ts'
import type { Outcome } from '#shared/contract/failure.ts'
import { runEpisode } from '#shared/episode/run-episode.ts'
import { scoreEpisode } from '#shared/episode/score-episode.ts'
import { oracle } from '#shared/episode/worker.ts'
import { loadTask } from '#shared/harbor/load-task.ts'
import type { HarborTask } from '#shared/harbor/task.ts'
import { tree } from '#shared/harbor/testing/task-files.ts'
import type { Kit } from '#shared/solvers/kit.ts'
import { scriptedKit } from '#shared/solvers/testing/scripted-kit.ts'
import { CannotCompare } from '../parity/python-environment.ts'
import { openHarbor, writeTasks } from '../parity/run-harbor.ts'

const usage = `npm run bench -- episodes [options]

  --episodes 750   oracle episodes of a trivial task
  --width 4        episodes at once
  --bare 100       episodes of the bare loop: docker run -d, two docker exec, docker rm -f; 0 leaves it out
  --harbor 24      episodes of the same task by Harbor 0.25.0, as many at once, where it is installed; 0 leaves it out
  --source FOLDER  the environment of Python that has Harbor, in place of the one that "npm run parity -- harbor" made`

const options = {
  episodes: { type: 'string', default: '750' },
  width: { type: 'string', default: '4' },
  bare: { type: 'string', default: '100' },
  harbor: { type: 'string', default: '24' },
  source: { type: 'string' },
} as const
const never = new AbortController().signal

/**
 * Oracle episodes of a trivial task on this machine's Docker engine: machine, solution, tests, reward, as an agent runs them; beside them the fewest
 * commands of Docker that could do it, and Harbor. Fails where an episode is not right or anything is left behind.
 */
export async function episodes(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const [count, width, bare, harbor] = [values.episodes, values.width, values.bare, values.harbor].map(Number) as [
    number,
    number,
    number,
    number,
  ] // one for each
  if (![count, width, bare, harbor].every(Number.isInteger) || count < 1 || width < 1 || bare < 0 || harbor < 0) {
    console.error(usage)
    return 2
  }
  const missing = await ensureMachineImage()
  if (missing !== null) throw new Error(missing)
  const before = await leftOvers()
  const machines = await createMachines({ room: { cpus: 100_000, memory_mb: 100_000_000 } })
  const task = trivialTask()
  const took: number[] = []
  const memory: number[] = []
  const oracles = async (): Promise<void> => {
    const from = performance.now()
    await once(task, machines.open)
    took.push(performance.now() - from)
    if (took.length % Math.ceil(count / 10) === 0) memory.push(Math.round(process.memoryUsage.rss() / 1024 ** 2))
  }
  // In turns, as a machine that others share is not as fast in one minute as in the next.
  const [floor, ours] = [{ ...unspent }, { ...unspent }]
  const rounds = Math.max(1, Math.min(mostRounds, bare, count))
  for (let round = 0; round < rounds; round++) {
    await spend(floor, shareOf(bare, round, rounds), width, bareEpisode)
    await spend(ours, shareOf(count, round, rounds), width, oracles)
  }
  await machines.close()
  const rate = count / ours.seconds
  if (bare > 0) console.log(`bare loop: ${bare} episodes, ${width} at once: ${(bare / floor.seconds).toFixed(2)} episodes/s`)
  took.sort((a, b) => a - b)
  const at = (part: number): string => `${(took[Math.min(took.length - 1, Math.floor(part * took.length))]! / 1000).toFixed(2)} s`
  console.log(`episodes: ${count}, ${width} at once: ${rate.toFixed(2)} episodes/s, median ${at(0.5)}, p95 ${at(0.95)}`)
  console.log(`memory of this process, MiB, ten times: ${memory.join(' ')}`)
  const cpu = (one: Spent, times: number): string => `${(one.cpu_ms / times).toFixed(0)} ms`
  if (bare > 0)
    console.log(
      `time of an episode: ${(bare / floor.seconds / rate).toFixed(2)} times that of the bare loop (1.5 wanted); all processors together were busy ${cpu(ours, count)}, with the bare loop ${cpu(floor, bare)}`,
    )
  await besideHarbor(harbor, width, rate, values.source)
  const left = (await leftOvers()).filter((one) => !before.includes(one))
  console.log(left.length === 0 ? 'nothing is left: no container, network or volume' : `left behind: ${left.join(', ')}`)
  return left.length === 0 ? 0 : 1
}

async function once(task: HarborTask, open: Awaited<ReturnType<typeof createMachines>>['open']): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const kept: Outcome<never> = { ok: true, value: undefined as never } // nobody reads what was kept
  const kit: Kit = {
    ...scriptedKit({}),
    now: () => performance.now(),
    async machine(spec) {
      const machine = await open(spec, never)
      return machine.ok ? { ok: true, value: opened.use(machine.value) } : machine
    },
    keep: async () => kept,
  }
  const done = await runEpisode(task, oracle, kit, { multiplier: 1, given: new Map() })
  if (!done.ok) throw new Error(done.failure.detail)
  const { value, explanation } = scoreEpisode(done.value)
  if (value !== 1) throw new Error(`an episode was not right: ${explanation}`)
}

/** Episodes a second of the same task by Harbor, from the beginning of its job to the end: what it takes to start is left out. */
async function besideHarbor(count: number, width: number, ours: number, source: string | undefined): Promise<void> {
  if (count === 0) return
  const folder = await mkdtemp(join(tmpdir(), 'bench-harbor-task-'))
  try {
    const harbor = await openHarbor(source, { installs: false })
    // With an image of its own, which it would have to build first, Harbor closes the network.
    const files = { ...trivialFiles, 'task.toml': trivialFiles['task.toml'].replace('no-network', 'public') }
    await writeTasks(folder, [{ name: 'echo-file', files }])
    const { job, said } = await harbor.run(folder, 'oracle', { attempts: count, width })
    const right = job?.episodes.filter(({ rewards }) => rewards?.reward === 1).length ?? 0
    if (!job?.finished_at || right !== count) throw new Error(`Harbor solved ${right} of ${count}: ${said.slice(-2000)}`)
    const theirs = count / ((Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1000)
    console.log(
      `Harbor: ${count} episodes, ${width} at once: ${theirs.toFixed(2)} episodes/s; ours are ${(ours / theirs).toFixed(1)} times as many (8 wanted)`,
    )
  } catch (error) {
    if (!(error instanceof CannotCompare)) throw error
    console.log(`Harbor is left out: ${error.message}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const trivialFiles = {
  'task.toml': `version = "1.0"\n[environment]\ndocker_image = "${machineImage}"\nnetwork_mode = "no-network"\nworkdir = "/app"\n`,
  'instruction.md': 'Write hello into /app/hello.txt.\n',
  'solution/solve.sh': '#!/bin/bash\necho hello > /app/hello.txt\n',
  'tests/test.sh':
    '#!/bin/bash\ngrep -qx hello /app/hello.txt && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n',
}

/** A task that one command solves and one checks. */
function trivialTask(): HarborTask {
  const loaded = loadTask('echo-file', tree(trivialFiles))
  if (!loaded.ok) throw new Error(loaded.problems.map(({ text }) => text).join('; '))
  return loaded.task
}

/** The fewest commands that start a container, do two things in it and remove it. */
async function bareEpisode(): Promise<void> {
  const docker = (...argv: string[]) => promisify(execFile)('docker', argv)
  const { stdout } = await docker('run', '-d', '--network', 'none', machineImage, 'sleep', 'infinity')
  const id = stdout.trim()
  await docker('exec', id, 'bash', '-c', 'echo hello > /app/hello.txt')
  await docker('exec', id, 'bash', '-c', 'grep -qx hello /app/hello.txt')
  await docker('rm', '-f', id)
}

/** How often the two take turns. */
const mostRounds = 5
/** What episodes took: time, and time of all processors of this machine. */
type Spent = { seconds: number; cpu_ms: number }
const unspent: Spent = { seconds: 0, cpu_ms: 0 }

/** How many of `all` come in one of so many rounds. */
const shareOf = (all: number, round: number, rounds: number): number =>
  Math.floor((all * (round + 1)) / rounds) - Math.floor((all * round) / rounds)

/** Runs so many episodes, so many at once, and adds what that took. */
async function spend(spent: Spent, count: number, width: number, episode: () => Promise<void>): Promise<void> {
  let next = 0
  const [began, busy] = [performance.now(), busyMs()]
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next++ < count) await episode()
    }),
  )
  spent.seconds += (performance.now() - began) / 1000
  spent.cpu_ms += busyMs() - busy
}

const busyMs = (): number => cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)

/** Everything at the engine that an episode could leave. */
async function leftOvers(): Promise<string[]> {
  const list = async (what: string, ...argv: string[]): Promise<string[]> => {
    const { stdout } = await promisify(execFile)('docker', argv)
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((id) => `${what} ${id.slice(0, 12)}`)
  }
  const found = await Promise.all([
    list('container', 'ps', '-aq'),
    list('network', 'network', 'ls', '-q'),
    list('volume', 'volume', 'ls', '-q'),
  ])
  return found.flat()
}
