import type { ListedProcess } from './keeper.ts'

/**
 * Processes that a command which is over has left. `root` is the command's own first process, null: it may stay. What was started in a container
 * from outside has no parent inside, number 0; what lost its parent has the container's first process, 1, for one. `others`: whether other
 * commands run beside it: then what is below another first process is theirs; else everything goes but the `ender`.
 */
export function leftBehind(
  processes: readonly ListedProcess[],
  { root, ender, others }: { root: { pid: number; spared: boolean }; ender: number | null; others: boolean },
): number[] {
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]))
  const topOf = (pid: number): number => {
    let top = pid
    for (let left = parents.size; left > 0; left--) {
      const parent = parents.get(top)
      if (parent === undefined || parent === 0) break
      top = parent
    }
    return top
  }
  return processes
    .map(({ pid }) => pid)
    .filter((pid) => {
      if (pid === ender || (pid === root.pid && root.spared)) return false
      if (!others) return true
      const top = topOf(pid)
      return top === root.pid || parents.get(top) !== 0
    })
}
