import type { SandboxProvider } from '#fleet/trial/resources.ts'
import type { CatalogueTask } from '#shared/benchmarks/code_tasks/catalogue-task.ts'
import { solvedWorkspace } from '#shared/benchmarks/code_tasks/catalogue-task.ts'
import { diffAnswer } from '#shared/benchmarks/code_tasks/diff-answer.ts'
import { browserPaths } from '#shared/benchmarks/code_tasks/find-browser.ts'
import { choose } from '../mutants/choose.ts'
import { mutantsOf, plant } from '../mutants/operators.ts'

/** The same sandboxes, as they would be on a machine without a browser. */
export function withoutBrowser({ open }: Pick<SandboxProvider, 'open'>): Pick<SandboxProvider, 'open'> {
  const hidden: readonly string[] = browserPaths
  return {
    async open(spec, signal) {
      const opened = await open(spec, signal)
      if (!opened.ok) return opened
      const box = opened.value
      const none = { end: 'denied' as const, exit_code: null, stdout: new Uint8Array(), stderr: new Uint8Array() }
      const value = {
        exec: async (request: Parameters<typeof box.exec>[0]) => (hidden.includes(request.argv[0]) ? none : box.exec(request)),
        read: box.read,
        write: box.write,
        [Symbol.asyncDispose]: () => box[Symbol.asyncDispose](),
      }
      return { ok: true, value }
    },
  }
}

/** Answers that are nearly right: the reference solution of a task with one small bug each, the same for the same seed. */
export function nearlyRight(task: CatalogueTask, most: number, seed: string): { cheat: string; answer: string }[] {
  const solved = solvedWorkspace(task)
  const bugs = Object.keys(task.reference).flatMap((path) => (path.endsWith('.js') ? mutantsOf(path, solved[path]!) : []))
  return choose(bugs, most, seed).map((bug) => ({
    cheat: `${bug.path}:${bug.line} ${bug.before.trim()} -> ${bug.after.trim()}`,
    answer: diffAnswer(task.workspace, { ...solved, [bug.path]: plant(solved[bug.path]!, bug) }),
  }))
}
