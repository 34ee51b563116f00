import type { TreeFile } from '../../solvers/machine.ts'
import { isTable, type Read, wrong } from './service-values.ts'

/** Secrets at a file's top, by name: what each holds, or why no service can have it. */
export type Secrets = ReadonlyMap<string, Read<{ bytes: Uint8Array; mode: number; of: 'file' | 'environment' }>>

/** Where services find a secret that names no other place. */
const usualPlace = '/run/secrets'

/** A file of the task by a path of its compose file, null where that leads elsewhere or there is none. */
export function fileOfTask(path: string, context: readonly TreeFile[]): TreeFile | null {
  const inside = path.replace(/^(?:\.\/+)+/, '')
  return context.find((file) => file.path === inside) ?? null
}

/** Reads secrets at a file's top: of a file of the task, or of a variable that the task has. Nothing of the host is one. */
export function readTopSecrets(
  value: unknown,
  { context, variables }: { context: readonly TreeFile[]; variables: ReadonlyMap<string, string> },
): Secrets {
  const read = (told: unknown): ReturnType<Secrets['get']> & {} => {
    const { file, environment, name: _, labels: __, ...more } = isTable(told) ? told : { it: told }
    const others = Object.keys(more)
    if (others.length > 0) return wrong(`only file and environment are read, not ${others.join(', ')}`)
    if (typeof file === 'string' && environment === undefined) {
      const own = fileOfTask(file, context)
      return own ? { ok: true, value: { ...own, of: 'file' } } : wrong(`${file} is no file of the task`)
    }
    const text = typeof environment === 'string' && file === undefined ? variables.get(environment) : undefined
    if (text !== undefined) return { ok: true, value: { bytes: new TextEncoder().encode(text), mode: 0o444, of: 'environment' } }
    return wrong(`${String(environment)} is set nowhere: write it in [environment.env]`)
  }
  return new Map(isTable(value) ? Object.entries(value).map(([name, told]) => [name, read(told)]) : [])
}

/** Reads a service's `secrets` as files that are put in place before it begins. As in Compose a file of the task keeps its mode, whatever stands here. */
export function readSecrets(value: unknown, { secrets }: { secrets: Secrets }): Read<{ files: TreeFile[] }> {
  if (!Array.isArray(value)) return wrong('it is no list')
  const files: TreeFile[] = []
  for (const one of value) {
    const table: Readonly<Record<string, unknown>> = isTable(one) ? one : { source: one }
    const { source, target = source, ...more } = table
    if (typeof source !== 'string' || typeof target !== 'string') return wrong(`${JSON.stringify(one)} cannot be read`)
    const secret = secrets.get(source) ?? wrong('it is not named at the top, under secrets')
    if (!secret.ok) return wrong(`${source}: ${secret.text}`)
    const path = target.startsWith('/') ? target : `${usualPlace}/${target}`
    if (path.split('/').some((name) => name === '.' || name === '..') || path.endsWith('/')) return wrong(`${target} is no place of a file`)
    const others = Object.keys(more).filter((key) => secret.value.of === 'environment' || !['uid', 'gid', 'mode'].includes(key))
    if (others.length > 0) return wrong(`${source}: only source and target are read, not ${others.join(', ')}`)
    files.push({ path, mode: secret.value.mode, bytes: secret.value.bytes })
  }
  return { ok: true, value: { files } }
}
