import { dockerHub, type ImageName } from './image-name.ts'
import { hostProblem } from './public-host.ts'

/** Registries that tasks may name without an operator's word; `*.` stands for one or more names in front. */
export const usualRegistries: readonly string[] = [
  dockerHub,
  'registry-1.docker.io',
  'ghcr.io',
  'quay.io',
  'gcr.io',
  '*.gcr.io',
  '*.pkg.dev',
  'registry.k8s.io',
  'public.ecr.aws',
  'mcr.microsoft.com',
  'registry.gitlab.com',
  'nvcr.io',
  'registry.access.redhat.com',
  'cgr.dev',
  'docker.elastic.co',
]

/** Registries beyond `usualRegistries`, as the operator names them: `host`, `host:port` or `*.host`. Null: none is looked at. */
export type Registries = readonly string[] | null

/** Reads `BENCH_REGISTRIES`: registries between commas. Throws in a sentence that names the entry which is none. */
export function readRegistries(text: string | undefined): readonly string[] {
  const entries = (text ?? '')
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean)
  const wrong = entries.find((entry) => !/^(?:\*\.)?(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/.test(entry))
  if (wrong !== undefined) throw new Error(`BENCH_REGISTRIES: ${wrong} is no registry. Write host, host:port or *.host between commas.`)
  return entries
}

/**
 * Why a task may not name this image's registry, in words behind its name; null: it may. An operator's own registry may stand at a private address, a task's may
 * not.
 */
export function registryProblem({ registry }: ImageName, named: Registries): string | null {
  const host = registry.toLowerCase()
  if (named === null) return null
  if ([...usualRegistries, ...named].some((one) => fits(host, one))) return null
  const bare = host.startsWith('[') ? host.replace(/\](:\d+)?$/, ']') : host.replace(/:\d+$/, '')
  const why = hostProblem(bare) ?? 'it is none of the registries that this agent pulls from'
  return `its registry ${registry} cannot be used: ${why}. The operator can add it to BENCH_REGISTRIES`
}

const fits = (host: string, entry: string): boolean => (entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry)
