import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { FixtureFiles } from '#fleet/machine/testing/fixture-tasks.ts'
import type { JobReport } from '#shared/harbor/episode-report.ts'
import { readJobFolder } from '#shared/harbor/read-job.ts'
import type { TreeFile } from '#shared/solvers/machine.ts'
import { CannotCompare, createEnvironment } from './python-environment.ts'

/** What is installed where Harbor is not named. */
export const harborPin = 'harbor==0.25.0'

/** Harbor as a program on this machine. */
export type Harbor = {
  title: string
  /** Runs a folder of tasks and gives the job that Harbor wrote; null where it refused to begin. `say`: what it said. */
  run(
    tasks: string,
    worker: 'oracle' | 'nop',
    options: { attempts: number; width: number },
  ): Promise<{ job: JobReport | null; said: string }>
}

const cacheOf = (root: string): string => join(root, 'node_modules/.cache', harborPin.replace('==', '-'))
const root = resolve(import.meta.dirname, '../..')

/**
 * Harbor from the environment that is named, from the one that an earlier comparison left, or newly installed there: without the pin of its certificates, which is
 * newer than indexes have, and only where `installs`. Throws `CannotCompare` where it cannot be had, or where Docker or its Compose plugin cannot.
 */
export async function openHarbor(source: string | undefined, { installs }: { installs: boolean }): Promise<Harbor> {
  for (const argv of [['version'], ['compose', 'version']]) {
    const { status } = spawnSync('docker', argv, { stdio: 'ignore', timeout: 30_000 })
    if (status !== 0)
      throw new CannotCompare(`"docker ${argv.join(' ')}" does not work: Harbor needs Docker and its Compose plugin, version 2`)
  }
  const folder = source ? resolve(source) : cacheOf(root)
  if (!existsSync(programIn(folder))) {
    if (source) throw new CannotCompare(`${folder} is no environment of Python with the program harbor`)
    if (!installs) throw new CannotCompare('it is not installed here: "npm run parity -- harbor" does that, or --source names where it is')
    install(folder)
  }
  return { title: source ?? harborPin, run: (tasks, worker, options) => runJob(programIn(folder), tasks, worker, options) }
}

const programIn = (folder: string): string => join(folder, 'bin/harbor')

function install(folder: string): void {
  const environment = createEnvironment(folder, 12)
  const own = environment.install('--no-deps', harborPin)
  if (!own.ok) throw new CannotCompare(`pip could not install ${harborPin}, which needs Python 3.12: ${own.detail}`)
  const about = readdirSync(environment.packages).find((name) => /^harbor-.*\.dist-info$/.test(name))
  const needs = readFileSync(join(environment.packages, about ?? '', 'METADATA'), 'utf8')
    .split('\n')
    .flatMap((line) => /^Requires-Dist: ([^;]+)(;.*)?$/.exec(line) ?? [])
    .filter((_, index, all) => index % 3 === 1 && !/extra\s*==/.test(all[index + 1] ?? ''))
    .map((need) => (need.startsWith('certifi') ? 'certifi' : need.trim()))
  const others = environment.install(...needs)
  if (!others.ok) throw new CannotCompare(`pip could not install what ${harborPin} needs: ${others.detail}`)
}

async function runJob(program: string, tasks: string, worker: string, { attempts, width }: { attempts: number; width: number }) {
  const jobs = await mkdtemp(join(tmpdir(), 'bench-harbor-jobs-'))
  try {
    const argv = [
      'run',
      '-p',
      tasks,
      '-a',
      worker,
      '-k',
      String(attempts),
      '-n',
      String(width),
      '--jobs-dir',
      jobs,
      '--job-name',
      'job',
      '-y',
      '-q',
    ]
    // Images are built by Docker itself, as hosts without buildx do; no list of prices is fetched.
    const env = { ...process.env, DOCKER_BUILDKIT: '0', LITELLM_LOCAL_MODEL_COST_MAP: 'True' }
    const said = await promisify(execFile)(program, argv, { env, maxBuffer: 2 ** 26 }).then(
      ({ stdout, stderr }) => stdout + stderr,
      (error: { stdout?: string; stderr?: string; message: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}` || error.message,
    )
    const folder = join(jobs, 'job')
    if (!existsSync(join(folder, 'result.json'))) return { job: null, said }
    const read = readJobFolder('job', treeAt(folder))
    if (!read.ok) throw new Error(`Harbor's job cannot be read: ${JSON.stringify(read.problems)}`)
    if (read.problems.length > 0) throw new Error(`an episode of Harbor's job cannot be read: ${JSON.stringify(read.problems)}`)
    return { job: read.job, said }
  } finally {
    await rm(jobs, { recursive: true, force: true })
  }
}

/** What says how a job and its trials went. */
function treeAt(folder: string): TreeFile[] {
  const names = readdirSync(folder, { recursive: true }) as string[]
  return names
    .filter((name) => /^(?:[^/]+\/)?(?:config|lock|result)\.json$/.test(name))
    .map((path) => ({ path, mode: 0o644, bytes: readFileSync(join(folder, path)) }))
}

/** Writes tasks as folders below `folder`. */
export async function writeTasks(folder: string, tasks: readonly { name: string; files: FixtureFiles }[]): Promise<void> {
  for (const { name, files } of tasks) {
    for (const [path, text] of Object.entries(files)) {
      if (text === undefined) continue
      const file = join(folder, name, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text, { mode: path.endsWith('.sh') ? 0o755 : 0o644 })
    }
  }
}
