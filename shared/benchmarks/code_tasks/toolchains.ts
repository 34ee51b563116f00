import type { Outcome } from '../../contract/failure.ts'
import { requireTool } from '../../solvers/in-sandbox.ts'
import type { Sandbox } from '../../solvers/sandbox.ts'
import type { HiddenTask, TaskLanguage } from './catalogue-task.ts'
import { findBrowser } from './find-browser.ts'

type Toolchain = { version: readonly [string, ...string[]]; packages: string }
const node: Toolchain = { version: ['node', '--version'], packages: 'nodejs' }

/** What tasks of a language are run with, and the Debian packages that bring it. */
const toolchains: Record<TaskLanguage, Toolchain> = {
  python: { version: ['python3', '--version'], packages: 'python3' },
  javascript: node,
  html: node,
  go: { version: ['go', 'version'], packages: 'golang-go' },
  rust: { version: ['rustc', '--version'], packages: 'rustc' },
  cpp: { version: ['g++', '--version'], packages: 'g++' },
}

/** What a task is tested with, in words for people, and the path of the browser that its probes are given; null: they get none. */
export type FoundToolchain = { said: string; browser: string | null }

/**
 * The toolchain of a task, and for one that can be tested in a browser the browser, where one is there and starts. A sandbox without the toolchain is a failure
 * that says which packages bring it; one without a browser is none.
 */
export async function findToolchain(box: Sandbox, task: Pick<HiddenTask, 'language' | 'browser'>): Promise<Outcome<FoundToolchain>> {
  const { version, packages } = toolchains[task.language]
  const found = await requireTool(box, version, packages)
  if (!found.ok) return found
  const said = version[0] === 'node' ? `Node ${found.value}` : found.value
  if (!task.browser) return { ok: true, value: { said, browser: null } }
  const browser = await findBrowser(box)
  if (!browser.ok) return browser
  if (browser.value.path === null) return { ok: true, value: { said: `${said}; ${browser.value.why}`, browser: null } }
  return { ok: true, value: { said: `${browser.value.version}, driven by ${said}`, browser: browser.value.path } }
}
