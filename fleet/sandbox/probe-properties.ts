import type { ExecResult, Sandbox } from '#shared/solvers/sandbox.ts'

/** Something that a sandbox must hold, and a program by which it shows: `holds` says so of what became of it. */
export type Property = {
  name: string
  script: string
  holds(became: ExecResult, said: string): boolean
  timeout_ms?: number
}

/** Holds where the program ended by itself and said this. */
export const says = (wanted: string) => (became: ExecResult, said: string) => became.end === 'exited' && said.trim() === wanted

/** Without it what follows could not be tried; it is no property of its own. */
const roomAgain = 'room again'

/** What every kind that keeps files in memory is tried with last; `disk_mb` is that of the sandbox, `processes` how many it may have. */
export const limitProperties = ({ disk_mb, processes }: { disk_mb: number; processes: number }): readonly Property[] => [
  { name: 'memory', script: 'head -c 200000000 /dev/zero | tail -c 200000000 > /dev/null', holds: ({ end }) => end === 'out-of-memory' },
  {
    name: 'processes',
    script: `i=0; while [ $i -lt ${2 * processes} ]; do sleep 99 & i=$((i + 1)); done; echo all`,
    holds: ({ end }, said) => end === 'exited' && said === '',
  },
  { name: 'disk', script: `head -c ${2 * disk_mb * 1024 ** 2} /dev/zero > f`, holds: ({ end }) => end === 'disk-full' },
  { name: roomAgain, script: 'rm f && echo gone', holds: says('gone') },
  {
    name: 'files',
    script: 'i=0; while [ $i -lt 9999 ]; do : > g$i || exit 1; i=$((i + 1)); done',
    holds: ({ end }) => end === 'disk-full',
  },
  { name: 'time', script: 'sleep 99 & sleep 99', holds: ({ end }) => end === 'timeout', timeout_ms: 200 },
  { name: 'output', script: 'yes', holds: ({ end, stdout }) => end === 'output-limit' && stdout.length === mostOutput },
]
const mostOutput = 4096

/** The names of properties, as a proof tells what was tried. */
export const namesOfProperties = (properties: readonly Property[]): string[] =>
  properties.map(({ name }) => name).filter((name) => name !== roomAgain)

/** Runs a shell's program in a sandbox, as properties are tried. */
export const runScript = (box: Sandbox, script: string, timeout_ms = 20_000): Promise<ExecResult> =>
  box.exec({ argv: ['sh', '-c', script], timeout_ms, output_bytes: mostOutput })

/** Tries one after the other in one sandbox and gives those that do not hold, each with what became of it. Throws where the first does not: no program starts. */
export async function tryProperties(box: Sandbox, properties: readonly Property[]): Promise<string[]> {
  const broken: string[] = []
  for (const [index, property] of properties.entries()) {
    const became = await tryOne(box, property)
    if (became === null) continue
    if (index === 0) throw new Error(`no program starts: ${became}`)
    broken.push(`${property.name} (${became})`)
  }
  return broken
}

async function tryOne(box: Sandbox, { script, holds, timeout_ms }: Property): Promise<string | null> {
  const became = await runScript(box, script, timeout_ms)
  const said = new TextDecoder().decode(became.stdout)
  if (holds(became, said)) return null
  const words = new TextDecoder().decode(became.stderr).trim() || said.trim()
  return `${became.end}${became.exit_code === null ? '' : ` ${became.exit_code}`}${words === '' ? '' : `: ${words.slice(0, 80)}`}`
}
