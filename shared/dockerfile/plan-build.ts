import { plannedStages } from './plan-stages.ts'
import { type Dockerfile, type LineProblem, readDockerfile } from './read-dockerfile.ts'
import type { Registries } from './registries.ts'

/** What the builder is told of an image: the name under which the engine has it, and what stages inherit from it. */
export type ImageFacts = { local: string; env: ReadonlyMap<string, string>; shell: readonly string[] | null; triggers: readonly string[] }

/** What a build is planned with. */
export type BuildGiven = {
  args: Readonly<Record<string, string>>
  registries: Registries
  /** `os/arch` or `os/arch/variant` of the engine; null where none is known yet. */
  platform: string | null
  /** Where the engine has files that a Dockerfile holds or fetches, as an image. */
  files_image: string
  /** Null: nobody has the image yet. Undefined: images are not looked at, so that what depends on them is left open. */
  facts(image: string): ImageFacts | null | undefined
}

/** A file that an instruction brings along: its text from a here-document, or an address that it is fetched from. */
export type BuildFile =
  | { path: string; from: 'text'; text: string }
  | { path: string; from: 'address'; line: number; url: string; checksum: string | null }

/**
 * A Dockerfile as an engine is told it. `text` has one instruction a line, names images as the engine has them, and holds no address, here-document, or stage that
 * is not needed. `images`: those that must be had before it can be planned on. `base`: the image that the last stage begins with.
 */
export type BuildPlan =
  | {
      type: 'plan'
      text: string
      args: Readonly<Record<string, string>>
      files: readonly BuildFile[]
      buildkit: boolean
      base: string | null
    }
  | { type: 'images'; images: readonly string[] }
  | { type: 'refused'; problems: readonly [LineProblem, ...LineProblem[]] }

/** Frontends whose language is read here. */
const ownFrontend = /^(?:docker\.io\/)?docker\/dockerfile(?:-upstream)?(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/

/**
 * Plans the build of a Dockerfile so that the engine's builder reaches nothing by itself: images are had before, addresses fetched before, and what neither can be
 * is refused by its line. Never throws.
 */
export function planBuild(text: string, given: BuildGiven): BuildPlan {
  const read = readDockerfile(text)
  if (!read.ok) return { type: 'refused', problems: [read.problem] }
  const { dockerfile } = read
  const problems = [...frontendProblems(dockerfile, given.args)]
  const stages = plannedStages(dockerfile, given, problems)
  const [first, ...more] = problems
  if (first) return { type: 'refused', problems: [first, ...more] }
  if (stages.missing.length > 0) return { type: 'images', images: stages.missing }
  return { type: 'plan', ...stages.plan }
}

/** Everything for which a Dockerfile is refused before any image is at hand. */
export function dockerfileProblems(text: string, args: Readonly<Record<string, string>>, registries: Registries): readonly LineProblem[] {
  const plan = planBuild(text, { args, registries, platform: null, files_image: 'files', facts: () => undefined })
  return plan.type === 'refused' ? plan.problems : []
}

function* frontendProblems({ syntax }: Dockerfile, args: Readonly<Record<string, string>>): Generator<LineProblem> {
  for (const frontend of [syntax, args.BUILDKIT_SYNTAX ?? null])
    if (frontend !== null && !ownFrontend.test(frontend))
      yield { line: 1, text: `# syntax=${frontend.slice(0, 200)} names another frontend: write docker/dockerfile:1, or leave the line out` }
}
