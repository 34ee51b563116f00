import { below, readText } from '../harbor/python-text.ts'
import type { TreeFile } from '../solvers/machine.ts'
import type { ComposeClient } from './compose-client.ts'

/** What a task has besides its image: officially the whole folder is handed to the builder, tests and solution with it. */
const apart = ['task.yaml', 'docker-compose.yaml', 'run-tests.sh', 'solution.sh', 'solution.yaml', 'tests']

/**
 * The files that a task's image is built from, its Dockerfile under that name. Tests, solution and settings are left out, unless the Dockerfile names them: who works
 * in the machine would find them there. Null where there is no such Dockerfile.
 */
export function imageContext(files: readonly TreeFile[], { context, dockerfile }: ComposeClient): TreeFile[] | null {
  const inside = context === '' ? files : below(files, context)
  const recipe = inside.find(({ path }) => path === dockerfile)
  if (!recipe) return null
  const named = sourcesOf(readText(recipe.bytes) ?? '')
  const kept = inside.filter(({ path }) => {
    const part = context === '' ? apart.find((one) => path === one || path.startsWith(`${one}/`)) : undefined
    return part === undefined || named.some((source) => source === part || source.startsWith(`${part}/`))
  })
  return [...kept.filter(({ path }) => path !== 'Dockerfile'), { ...recipe, path: 'Dockerfile' }]
}

/** What the lines of a Dockerfile copy by name, from its context. */
function sourcesOf(dockerfile: string): string[] {
  const lines = dockerfile.replace(/\\\n/g, ' ').split('\n')
  return lines
    .filter((line) => /^\s*(?:COPY|ADD)\s/i.test(line))
    .flatMap((line) => line.match(/[^\s[\]",]+/g) ?? [])
    .map((word) => word.replace(/^\.?\/+/, ''))
}
