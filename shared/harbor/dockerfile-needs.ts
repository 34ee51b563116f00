import { dockerfileProblems } from '../dockerfile/plan-build.ts'
import type { MachineImage } from '../solvers/machine.ts'
import { plannedCompose } from './compose/compose-of.ts'
import { readText } from './python-text.ts'
import type { TaskEnvironment } from './task.ts'
import type { NotRunnable } from './task-problem.ts'

/** What Dockerfiles of a task ask for that no build has here, each by its line. `places`: environments by their folder in the task, '' for its own. */
export function dockerfileNeeds(places: readonly (readonly [string, TaskEnvironment])[]): NotRunnable[] {
  const seen = new Set<Uint8Array>()
  return places.flatMap(([place, environment]) =>
    builtImages(environment).flatMap(({ context, dockerfile, args = {} }) => {
      const bytes = context.find(({ path }) => path === dockerfile)?.bytes
      // In a survey of an archive only files of the usual name are at hand.
      if (!bytes || bytes.length === 0 || seen.has(bytes)) return []
      seen.add(bytes)
      // Of a service it lies deeper than its own folder says.
      const path = environment.context.find((file) => file.bytes === bytes)?.path ?? dockerfile
      const file = place === '' ? path : `${place}/${path}`
      // Which registries an agent pulls from is the agent's to say.
      return dockerfileProblems(readText(bytes) ?? '', args, null).map(
        ({ line, text }): NotRunnable => ({ reason: 'dockerfile', concerns: 'all', key: `${file}: line ${line}`, text }),
      )
    }),
  )
}

type BuiltImage = Extract<MachineImage, { type: 'built' }>

function builtImages(environment: TaskEnvironment): BuiltImage[] {
  const { image, context, build_timeout_ms } = environment
  const plain: MachineImage | null = image === null ? { type: 'built', context, dockerfile: 'Dockerfile', build_timeout_ms } : null
  const read = plannedCompose(environment)
  const images = read?.ok ? [read.compose.main.image ?? plain, ...read.compose.services.others.map((one) => one.image)] : [plain]
  return images.flatMap((one) => (one?.type === 'built' ? [one] : []))
}
