import type Docker from 'dockerode'
import * as z from 'zod'
import type { Outcome } from '#shared/contract/failure.ts'
import { type BuildPlan, type ImageFacts, planBuild } from '#shared/dockerfile/plan-build.ts'
import type { Registries } from '#shared/dockerfile/registries.ts'
import type { BuiltImage } from './build-image.ts'
import { refusedMachine } from './machine-failure.ts'

/** Pulls an image where it is absent, and gives the name by which the engine knows it. */
export type HaveNamed = (name: string, signal: AbortSignal) => Promise<Outcome<string>>

export type PreparedBuild = Extract<BuildPlan, { type: 'plan' }>

const Config = z.object({
  Config: z
    .object({
      Env: z.array(z.string()).nullish(),
      Shell: z.array(z.string()).nullish(),
      OnBuild: z.array(z.string()).nullish(),
    })
    .nullish(),
})
const Version = z.object({ Os: z.string().default('linux'), Arch: z.string().default('amd64') })

/** Plans a build with every image that it names at the engine, so that its builder pulls none. What the task's author must change is `task-refused`. */
export async function prepareBuild(
  docker: Docker,
  { context, dockerfile, args = {} }: BuiltImage,
  { files_image, registries, have }: { files_image: string; registries: Registries; have: HaveNamed },
  signal: AbortSignal,
): Promise<Outcome<PreparedBuild>> {
  const file = context.find(({ path }) => path === dockerfile)
  if (!file) return refusedMachine('task-refused', false, `The task has no ${dockerfile}.`)
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(file.bytes)
  const known = new Map<string, ImageFacts>()
  const { Os, Arch } = Version.parse(await docker.version())
  for (;;) {
    const given = { args, registries, platform: `${Os}/${Arch}`, files_image, facts: (name: string) => known.get(name) ?? null }
    const plan = planBuild(text, given)
    if (plan.type === 'plan') return { ok: true, value: plan }
    if (plan.type === 'refused') return refusedMachine('task-refused', false, refusalOf(dockerfile, plan.problems))
    for (const name of plan.images) {
      const had = await have(name, signal)
      if (!had.ok) return had
      known.set(name, await factsOf(docker, had.value))
    }
  }
}

/** What steps of an image have that says nothing of it. Source: BuildKit's `DefaultPathEnvUnix`. */
const usualPath = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** All that is wrong with a Dockerfile, by its lines. */
export const refusalOf = (dockerfile: string, problems: readonly { line: number; text: string }[]): string =>
  problems.map(({ line, text }) => `${dockerfile}, line ${line}: ${text}`).join('\n')

async function factsOf(docker: Docker, local: string): Promise<ImageFacts> {
  const { Env, Shell, OnBuild } = Config.parse(await docker.getImage(local).inspect()).Config ?? {}
  const pairs = [usualPath, ...(Env ?? [])].map((pair) => [pair.split('=', 1)[0]!, pair.slice(pair.indexOf('=') + 1)] as const)
  return { local, env: new Map(pairs), shell: Shell?.length ? Shell : null, triggers: OnBuild ?? [] }
}
