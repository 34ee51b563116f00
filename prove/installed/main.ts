import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writePackage } from '../../fleet/package/write-package.ts'
import { CatalogueTask, solvedWorkspace, type CatalogueTask as Task } from '../../shared/benchmarks/code_tasks/catalogue-task.ts'
import { diffAnswer } from '../../shared/benchmarks/code_tasks/diff-answer.ts'
import { catalogueCheat } from '../cheats/code-tasks.ts'
import { readValues, verdictsOf } from './verdicts.ts'

/**
 * `npm run prove -- installed`: installs the packaged program for all users, in mounts of its own, and lets it run every task of the catalogue twice: with
 * the reference solution, which has to pass, and with a program that reads the expected values out of the installed package, which has to fail. Needs root.
 */
const { values } = parseArgs({ options: { at: { type: 'string', multiple: true }, keep: { type: 'boolean' } } })
const places = values.at ?? ['/usr/lib/node_modules', '/usr/local/lib/node_modules']
const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'bench-installed-'))
const catalogue = readFileSync(join(root, 'shared/benchmarks/code_tasks/catalogue.jsonl'), 'utf8')
const tasks = catalogue
  .trimEnd()
  .split('\n')
  .map((line) => CatalogueTask.parse(JSON.parse(line)))

const program = await install()
let bad = 0
for (const place of places) bad += await prove(place)
if (!values.keep) rmSync(folder, { recursive: true })
process.exitCode = bad > 0 ? 1 : 0

/** Packs the program and installs it below a prefix; gives the prefix's folder of packages. */
async function install(): Promise<string> {
  const dir = join(folder, 'package')
  mkdirSync(dir)
  await writePackage(root, dir)
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', dir, '--json', '--silent', '--pack-destination', folder], { encoding: 'utf8' }),
  ) as [{ filename: string }] // npm's own answer for the one folder it was given
  execFileSync('npm', ['install', '-g', '--offline', '--silent', '--prefix', join(folder, 'prefix'), join(folder, filename)])
  return join(folder, 'prefix', 'lib', 'node_modules')
}

/** Runs the tasks with the package at a place; gives how many verdicts are not as they should be. */
async function prove(place: string): Promise<number> {
  const data = join(folder, place.replaceAll('/', '_'))
  mkdirSync(data)
  const answer = (task: Task, epoch: number, text: string) =>
    JSON.stringify({ benchmark: 'code_tasks', item: task.task_id, by: 'key', epoch, texts: [text] })
  const lines = tasks.flatMap((task) => [
    answer(task, 0, diffAnswer(task.workspace, solvedWorkspace(task))),
    answer(task, 1, catalogueCheat(task)),
  ])
  writeFileSync(join(data, 'answers.jsonl'), `${lines.join('\n')}\n`)
  const bench = join(place, 'chutes-bench-runner', 'bench.mjs')
  const argv = ['run', '--local', '-b', 'code_tasks', '--response-file', 'answers.jsonl', '--epochs', '2', '--out', 'runs', '--json']
  const child = spawn('unshare', ['-m', 'sh', '-c', mountsFor(place), 'sh', process.execPath, bench, ...argv], {
    cwd: data,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, BENCH_DATA: join(data, 'state') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (part) => {
    said += String(part)
  })
  await once(child, 'close')
  const { passed, refused, wrong } = verdictsOf(
    tasks.map(({ task_id }) => task_id),
    readValues(join(data, 'runs')),
  )
  console.log(`${place}: ${passed} of ${tasks.length} reference solutions pass, ${refused} of ${tasks.length} refuse the cheat`)
  for (const line of wrong) console.log(`  ${line}`)
  if (wrong.length > 0) console.log(said.slice(-2000))
  return wrong.length
}

/** Commands of the shell that put the package at a place without a change of this machine: what lies beside it is bound into a folder in memory. */
function mountsFor(place: string): string {
  const above = join(place, '..')
  const name = place.slice(above.length + 1)
  return `set -e; t=${folder}/mount; mkdir -p $t; if [ -d ${place} ]; then mount --bind ${program} ${place}; else
mount -t tmpfs none $t; for f in $(ls -A ${above}); do if [ -d ${above}/$f ]; then mkdir $t/$f; else : > $t/$f; fi; mount --bind ${above}/$f $t/$f; done
mkdir $t/${name}; mount --bind ${program} $t/${name}; mount --rbind $t ${above}; fi; exec "$@"`
}
