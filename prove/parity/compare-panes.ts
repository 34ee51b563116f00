import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readPane } from '#shared/terminal-bench-1/read-pane.ts'
import { drawnPanes, type Pane } from './panes-terminal-bench.ts'
import { CannotCompare, createEnvironment } from './python-environment.ts'

const official = 'terminal-bench==0.2.18'

/** The verdicts of a pane by Terminal-Bench, or the exception that it raised. */
export type PaneReading = { tests: Record<string, string> } | { raised: string }
export type PaneTally = { compared: number; untold: number; disagreements: Pane[] }

/** Our verdicts beside official ones. A summary without tests is empty upstream (`untold`); here it is a reason of its own. */
export function tallyPanes(panes: readonly Pane[], readings: readonly PaneReading[]): PaneTally {
  const tally: PaneTally = { compared: 0, untold: 0, disagreements: [] }
  for (const [index, pane] of panes.entries()) {
    const theirs = readings[index]
    if (!theirs) throw new CannotCompare(`there are ${readings.length} readings for ${panes.length} panes`)
    const ours = readPane(pane.parser, pane.pane)
    tally.compared++
    if ('tests' in theirs && Object.keys(theirs.tests).length === 0) tally.untold++
    const told = ours.ok ? { tests: ours.tests } : ours.reason === 'no-tests' ? { tests: {} } : { raised: 'ValueError' }
    if (inOrder(told) !== inOrder(theirs)) tally.disagreements.push(pane)
  }
  return tally
}

const inOrder = (reading: PaneReading): string =>
  'raised' in reading ? reading.raised : JSON.stringify(Object.entries(reading.tests).sort())

/** Compares how drawn panes are read with Terminal-Bench's parsers and returns the number of disagreements. */
export async function comparePanes(source: string | undefined, seed: number, count: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-parity-'))
  try {
    const environment = createEnvironment(join(folder, 'venv'), 12)
    const installed = source ? { ok: true, detail: '' } : environment.install('--no-deps', official)
    if (!installed.ok) throw new CannotCompare(`pip could not install ${official}, which needs Python 3.12: ${installed.detail}`)
    const panes = drawnPanes(seed, count)
    const [input, output] = [join(folder, 'panes.jsonl'), join(folder, 'readings.jsonl')]
    await writeFile(input, panes.map((pane) => `${JSON.stringify(pane)}\n`).join(''))
    const script = join(import.meta.dirname, 'panes-oracle.py')
    const packages = source ? resolve(source) : environment.packages
    const done = spawnSync(environment.python, [script, packages, input, output], { encoding: 'utf8' })
    if (done.status !== 0) throw new CannotCompare(`the parsers could not be run: ${done.stderr.trim().split('\n').at(-1)}`)
    const lines = (await readFile(output, 'utf8')).trim().split('\n')
    const readings = lines.map((line): PaneReading => JSON.parse(line))
    const { compared, untold, disagreements } = tallyPanes(panes, readings)
    console.log(`panes against ${source ?? official}: ${compared} panes, seed ${seed}; ${untold} without a test`)
    for (const pane of disagreements.slice(0, 10)) {
      const theirs = readings[panes.indexOf(pane)]
      console.log(
        `  ${JSON.stringify(pane)}\n    ours ${JSON.stringify(readPane(pane.parser, pane.pane))}\n    theirs ${JSON.stringify(theirs)}`,
      )
    }
    console.log(`disagreements: ${disagreements.length}`)
    return disagreements.length
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
