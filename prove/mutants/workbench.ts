import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { endTree } from '../checks/process-tree.ts'

/** `titled`: only tests whose title begins so are run. */
export type Ask = { test: string; project: string; changed: string[]; titled?: string | undefined }
/** What came of a file of tests; `by_test`: a test of it failed, rather than the file or what runs it. */
export type Answer = { failure: string | null; by_test: boolean; tests: number }
export type Outcome = Answer | 'too slow'

const startMs = 120_000

/** A copy of the working tree with a warm vitest in it: the place where bugs are planted. The tree itself is only read. */
export class Workbench {
  readonly #scratch = mkdtempSync(join(tmpdir(), 'bench-mutants-'))
  readonly #dir = join(this.#scratch, 'tree')
  readonly #mark = `BENCH_WORKBENCH=${randomUUID()}`
  #server: ChildProcess | undefined
  #changed: string[] = []

  /** Copies `paths` of `root`; packages, and the data beside the tree, are linked. */
  constructor(root: string, paths: Iterable<string>) {
    for (const path of paths) {
      mkdirSync(join(this.#dir, dirname(path)), { recursive: true })
      copyFileSync(join(root, path), join(this.#dir, path))
    }
    symlinkSync(join(root, 'node_modules'), join(this.#dir, 'node_modules'))
    const data = join(root, '..', 'shared')
    if (existsSync(data)) symlinkSync(data, join(this.#scratch, 'shared'))
  }

  /** Writes a file of the copy; tests run after it see the new text. */
  write(path: string, text: string): void {
    writeFileSync(join(this.#dir, path), text)
    this.#changed.push(join(this.#dir, path))
  }

  /** Runs one file of tests, or those of it that are `titled` so; after `limitMs` everything it started is ended and it counts as too slow. */
  async run(test: string, project: string, limitMs: number, titled?: string): Promise<Outcome> {
    this.#server ??= await this.#start()
    const changed = this.#changed.splice(0)
    const answer = this.#answer(this.#server, limitMs)
    this.#server.send({ test: join(this.#dir, test), project, changed, titled } satisfies Ask)
    const outcome = await answer
    if (outcome === 'too slow') await this.#stop()
    return outcome
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop()
    rmSync(this.#scratch, { recursive: true, force: true })
  }

  async #start(): Promise<ChildProcess> {
    const [name, value] = this.#mark.split('=') as [string, string]
    const child = spawn(process.execPath, [join(this.#dir, 'prove/mutants/test-server.ts')], {
      cwd: this.#dir,
      env: { BENCH_DRAW_BUDGET: '1.01', ...process.env, [name]: value, NO_COLOR: '1' }, // no test is left out
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    if ((await this.#answer(child, startMs)) === 'too slow') throw new Error('vitest did not start')
    this.#changed = [] // it reads everything anew
    return child
  }

  async #answer(child: ChildProcess, limitMs: number): Promise<Outcome> {
    const { signal, abort } = limitOf(limitMs)
    try {
      const message = once(child, 'message', { signal })
      const exit = once(child, 'exit', { signal })
      const first = await Promise.race([message, exit.then(() => 'exit' as const)])
      message.catch(() => undefined)
      exit.catch(() => undefined)
      if (first !== 'exit') return first[0] as Answer // sent by test-server.ts
      this.#server = undefined
      return { failure: 'the tests ended their own process', by_test: false, tests: 0 }
    } catch {
      return 'too slow'
    } finally {
      abort()
    }
  }

  async #stop(): Promise<void> {
    if (this.#server?.pid) await endTree(this.#server.pid, this.#mark, 1_000)
    this.#server = undefined
  }
}

/** A signal that is given after `limitMs`, or by `abort`. */
function limitOf(limitMs: number): { signal: AbortSignal; abort(): void } {
  const controller = new AbortController()
  const clock = setTimeout(() => controller.abort(), limitMs)
  return {
    signal: controller.signal,
    abort() {
      clearTimeout(clock)
      controller.abort()
    },
  }
}
