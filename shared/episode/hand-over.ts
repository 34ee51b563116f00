import type { Outcome } from '../contract/failure.ts'
import { anyChar, compilePattern, findEnds, literal, type MatchWork, optional, type Token, TooMuchWork } from '../harbor/path-pattern.ts'
import type { TaskArtifact, TaskStep } from '../harbor/task.ts'
import { writeTaskZip } from '../harbor/write-task-zip.ts'
import type { Kit } from '../solvers/kit.ts'
import type { Downloaded, Machine, ServiceMachine, TreeFile } from '../solvers/machine.ts'
import { handOverPlace } from './log-places.ts'
import { machineGone, userOf } from './machine-spec.ts'
import { logPrefix } from './worker.ts'

/** Bytes of everything that a step hands over, and files of it. */
const most_bytes = 90 * 2 ** 20
const most_files = 20_000

/** The archive of a trial that has what a step handed over. */
export const handedOverName = (step: TaskStep): string => `${logPrefix(step)}artifacts.zip`

/** What was taken of one artifact; null where nothing was there. `unsafe` and `too-large` are told, and nothing of it goes on. */
export type Taken = { artifact: TaskArtifact; files: readonly TreeFile[] | null; why: 'absent' | 'too-large' | 'unsafe' | null }

/**
 * Takes what a step hands over out of the machine, after its hooks have run there, then out of what stands beside it. What is no plain file never leaves it.
 * Everything is kept as one archive of the trial, under `name`. `untouched`: the stamp of `handOverPlace` while it was empty; it is not read while nothing was put
 * there. `isOver`: nobody needs the machine any more, so that nothing left running in it can meddle with what stands beside it.
 */
export async function takeArtifacts(
  step: TaskStep,
  machine: Machine,
  kit: Kit,
  name: string,
  { untouched, isOver = false }: { untouched?: string | null; isOver?: boolean } = {},
): Promise<Outcome<Taken[]>> {
  const taken: Taken[] = []
  const room = { left: most_bytes }
  // What the machine itself has comes first, as in Harbor: hooks of services see what it left.
  for (const beside of [false, true]) {
    if (beside && isOver && hasBeside(step)) await machine.endProcesses()
    const hooked = await runHooks(step, machine, kit, beside)
    if (!hooked.ok) return hooked
    for (const artifact of step.artifacts) {
      if ((artifact.service !== 'main') !== beside) continue
      const one = await takeOne(artifact, machine, kit, { room, untouched: untouched ?? null })
      if (!one.ok) return one
      taken.push(one.value)
    }
  }
  const kept = await keepAll(taken, kit, name)
  return kept.ok ? { ok: true, value: taken } : kept
}

const hasBeside = ({ artifacts, verifier }: TaskStep): boolean =>
  [...artifacts, ...verifier.collect].some(({ service }) => service !== 'main')

/** The machine, or what stands beside it under that name. */
const placeOfService = (machine: Machine, service: string): ServiceMachine | undefined =>
  service === 'main' ? machine : machine.services?.[service]

async function runHooks(step: TaskStep, machine: Machine, kit: Kit, beside: boolean): Promise<Outcome<null>> {
  for (const { command, service, timeout_ms, user } of step.verifier.collect) {
    if ((service !== 'main') !== beside) continue
    // A service may have no bash.
    const argv = [beside ? 'sh' : 'bash', '-c', command] as const
    const place = placeOfService(machine, service)
    const ran = await place?.exec({ argv, user: userOf(user), timeout_ms: Math.max(1, timeout_ms), head_bytes: 5000, tail_bytes: 5000 })
    if (ran?.end === 'unavailable' && !beside) return machineGone('run a hook', ran.end)
    if (ran?.end !== 'exited' || ran.exit_code !== 0)
      kit.transcript.note(`The hook ${command} ended as ${ran?.end ?? 'unavailable'} ${ran?.exit_code ?? ''}.`)
  }
  return { ok: true, value: null }
}

async function takeOne(
  artifact: TaskArtifact,
  machine: Machine,
  kit: Kit,
  { room, untouched }: { room: { left: number }; untouched: string | null },
): Promise<Outcome<Taken>> {
  const { source, service } = artifact
  const place = placeOfService(machine, service)
  const isEmpty = untouched !== null && service === 'main' && source === handOverPlace && (await machine.folderStamp(source)) === untouched
  const found: Downloaded = isEmpty ? { ok: true, folder: true, files: [] } : ((await place?.download(source, room.left)) ?? nothing)
  if (!found.ok && found.reason === 'unavailable') return machineGone('hand over what was made', found.reason)
  const files = found.ok ? withoutExcluded(found.files, artifact.exclude) : null
  const isTooLarge = found.ok && (files === null || files.length > most_files)
  const why = isTooLarge ? 'too-large' : found.ok ? null : (found.reason as Taken['why'])
  if (why !== null && why !== 'absent') kit.transcript.note(`${artifact.source} was not taken: ${why}.`)
  if (files && why === null) room.left -= files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return { ok: true, value: { artifact, files: why === null ? files : null, why } }
}

const nothing: Downloaded = { ok: false, reason: 'absent' }

async function keepAll(taken: readonly Taken[], kit: Kit, name: string): Promise<Outcome<unknown>> {
  const files = new Map<string, TreeFile>()
  for (const { artifact, files: found } of taken)
    for (const file of found ?? []) {
      const path = `${placeOf(artifact)}/${file.path}`.replace(/^\/+/, '')
      // The first that takes a place has it, as in Harbor.
      if (!files.has(path)) files.set(path, { ...file, path })
    }
  if (files.size === 0) return { ok: true, value: null }
  return kit.keep({ name, kind: 'file', media_type: 'application/zip', body: writeTaskZip([...files.values()]) })
}

/** Where below the artifacts something lies. */
const placeOf = ({ source, destination }: TaskArtifact): string => destination ?? source

/** What was taken of each artifact, from the files of the archive that was kept of them. */
export function takenFrom(step: TaskStep, files: readonly TreeFile[]): Taken[] {
  const ordered = [...step.artifacts].sort((a, b) => Number(a.service !== 'main') - Number(b.service !== 'main'))
  return ordered.map((artifact) => {
    const place = `${placeOf(artifact)}/`.replace(/^\/+/, '').replace(/\/+$/, '/')
    const own = files.filter(({ path }) => path.startsWith(place)).map((file) => ({ ...file, path: file.path.slice(place.length) }))
    return { artifact, files: own.length > 0 ? own : null, why: own.length > 0 ? null : ('absent' as const) }
  })
}

/** Puts what was handed over into a fresh machine, at the places that it came from. */
export async function giveArtifacts(taken: readonly Taken[], machine: Machine): Promise<Outcome<null>> {
  for (const { artifact, files } of taken) {
    if (!files || files.length === 0) continue
    // A single file was given under its own name.
    const one = files.length === 1 && artifact.source.endsWith(`/${files[0]!.path}`)
    const place = one ? artifact.source.slice(0, -(files[0]!.path.length + 1)) || '/' : artifact.source
    const made = await makeRoom(machine, place, !one)
    if (!made.ok) return made
    const written = await machine.upload(place, files)
    if (written !== 'written') return machineGone('take what was handed over', written)
  }
  return { ok: true, value: null }
}

/** A folder gets what was handed over and nothing else, and anybody may write into it, as in Harbor. */
async function makeRoom(machine: Machine, place: string, empty: boolean): Promise<Outcome<null>> {
  const command = `mkdir -p "$1" && chmod 777 "$1"${empty ? ' && find "$1" -mindepth 1 -delete' : ''}`
  const ran = await machine.exec({
    argv: ['sh', '-c', command, 'sh', place],
    user: 'root',
    timeout_ms: 60_000,
    head_bytes: 500,
    tail_bytes: 0,
  })
  if (ran.end === 'exited' && ran.exit_code === 0) return { ok: true, value: null }
  return machineGone('take what was handed over', `${ran.end} ${new TextDecoder().decode(ran.head)}`.trim())
}

/** Null where matching the patterns takes too long: so many files under such patterns are more than a step can hand over. */
function withoutExcluded(files: readonly TreeFile[], patterns: readonly string[]): readonly TreeFile[] | null {
  const work = { steps_left: excludeSteps }
  try {
    const excludes = patterns.map((pattern) => excluding(pattern, work))
    return files.filter(({ path }) => !excludes.some((isExcluded) => isExcluded(path)))
  } catch (cause) {
    if (cause instanceof TooMuchWork) return null
    throw cause
  }
}

const excludeSteps = 50_000_000

/**
 * Whether a path is left out by a pattern of `tar --exclude`: `*` and `?` also match `/`, and the pattern may begin at any name of the path. Takes linear time;
 * throws `TooMuchWork` beyond `work`.
 */
function excluding(pattern: string, work: MatchWork): (path: string) => boolean {
  const many: Token = { op: 'many', set: anyChar }
  const one: Token = { op: 'one', set: anyChar }
  const tokens = [...pattern.replace(/\/+$/, '')].flatMap((char) => (char === '*' ? [many] : char === '?' ? [one] : literal(char)))
  const compiled = compilePattern([...optional(many, ...literal('/')), ...tokens])
  return (path) => {
    const { whole, before_slash } = findEnds(compiled, path, work)
    return whole || before_slash
  }
}
