import { join, relative } from 'node:path'

/** A mount as the kernel lists it: the folder `root` of the file system `device` is seen at the path `at`. */
export type Mount = { device: string; root: string; at: string }

/** Whether a path is this folder or lies below it. */
export const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** Reads `/proc/self/mountinfo` (proc(5)); lines of another form are left out. */
export function readMounts(text: string): Mount[] {
  const plain = (word: string): string =>
    word.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
  return text.split('\n').flatMap((line) => {
    const [, , device, root, at] = line.split(' ')
    return device && root && at ? [{ device, root: plain(root), at: plain(at) }] : []
  })
}

/**
 * Every path at which a folder, or a part of it, is seen: its own, and through bind mounts of it, of a part of it and of a folder above it.
 */
export function pathsOf(path: string, mounts: readonly Mount[]): string[] {
  const holding = mounts.reduce<Mount | null>(
    (best, mount) => (isWithin(path, mount.at) && mount.at.length >= (best?.at.length ?? 0) ? mount : best),
    null,
  )
  if (!holding) return [path]
  const onDevice = join(holding.root, relative(holding.at, path))
  const seen = mounts.flatMap(({ device, root, at }) => {
    if (device !== holding.device) return []
    if (isWithin(onDevice, root)) return [join(at, relative(root, onDevice))]
    return isWithin(root, onDevice) ? [at] : []
  })
  return [...new Set([path, ...seen])]
}
