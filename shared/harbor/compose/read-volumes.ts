import type { TreeFile } from '../../solvers/machine.ts'
import type { ServiceVolume } from '../../solvers/machine-services.ts'
import { below } from '../python-text.ts'
import { isTable, type Read, wrong } from './service-values.ts'

/** The folder that Harbor keeps logs of `main` in on its host, as variables of compose files name it; here logs are read from the machine itself. */
export const hostLogs = '/bench-host-logs'

/** What a service's `volumes` come to: volumes, and files of the task that are put in place. */
export type ReadVolumes = { volumes: readonly ServiceVolume[]; files: readonly TreeFile[] }

type Volume = { source: string; target: string; read_only: boolean; type: string }

/**
 * Reads `volumes`: those of the task by name (`declared`), those without a name, and files of the task's own folder (`context`) that are mounted to be read. No
 * folder of a host is ever mounted.
 */
export function readVolumes(
  value: unknown,
  { isMain, volumes: declared, context }: { isMain: boolean; volumes: ReadonlySet<string>; context: readonly TreeFile[] },
): Read<ReadVolumes> {
  if (value === null || value === undefined) return { ok: true, value: { volumes: [], files: [] } }
  if (!Array.isArray(value)) return wrong('it is no list')
  const volumes: ServiceVolume[] = []
  const files: TreeFile[] = []
  for (const one of value) {
    const volume = typeof one === 'string' ? shortForm(one) : longForm(one)
    const told = typeof one === 'string' ? one : JSON.stringify(one)
    if (volume === null || !isPlace(volume.target)) return wrong(`${told} cannot be read`)
    const { source, target, read_only } = volume
    if (source.startsWith(`${hostLogs}/`) && isMain) continue
    if (volume.type === 'volume') {
      if (source !== '' && !declared.has(source)) return wrong(`${told}: there is no volume ${source}; name it at the top, under volumes`)
      volumes.push({ volume: source || null, path: target, read_only })
      continue
    }
    const own = filesAt(source, target, context)
    if (own === null) return wrong(`${told} mounts a folder of the host: name a volume, or copy the files in a Dockerfile`)
    if (!read_only) return wrong(`${told} can be written to: write :ro behind it, name a volume, or copy the files in a Dockerfile`)
    files.push(...own)
  }
  return { ok: true, value: { volumes, files } }
}

const isPlace = (path: string): boolean => /^\/[^\0]+$/.test(path) && !path.split('/').some((name) => name === '.' || name === '..')

function shortForm(text: string): Volume | null {
  const parts = text.split(':')
  if (parts.length > 3) return null
  const [first = '', second, options = ''] = parts
  if (second === undefined) return { source: '', target: first, read_only: false, type: 'volume' }
  const words = options === '' ? [] : options.split(',')
  if (!words.every((word) => ['ro', 'rw', 'z', 'Z', 'nocopy'].includes(word))) return null
  const type = /^[A-Za-z0-9][\w.-]*$/.test(first) ? 'volume' : 'bind'
  return { source: first, target: second, read_only: words.includes('ro'), type }
}

function longForm(value: unknown): Volume | null {
  if (!isTable(value)) return null
  const { type, source = '', target, read_only = false, ...more } = value
  if ((type !== 'volume' && type !== 'bind') || typeof source !== 'string' || typeof target !== 'string') return null
  const others = Object.keys(more).filter((key) => key !== 'bind' && key !== 'volume' && key !== 'consistency')
  return others.length > 0 || typeof read_only !== 'boolean' ? null : { source, target, read_only, type }
}

/** Files of the task's folder at a path that begins with `.`, with the absolute paths that they come to; null where none are there. */
function filesAt(source: string, target: string, context: readonly TreeFile[]): TreeFile[] | null {
  const path = source.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '')
  if (!source.startsWith('./') || path.split('/').includes('..')) return null
  const place = target.replace(/\/+$/, '')
  const file = context.find((one) => one.path === path)
  if (file) return [{ ...file, path: place }]
  const inside = path === '' ? context : below(context, path)
  return inside.length === 0 ? null : inside.map((one) => ({ ...one, path: `${place}/${one.path}` }))
}
