import { spawnSync } from 'node:child_process'

/**
 * Files that differ from `base`, uncommitted ones included. Without a base: from where this branch left `origin/main`, and on that branch itself,
 * or without it, from the commit before. @throws Error when git knows none of them.
 */
export function changedFiles(root: string, base?: string): string[] {
  const git = (...args: string[]): string | null => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : null
  }
  const head = git('rev-parse', 'HEAD')
  const fork = git('merge-base', 'origin/main', 'HEAD')
  const from = base ?? (fork !== null && fork !== head ? fork : 'HEAD~1')
  const files = git('diff', '--name-only', from)
  if (files === null) throw new Error(`git cannot compare with ${from}. Name a commit that this clone has: --changed COMMIT`)
  return files.split('\n').filter(Boolean)
}
