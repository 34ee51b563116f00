const reasons: Record<string, { why: string; remedy: string }> = {
  EACCES: { why: 'this user may not', remedy: 'Give it to this user, or choose another directory with BENCH_DATA.' },
  EPERM: { why: 'the system does not allow it', remedy: 'Choose another directory with BENCH_DATA.' },
  EROFS: { why: 'the file system is read-only', remedy: 'Mount it writable, or choose another directory with BENCH_DATA.' },
  ENOSPC: { why: 'the disk is full', remedy: 'Make room, or choose a directory on another disk with BENCH_DATA.' },
  EDQUOT: { why: 'the disk quota is used up', remedy: 'Make room, or choose a directory on another disk with BENCH_DATA.' },
  ENOTDIR: { why: 'a part of the path is a file', remedy: 'Move that file away, or choose another directory with BENCH_DATA.' },
  EEXIST: { why: 'there is a file where a directory belongs', remedy: 'Move that file away, or choose another directory with BENCH_DATA.' },
  EISDIR: { why: 'there is a directory where a file belongs', remedy: 'Move that directory away, or choose another with BENCH_DATA.' },
  EIO: { why: 'the disk reports an error', remedy: 'Check the disk, or choose a directory on another with BENCH_DATA.' },
}

/** What the disk refused, where, why and what helps, in one line; undefined for every other error. `dir` stands in where the system names no path. */
export function diskFault(error: unknown, dir: string): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const { code, path = dir } = error as NodeJS.ErrnoException
  const reason = code === undefined ? undefined : reasons[code]
  return reason && `${path} cannot be written: ${reason.why} (${code}). ${reason.remedy}`
}
