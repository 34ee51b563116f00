import { readImageName } from './image-name.ts'
import type { BuildFile, BuildGiven } from './plan-build.ts'
import { createCopies } from './plan-copies.ts'
import { plannedRun } from './plan-run.ts'
import { type Dockerfile, type Instruction, type LineProblem, readList } from './read-dockerfile.ts'
import { registryProblem } from './registries.ts'
import { createScope, type StageScope } from './stage-scope.ts'
import { triggerProblem } from './triggers.ts'

/** A stage while it is read. `needs`: numbers of the stages that it takes something from; `wants`: images that must be had first. */
type Stage = {
  name: string | null
  base: string
  scope: StageScope
  complete: boolean
  lines: string[]
  needs: Set<number>
  wants: Set<string>
}

/** What instructions of a stage are planned with. */
export type StageWork = {
  given: BuildGiven
  scope: StageScope
  escapeMark: string
  files: BuildFile[]
  refuse(line: number, text: string): void
  /** The name by which the builder finds a stage or an image; null where it is refused or must be had first. */
  sourceOf(reference: string, line: number): string | null
  needsBuildKit(): void
}

export type PlannedStages = {
  missing: readonly string[]
  plan: { text: string; args: Readonly<Record<string, string>>; files: readonly BuildFile[]; buildkit: boolean; base: string | null }
}

const stageName = (index: number): string => `bench${index}`

/** Plans all stages, and keeps those that the last one needs. What is refused is added to `problems`. */
export function plannedStages({ escapeMark, instructions }: Dockerfile, given: BuildGiven, problems: LineProblem[]): PlannedStages {
  const stages: Stage[] = []
  const files: BuildFile[] = []
  const platform = platformArgs(given.platform)
  const args = { ...platform, ...given.args }
  const heads = new Map(Object.entries(platform))
  const head = createScope({ ...{ env: new Map(), complete: given.platform !== null, shell: null, args, heads, escapeMark } })
  let buildkit = false
  const refuse = (line: number, text: string): void => void problems.push({ line, text })

  /** Null: it is refused, or must be had first. Undefined: nothing is known of it here. */
  const imageOf = (name: string, line: number, wants: Set<string>): ReturnType<BuildGiven['facts']> => {
    const read = readImageName(name)
    const why = read ? registryProblem(read, given.registries) : 'it is no name of an image'
    if (why !== null) {
      refuse(line, `${JSON.stringify(name.slice(0, 200))}: ${why}`)
      return null
    }
    const facts = given.facts(name)
    if (facts === null) wants.add(name)
    for (const trigger of facts?.triggers ?? []) {
      const unfit = triggerProblem(trigger, escapeMark)
      if (unfit !== null) refuse(line, `the image ${name} brings ${JSON.stringify(trigger.slice(0, 200))}: ${unfit}`)
    }
    return facts
  }
  const stageOf = (name: string): number => stages.findLastIndex((one) => one.name === name.toLowerCase())

  const begin = ({ rest, flags, line }: Instruction): void => {
    const [, written = '', name = null] = /^(\S+)(?:\s+as\s+(\S+))?\s*$/i.exec(rest) ?? []
    const filled = head.fill(written)
    const image = filled.ok ? filled.text : ''
    if (!filled.ok) refuse(line, `FROM: ${filled.text}`)
    else if (image === '' && filled.unknown.length === 0) refuse(line, `FROM ${rest.slice(0, 200)}: it names no image`)
    for (const flag of flags) {
      const asked = head.fill(flag.value)
      if (flag.name !== 'platform') refuse(line, `FROM --${flag.name} is not known`)
      else if (asked.ok && given.platform !== null && !isPlatform(asked.text, given.platform))
        refuse(line, `FROM --platform=${asked.text.slice(0, 100)}: this engine builds for ${given.platform}`)
    }
    const from = stageOf(image)
    const wants = new Set<string>()
    const before = stages[from]
    const facts = before || image === 'scratch' || image === '' ? null : imageOf(image, line, wants)
    const complete = before ? before.complete : facts !== undefined && image !== ''
    const shell = before ? before.scope.shell : (facts?.shell ?? null)
    const env = before ? before.scope.env : (facts?.env ?? new Map<string, string>())
    stages.push({
      name: name?.toLowerCase() ?? null,
      base: before ? stageName(from) : image === 'scratch' ? 'scratch' : (facts?.local ?? image),
      scope: createScope({ env, complete, shell, args, heads: head.variables().values, escapeMark }),
      ...{ complete, lines: [], needs: new Set(before ? [from] : []), wants },
    })
  }

  const work = (stage: Stage): StageWork => ({
    ...{ given, scope: stage.scope, escapeMark, files, refuse },
    sourceOf(reference, line) {
      const filled = stage.scope.fill(reference)
      if (!filled.ok || (filled.text === '' && filled.unknown.length === 0)) {
        refuse(line, `${reference.slice(0, 200)}: ${filled.ok ? 'it names nothing' : filled.text}`)
        return null
      }
      if (filled.unknown.length > 0) return null
      const number = /^\d+$/.test(filled.text) ? Number(filled.text) : stageOf(filled.text)
      if (number >= 0 && number < stages.length - 1) {
        stage.needs.add(number)
        return stageName(number)
      }
      return imageOf(filled.text, line, stage.wants)?.local ?? null
    },
    needsBuildKit: () => {
      buildkit = true
    },
  })

  for (const instruction of instructions) {
    const stage = stages.at(-1)
    if (instruction.name === 'FROM') begin(instruction)
    else if (!stage && instruction.name === 'ARG') tell(head.declare(instruction.rest), instruction)
    else if (!stage) refuse(instruction.line, `${instruction.name.slice(0, 40)} stands before the first FROM`)
    else {
      const lines = linesOf(instruction, stage, work(stage))
      // Such a line would take in the next one.
      if (lines.some((line) => line.trimEnd().endsWith(escapeMark)))
        refuse(instruction.line, `${instruction.name} ends with ${escapeMark}: leave it out`)
      stage.lines.push(...lines)
    }
  }
  if (stages.length === 0) refuse(1, 'there is no FROM')
  function tell(filled: ReturnType<StageScope['fill']>, { name, line }: Instruction): void {
    if (!filled.ok) refuse(line, `${name}: ${filled.text}`)
  }
  function linesOf(instruction: Instruction, { scope }: Stage, means: StageWork): string[] {
    if (instruction.name === 'ARG') tell(scope.declare(instruction.rest), instruction)
    if (instruction.name === 'ENV') tell(scope.set(instruction.rest), instruction)
    if (instruction.name === 'SHELL') scope.shell = readList(instruction.rest) ?? scope.shell
    if (instruction.name === 'COPY' || instruction.name === 'ADD') return createCopies(instruction, means)
    if (instruction.name === 'RUN') return plannedRun(instruction, means)
    if (instruction.name === 'ONBUILD') {
      const unfit = triggerProblem(instruction.rest, escapeMark)
      if (unfit !== null) refuse(instruction.line, `ONBUILD ${instruction.rest.slice(0, 200)}: ${unfit}`)
    }
    return [lineOf(instruction)]
  }
  const needed = neededStages(stages)
  const told = stages.flatMap(({ base, lines }, index) =>
    needed.has(index) ? [`FROM ${base} AS ${stageName(index)}`, ...lines.map((line) => wrapped(line, escapeMark))] : [],
  )
  const declared = [...heads.keys()].filter((name) => instructions.some((one) => one.name === 'ARG' && one.rest.includes(name)))
  const own = Object.entries(given.args).filter(([name]) => !name.startsWith('BUILDKIT_'))
  return {
    missing: [...new Set(stages.flatMap(({ wants }, index) => (needed.has(index) ? [...wants] : [])))],
    plan: {
      text: [...(escapeMark === '\\' ? [] : [`# escape=${escapeMark}`]), ...told, ''].join('\n'),
      args: { ...Object.fromEntries(declared.map((name) => [name, platform[name]!])), ...Object.fromEntries(own) },
      ...{ files, buildkit, base: rootOf(stages) },
    },
  }
}

/** Numbers of the last stage and of all that it takes from. */
function neededStages(stages: readonly Stage[]): ReadonlySet<number> {
  const needed = new Set<number>()
  for (const left = [stages.length - 1]; left.length > 0; ) {
    const next = left.pop()!
    if (needed.has(next)) continue
    needed.add(next)
    left.push(...(stages[next]?.needs ?? []))
  }
  return needed
}

/** The image that the last stage begins with at the last; null where it begins with nothing. */
function rootOf(stages: readonly Stage[]): string | null {
  const named = new Map(stages.map(({ base }, index) => [stageName(index), base]))
  let base = stages.at(-1)?.base ?? 'scratch'
  while (named.has(base)) base = named.get(base)!
  return base === 'scratch' ? null : base
}

const lineOf = ({ name, flags, rest }: Instruction): string =>
  [name, ...flags.map((flag) => (flag.value === '' ? `--${flag.name}` : `--${flag.name}=${flag.value}`)), rest].join(' ')

/** The longest line that every engine's parser takes, in characters: some of them take 65,535 bytes. */
const longest = 12_000

/** A long line as continued ones: broken before a letter or digit that follows one, so that nothing begins or ends with another character. */
function wrapped(line: string, escapeMark: string): string {
  if (line.length <= longest) return line
  let at = longest
  while (at > longest / 2 && !/^[A-Za-z0-9]{2}$/.test(line.slice(at - 1, at + 1))) at--
  return at <= longest / 2 ? line : `${line.slice(0, at)}${escapeMark}\n${wrapped(line.slice(at), escapeMark)}`
}

function platformArgs(platform: string | null): Readonly<Record<string, string>> {
  if (platform === null) return {}
  const [os = '', arch = '', variant = ''] = platform.split('/')
  const parts = { PLATFORM: platform, OS: os, ARCH: arch, VARIANT: variant }
  return Object.fromEntries(['TARGET', 'BUILD'].flatMap((side) => Object.entries(parts).map(([name, value]) => [`${side}${name}`, value])))
}

const isPlatform = (asked: string, own: string): boolean => {
  const parts = asked.split('/')
  const [os, arch] = parts.length === 1 ? ['linux', parts[0]] : parts
  const names: Readonly<Record<string, string>> = { x86_64: 'amd64', aarch64: 'arm64' }
  return asked === '' || own.startsWith(`${os}/${names[arch ?? ''] ?? arch}`) || (parts.length === 1 && own.startsWith(`${asked}/`))
}
