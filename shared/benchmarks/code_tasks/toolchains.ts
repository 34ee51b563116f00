import type { Outcome } from '../../contract/failure.ts'
import { requireTool } from '../../solvers/in-sandbox.ts'
import type { Sandbox } from '../../solvers/sandbox.ts'
import type { TaskLanguage } from './catalogue-task.ts'

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

/** What the toolchain of a language says of its version; without one a failure that says which packages bring it. */
export function requireToolchain(box: Sandbox, language: TaskLanguage): Promise<Outcome<string>> {
  const { version, packages } = toolchains[language]
  return requireTool(box, version, packages)
}
