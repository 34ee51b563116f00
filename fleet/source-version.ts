import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Version of the sources in `root`: the package's, then the git commit (`0.1.0+6c32c20a`, with `.changed` when files differ from it), or the
 * package's alone outside a repository. `commit` is the whole commit where it says everything.
 */
export function sourceVersion(root: string): { version: string; commit: string | null } {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string } // ours
  const commit = git(root, 'rev-parse', 'HEAD')
  // A checkout of ours, not a repository that ours happens to lie in.
  if (!commit || git(root, 'rev-parse', '--show-prefix') !== '') return { version, commit: null }
  const changed = git(root, 'status', '--porcelain', '--untracked-files=no') !== ''
  return { version: `${version}+${commit.slice(0, 8)}${changed ? '.changed' : ''}`, commit: changed ? null : commit }
}

function git(root: string, ...args: string[]): string | undefined {
  try {
    return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 10_000 }).trim()
  } catch {
    return undefined
  }
}
